// Rolls and their legal plays, with one play for each resulting position.
// @ts-check

/** @typedef {number[]} Side 24 counts, the ace first. */
/** @typedef {[number, number]} Move From a point, to a point or 0 for off. */

const HOME = 6;
export const THROWS = 36;
export const PIPS_PER_ROLL = 49 / 6;

/**
 * The 21 rolls with the larger number first: 15 of two numbers, then the doubles.
 * @type {[number, number][]}
 */
export const ROLLS = [];
for (let high = 2; high <= 6; high++) for (let low = 1; low < high; low++) ROLLS.push([high, low]);
for (let die = 1; die <= 6; die++) ROLLS.push([die, die]);

/** Number of the 36 throws that are the same roll, for each roll. */
export const WEIGHTS = ROLLS.map(([a, b]) => (a === b ? 1 : 2));

/** Index of dice in `ROLLS`, the larger number first. */
export const placeOf = ([high, low]) => ROLLS.findIndex((roll) => roll[0] === high && roll[1] === low);

/**
 * Return the sides after all plays of a roll, in the order of their position numbers.
 * @param {Side} side
 * @param {[number, number]} roll
 * @returns {Side[]}
 */
export function sidesAfter(side, [high, low]) {
  const orders = high === low ? [[high, high, high, high]] : [[high, low], [low, high]];
  const found = new Map();
  for (const dice of orders) {
    let reached = new Map([[side.join(), side]]);
    for (const die of dice) {
      const next = new Map();
      for (const [key, one] of reached) {
        const moves = movesOf(one, die);
        if (!moves.length) next.set(key, one); // All checkers have been borne off.
        for (const move of moves) {
          const after = moved(one, move);
          next.set(after.join(), after);
        }
      }
      reached = next;
    }
    for (const [key, one] of reached) found.set(key, one);
  }
  return [...found.values()].sort(byNumber);
}

/**
 * Compare sides by their position numbers, even if they have different numbers of points.
 */
export function byNumber(a, b) {
  let above = a.reduce((sum, count, i) => sum + count - b[i], 0);
  for (let i = 0; i < a.length; i++) {
    if (above) return above;
    above -= a[i] - b[i];
  }
  return 0;
}

/**
 * Format the play of a roll that leads from one side to another, as `6/off` or `6/3(2)`.
 * @param {Side} side
 * @param {[number, number]} roll
 * @param {Side} after
 */
export function nameOf(side, [high, low], after) {
  const moves = high === low ? movesOfDouble(side, high, after)
    : firstTo(side, [high, low], after.join()) ?? firstTo(side, [low, high], after.join());
  const paths = [];
  for (const [source, target] of moves) {
    const path = paths.find((one) => one[1] === source); // Two moves of the same checker are written as one.
    if (path) path[1] = target;
    else paths.push([source, target]);
  }
  const times = new Map();
  for (const path of paths.sort((a, b) => b[0] - a[0] || b[1] - a[1])) times.set(path.join("/"), (times.get(path.join("/")) ?? 0) + 1);
  return [...times].map(([move, n]) => move.replace(/\/0$/, "/off") + (n > 1 ? `(${n})` : "")).join(" ");
}

/** Moves of one checker by one die, beginning with the highest point. @returns {Move[]} */
function movesOf(side, die) {
  const highest = side.findLastIndex(Boolean) + 1;
  /** @type {Move[]} */
  const moves = [];
  for (let source = highest; source > 0; source--) {
    if (!side[source - 1]) continue;
    // Bearing off requires all checkers at home, and a larger number bears off only from the
    // highest point.
    if (source <= die && (highest > HOME || (source < die && source < highest))) continue;
    moves.push([source, Math.max(source - die, 0)]);
  }
  return moves;
}

function moved(side, [source, target]) {
  const after = [...side];
  after[source - 1]--;
  if (target) after[target - 1]++;
  return after;
}

/**
 * Return the first sequence of moves, with the dice in this order, that leads to the side
 * `goal`; null if there is none.
 */
function firstTo(side, dice, goal) {
  if (!dice.length || !side.some(Boolean)) return side.join() === goal ? [] : null;
  for (const move of movesOf(side, dice[0])) {
    const rest = firstTo(moved(side, move), dice.slice(1), goal);
    if (rest) return [move, ...rest];
  }
  return null;
}

/**
 * Moves of a play of a double: surplus checkers on a point move on, beginning with the
 * highest point.
 */
function movesOfDouble(side, die, after) {
  const left = [...side], moves = [];
  for (let source = left.length; source > 0; source--) {
    for (let n = left[source - 1] - after[source - 1]; n > 0; n--) {
      const target = Math.max(source - die, 0);
      left[source - 1]--;
      if (target) left[target - 1]++;
      moves.push([source, target]);
    }
  }
  return moves;
}
