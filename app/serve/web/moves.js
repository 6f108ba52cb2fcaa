// Moving a roll part by part: what the rules let a checker do, given where a roll may lead.
//
// A board is 26 counts: the opponent's bar, points 1 to 24, one's own bar.
// @ts-check

export const BAR = 25;

/** A checker moved by a number: { board, from, to, hit, die }; null where it cannot. */
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

/** What may be done with a roll; `legal` has the boards that it can lead to. */
export class Roll {
  constructor(legal) {
    this.goals = new Set(legal.map(String));
    this.known = new Map();
  }

  /** Whether a board, with these numbers left, leads to the end of a legal play. */
  reaches(board, left) {
    if (this.goals.has(String(board))) return true;
    const key = `${board} ${[...left].sort()}`;
    if (!this.known.has(key)) this.known.set(key, this.steps(board, left).length > 0);
    return this.known.get(key);
  }

  isDone(board) {
    return this.goals.has(String(board));
  }

  /** The moves of one number that a legal play can have; `from` leaves out other points. */
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

  /** Where one checker can go with one number or more: the moves to each place. */
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

/** The numbers of a roll, the higher first; of a double four. */
export function numbersOf([first, second]) {
  if (first === second) return Array(4).fill(first);
  return [Math.max(first, second), Math.min(first, second)];
}

export function without(numbers, die) {
  const at = numbers.indexOf(die);
  return numbers.filter((_, place) => place !== at);
}

/** A board from the other side. */
export const turned = (board) => board.map((_, point) => -board[BAR - point] + 0);

/** Moves as players write them. */
export function written(moves) {
  const name = (point) => ({ 0: "off", [BAR]: "bar" })[point] ?? point;
  return moves.map(({ from, to, hit }) => `${name(from)}/${name(to)}${hit ? "*" : ""}`).join(" ");
}
