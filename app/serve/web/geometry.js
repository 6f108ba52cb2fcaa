// Where things are on the board: points in two rows of columns, checkers in stacks.

import { POINTS } from "./race.js";

export const WIDE = 40; // A point.
export const BIG = 36; // A checker.
export const TALL = 5; // Checkers that are drawn on a point; more are said by a number.
export const EDGE = 22;
export const HALF = TALL * BIG + 16;
export const HEIGHT = 2 * EDGE + 2 * HALF;
export const BAR = 26;
export const TRAY = 52;

export const other = (side) => (side === "roller" ? "opponent" : "roller");
export const own = (side, point) => (side === "roller" ? point - 1 : POINTS - point);
export const count = (held, side, point) => held[side][own(side, point)];
export const said = (now, side) =>
  now ? `${now} ${side === "roller" ? "of yours" : "of the opponent's"}` : "empty";

/** Columns count from the left, 0 to 11; those of the right half stand beyond the bar. */
export const column = (point) => (point <= 12 ? 12 - point : point - 13);
export const x = (col, left) => (col - left) * WIDE + (col >= 6 ? BAR : 0);
export const centre = (point, left) => x(column(point), left) + 8 + WIDE / 2;

export function rows(left) {
  const most = left ? 6 : 12;
  const low = Array.from({ length: most }, (_, i) => most - i);
  return [low, low.map((point) => 25 - point)];
}

export function along(point, step, left) {
  const points = rows(left)[point <= 12 ? 0 : 1];
  const to = points.indexOf(point) + step;
  return points[Math.min(points.length - 1, Math.max(0, to))];
}

export function pointAt(px, py, left) {
  if (py < 0 || py > HEIGHT) return null;
  const col = Array.from({ length: 12 - left }, (_, i) => i + left).find(
    (c) => px >= x(c, left) + 8 && px < x(c, left) + 8 + WIDE,
  );
  if (col === undefined) return null;
  return py < HEIGHT / 2 ? 13 + col : 12 - col;
}

/** The count after a click at a height: up to there, one less on the last, one more above. */
export function clicked(py, now) {
  const depth = py < HEIGHT / 2 ? py - EDGE : HEIGHT - EDGE - py;
  const slot = Math.max(0, Math.floor(depth / BIG)) + 1;
  if (slot > TALL || (slot === TALL && now >= TALL)) return now + 1;
  return slot === now ? now - 1 : slot;
}
