// Geometry of the board: two rows of columns for the points, and checkers in stacks.
// @ts-check

import { POINTS } from "./race.js";

export const WIDE = 40; // Width of a point.
export const BIG = 36; // Diameter of a checker.
export const TALL = 5; // Maximum number of checkers drawn on a point; a number stands for the others.
export const EDGE = 22;
export const HALF = TALL * BIG + 16;
export const HEIGHT = 2 * EDGE + 2 * HALF;
export const BAR = 26;
export const TRAY = 52;

// Numbers of places that are not points 1 to 24: the roller's bar, and the opponent's bar.
export const MY_BAR = 25;
export const THEIR_BAR = 26;
export const barOf = (side) => (side === "roller" ? MY_BAR : THEIR_BAR);
export const isBar = (point) => point >= MY_BAR;
const SLOT = 27; // Distance between two checkers on the bar.
const FIRST = 48; // Distance of the first checker on the bar from the middle of the board.
const SEEN = 4; // Maximum number of checkers drawn on the bar.

export const other = (side) => (side === "roller" ? "opponent" : "roller");
export const own = (side, point) => (isBar(point) ? POINTS : side === "roller" ? point - 1 : POINTS - point);
export const count = (held, side, point) => (isBar(point) && point !== barOf(side) ? 0 : held[side][own(side, point)]);
export const said = (now, side) =>
  now ? `${now} ${side === "roller" ? "of yours" : "of the opponent's"}` : "empty";

/**
 * Columns are numbered from the left, 0 to 11. The columns of the right half are to the
 * right of the bar.
 */
export const column = (point) => (point <= 12 ? 12 - point : point - 13);
export const x = (col, left) => (col - left) * WIDE + (col >= 6 ? BAR : 0);
export const MIDDLE = 8 + x(6, 0) - BAR / 2; // Middle of the bar.
export const centre = (point, left) => x(column(point), left) + 8 + WIDE / 2;

export function rows(left) {
  const most = left ? 6 : 12;
  const low = Array.from({ length: most }, (_, i) => most - i);
  return [low, low.map((point) => 25 - point)];
}

export function along(point, step, left) {
  const points = rows(left)[point <= 12 || point === MY_BAR ? 0 : 1];
  const to = points.indexOf(point) + step;
  return points[Math.min(points.length - 1, Math.max(0, to))];
}

export function pointAt(px, py, left) {
  if (py < 0 || py > HEIGHT) return null;
  if (!left && px >= MIDDLE - BAR / 2 && px < MIDDLE + BAR / 2) return py < HEIGHT / 2 ? THEIR_BAR : MY_BAR;
  const col = Array.from({ length: 12 - left }, (_, i) => i + left).find(
    (c) => px >= x(c, left) + 8 && px < x(c, left) + 8 + WIDE,
  );
  if (col === undefined) return null;
  return py < HEIGHT / 2 ? 13 + col : 12 - col;
}

/** Heights of a side's checkers on the bar, from the middle of the board outwards. */
export const barHeights = (side, many) => Array.from({ length: Math.min(Math.max(many, 0), SEEN) },
  (_, i) => HEIGHT / 2 + (side === "roller" ? 1 : -1) * (FIRST + i * SLOT));

/**
 * Number of checkers after a click at a given height. The stack is filled up to there; a
 * click on the top checker removes it, and a click above adds one.
 */
export function clicked(py, now, bar = false) {
  if (bar) {
    const slot = Math.max(0, Math.round((Math.abs(py - HEIGHT / 2) - FIRST) / SLOT)) + 1;
    if (slot > SEEN || (slot === SEEN && now >= SEEN)) return now + 1;
    return slot === now ? now - 1 : slot;
  }
  const depth = py < HEIGHT / 2 ? py - EDGE : HEIGHT - EDGE - py;
  const slot = Math.max(0, Math.floor(depth / BIG)) + 1;
  if (slot > TALL || (slot === TALL && now >= TALL)) return now + 1;
  return slot === now ? now - 1 : slot;
}
