// Moves of a roll, one checker at a time, as far as they belong to a legal play. A board
// has 26 counts: the opponent's bar, points 1 to 24, and the user's bar.
// @ts-check

export const BAR = 25;

/**
 * Move a checker by a number; return { board, from, to, hit, die }, or null if the checker
 * cannot move.
 */
export function step(board, from, die) {
  if (board[from] <= 0 || (board[BAR] > 0 && from !== BAR)) return null;
  const to = Math.max(from - die, 0);
  if (!to && board.some((count, point) => count > 0 && point > 6)) return null;
  if (from < die && board.some((count, point) => count > 0 && point > from)) return null;
  if (to && board[to] < -1) return null;
  const next = [...board];
  const hit = to > 0 && board[to] === -1;
  next[from] -= 1;
  if (to) next[to] = hit ? 1 : next[to] + 1;
  if (hit) next[0] -= 1;
  return { board: next, from, to, hit, die };
}

/** Possible moves of a roll; `legal` has the boards after all legal plays. */
export class Roll {
  constructor(legal) {
    this.goals = new Set(legal.map(String));
    this.known = new Map();
  }

  /** Whether a legal play can be completed from a board with the remaining numbers. */
  reaches(board, left) {
    if (this.goals.has(String(board))) return true;
    const key = `${board} ${[...left].sort()}`;
    if (!this.known.has(key)) this.known.set(key, this.steps(board, left).length > 0);
    return this.known.get(key);
  }

  isDone(board) {
    return this.goals.has(String(board));
  }

  /**
   * Moves of one checker by one number that belong to a legal play; if `from` is given,
   * only moves from this point.
   */
  steps(board, left, from = null) {
    const found = [];
    for (const die of new Set(left)) {
      for (let point = BAR; point > 0; point -= 1) {
        if (from !== null && point !== from) continue;
        const moved = step(board, point, die);
        if (moved && this.reaches(moved.board, without(left, die))) found.push(moved);
      }
    }
    return found;
  }

  /**
   * Destinations of one checker with one or more numbers, and the moves that lead to each
   * of them.
   */
  targets(board, left, from) {
    const found = new Map();
    const look = (moves, now, numbers, point) => {
      for (const moved of this.steps(now, numbers, point)) {
        const path = [...moves, moved];
        if ((found.get(moved.to)?.length ?? 9) > path.length) found.set(moved.to, path);
        if (moved.to) look(path, moved.board, without(numbers, moved.die), moved.to);
      }
    };
    look([], board, left, from);
    return found;
  }
}

/** The numbers of a roll, the higher one first; four for a double. */
export function numbersOf([first, second]) {
  if (first === second) return Array(4).fill(first);
  return [Math.max(first, second), Math.min(first, second)];
}

export function without(numbers, die) {
  const at = numbers.indexOf(die);
  return numbers.filter((_, place) => place !== at);
}

/** The same board, seen from the other side. */
export const turned = (board) => board.map((_, point) => -board[BAR - point] + 0);

/** Format moves in the usual notation. */
export function written(moves) {
  const name = (point) => ({ 0: "off", [BAR]: "bar" })[point] ?? point;
  return moves.map(({ from, to, hit }) => `${name(from)}/${name(to)}${hit ? "*" : ""}`).join(" ");
}
