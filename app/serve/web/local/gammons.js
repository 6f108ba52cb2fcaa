// Probabilities of gammons and backgammons, assuming that neither side's plays depend on
// the other side's, and races that are already decided; see bearoff/sources/kernels.py.
// @ts-check

import { homeNumber } from "./sides.js";

/** @typedef {import("./bear_in.js").Known} Known */
/** @typedef {import("./bear_in.js").BearIn} BearIn */

const ALL = 15, HOME = 6, POINTS = 24, THROWS = 36, LAST_SIX = 18;
const LEAST = 1e-9; // Smallest standard deviation, which avoids a division by 0.
const SMALLEST = 0.02; // Smallest variance of the number of rolls until the first checker is borne off.
const NEVER = 1e-9;
const MOST_OUTSIDE = 3; // Maximum number of checkers that a double brings home with a move left to bear off.

/**
 * Probability that the loser has all checkers on the board when the winner bears off;
 * `behind` is 1 if the winner is on roll.
 * @param {BearIn} sides @param {Known} winner @param {Known} loser @param {0 | 1} behind
 */
export function gammonChance(sides, winner, loser, behind) {
  if (loser.checkers < ALL) return 0;
  const { home } = sides;
  let total = 0;
  if (!winner.outside && !loser.outside) {
    const row = home.row(winner.number);
    for (let n = 0; n < row.length; n++) total += row[n] * sides.idleAfter(loser.number, Math.max(n - behind, 0));
    return total;
  }
  const [mean, variance] = sides.saving(loser);
  if (winner.outside) {
    return below((mean + (behind ? 0.5 : -0.5) - winner.mean) / Math.max(Math.sqrt(variance + winner.std ** 2), LEAST));
  }
  const std = Math.sqrt(Math.max(variance, SMALLEST)), next = idleThrows(loser.side) / THROWS;
  const row = home.row(winner.number);
  for (let n = 1; n < row.length; n++) {
    if (row[n] <= NEVER) continue;
    const rolls = n - behind;
    total += row[n] * (rolls > 1 ? below((mean - rolls - 0.5) / std) : rolls ? next : 1);
  }
  return total;
}

/**
 * Probability of a backgammon: a gammon with a checker of the loser in the winner's home
 * board.
 */
export function backgammonChance({ home }, winner, loser, behind) {
  if (loser.checkers < ALL || !loser.back) return 0;
  const leaving = homeNumber(loser.side.slice(LAST_SIX));
  if (winner.outside) {
    const lead = home.means[leaving] + (behind ? 0.5 : -0.5) - winner.mean;
    return below(lead / Math.max(Math.hypot(home.stds[leaving], winner.std), LEAST));
  }
  const row = home.row(winner.number), left = home.row(leaving);
  let total = 0, idle = 1;
  for (let n = 0; n < row.length; n++) {
    if (n >= behind) idle -= left[n - behind] ?? 0;
    total += row[n] * idle;
  }
  return Math.min(Math.max(total, 0), 1);
}

/**
 * Points that the roller is certain to win; negative if the roller is certain to lose, and
 * 0 if neither is certain.
 */
export function surelyWon({ home }, mine, theirs) {
  if (!mine.outside) {
    const rolls = home.mostRolls[mine.number];
    if (rolls <= Math.floor((theirs.checkers + 3) / 4)) return surePoints(theirs, 4 * (rolls - 1));
  }
  if (!theirs.outside) {
    const rolls = home.mostRolls[theirs.number];
    if (rolls < Math.floor((mine.checkers + 3) / 4)) return -surePoints(mine, 4 * rolls);
  }
  return 0;
}

/**
 * Points that a loser with at most this number of moves is certain to lose; 0 if this is
 * uncertain.
 */
function surePoints({ side, checkers, back }, moves) {
  if (checkers < ALL) return 1;
  let needed = 1;
  for (let point = HOME; point < POINTS; point++) needed += side[point] * Math.floor(point / HOME);
  if (needed <= moves) return 0;
  if (!back) return 2;
  return back > moves ? 3 : 0;
}

/**
 * Probability that a standard normal variable is below `z`: Abramowitz and Stegun, 26.2.19.
 */
function below(z) {
  const x = Math.abs(z);
  let p = 1 + x * (0.049867347 + x * (0.0211410061 + x * (0.0032776263 + x * (0.0000380036 + x * (0.0000488906 + x * 0.000005383)))));
  for (let times = 0; times < 4; times++) p *= p;
  return z > 0 ? 1 - 0.5 / p : 0.5 / p;
}

/** Number of the 36 throws with which no play of a side bears off a checker. */
function idleThrows(side) {
  const held = side.flatMap((count, i) => (count ? [i + 1] : []));
  const top = held.at(-1), rest = side[top - 1] > 1 ? top : held.at(-2) ?? 0;
  let outside = 0, idle = THROWS;
  for (let point = HOME; point < POINTS; point++) outside += side[point];
  if (outside > MOST_OUTSIDE) return idle;
  for (let die = 1; die <= HOME; die++) {
    idle -= Number(doubleBearsOff(side, die, top));
    if (rest > HOME) continue;
    for (let low = 1; low < die; low++) {
      idle -= 2 * Number(bearsOff(side, die, low, top, rest) || bearsOff(side, low, die, top, rest));
    }
  }
  return idle;
}

/** Whether the two numbers of a throw, played in this order, bear off a checker. */
function bearsOff(side, first, then, top, rest) {
  if (top <= HOME) {
    const total = first + then;
    if (first >= top || side[first - 1] || (total <= HOME && side[total - 1])) return true;
  }
  const target = top - first;
  return target <= HOME && (side[then - 1] > 0 || then === target || then > Math.max(rest, target));
}

/** Whether a double brings all checkers home and then bears off a checker. */
function doubleBearsOff(side, die, top) {
  let left = 4, exact = 5, clearing = 1;
  for (let point = 1; point <= top; point++) {
    const held = side[point - 1];
    if (!held) continue;
    let place = point;
    if (point > HOME) {
      const moves = Math.floor((point - HOME + die - 1) / die);
      left -= held * moves;
      place -= moves * die;
    }
    if (place % die === 0) exact = Math.min(exact, place / die);
    clearing += held * Math.floor((place - 1) / die);
  }
  return Math.min(exact, clearing) <= left;
}

