// Positions and their numbers, computed by the hash of Benjamin and Ross (docs/tables.md).
// @ts-check

const MOST = 40; // Rows of Pascal's triangle; 15 checkers on 24 points need 39.

/** @type {number[][]} */
const PASCAL = [];
for (let n = 0; n < MOST; n++) {
  PASCAL.push(Array.from({ length: n + 1 }, (_, k) => (k && k < n ? PASCAL[n - 1][k - 1] + PASCAL[n - 1][k] : 1)));
}

/** Binomial coefficient C(n, k), as an exact integer. */
export const choose = (n, k) => PASCAL[n][k] ?? 0;

/**
 * Number of the position with counts[0] checkers on the ace point, counts[1] on the deuce
 * point, ...
 * @param {ArrayLike<number>} counts
 * @param {number} [points] Those looked at, from the ace.
 */
export function rank(counts, points = counts.length) {
  let number = 0, above = 0;
  for (let point = points; point > 0; point--) {
    above += counts[point - 1];
    number += choose(above + points - point, points - point + 1);
  }
  return number;
}

/**
 * Return the position with a given number; the inverse of `rank`.
 * @param {number} number
 * @param {number} points
 */
export function unrank(number, points) {
  const counts = new Array(points).fill(0);
  let last = 0; // Number of checkers above the previous point.
  const above = new Array(points);
  for (let point = 1; point <= points; point++) {
    const terms = points - point;
    let on = 0;
    while (choose(on + 1 + terms, terms + 1) <= number) on++;
    number -= choose(on + terms, terms + 1);
    above[point - 1] = on;
  }
  for (let point = points; point > 0; point--) {
    counts[point - 1] = above[point - 1] - last;
    last = above[point - 1];
  }
  return counts;
}

/** Number of positions with at most `checkers` checkers on `points` points. */
export const positionCount = (points, checkers) => choose(points + checkers, points);

/** @param {ArrayLike<number>} counts */
export const pipsOf = (counts) => Array.from(counts).reduce((sum, count, i) => sum + count * (i + 1), 0);

/** @param {ArrayLike<number>} counts */
export const checkersOf = (counts) => Array.from(counts).reduce((sum, count) => sum + count, 0);
