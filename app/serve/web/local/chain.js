// The fast model: races between typical sides, each represented by its effective pip count
// (EPC), solved on the page; see bearoff/race_model. EPCs are in bins of 1/16 roll; in bin
// 0 all checkers are borne off.
// @ts-check

import { PIPS_PER_ROLL } from "./plays.js";

export const STEP = PIPS_PER_ROLL / 16;

/** @typedef {{ bins: number, values: Float32Array }} Plane By bin of the roller and of the opponent. */
/** @typedef {{ chances: Float64Array, width: number, first: Int32Array, last: Int32Array }} Falls */
/** @typedef {{ won: Plane, lost: Plane, waitingWon: Plane, waitingLost: Plane }} Companions */

/** @param {Float64Array} chances @param {number} bins @returns {Falls} */
export function fallsOf(chances, bins) {
  const width = chances.length / bins, first = new Int32Array(bins), last = new Int32Array(bins);
  for (let x = 0; x < bins; x++) {
    const row = chances.subarray(x * width, (x + 1) * width);
    first[x] = row.findIndex((chance) => chance > 0);
    last[x] = row.findLastIndex((chance) => chance > 0) + 1;
  }
  return { chances, width, first, last };
}

/**
 * Equities for money without gammons: without a cube, with the opponent's cube, and without
 * doubling an owned or a centred cube. Also the standard deviation of the number of rolls
 * of typical sides.
 * @param {Falls} falls
 * @param {number} bins
 */
export function solveChain({ chances, width, first, last }, bins) {
  const plane = () => new Float64Array(bins * bins);
  const [cubeless, opponent, owned, centred, waitsOwned, waitsCentred] = Array.from({ length: 6 }, plane);
  for (const one of [cubeless, opponent, owned, centred, waitsOwned, waitsCentred]) {
    for (let x = 0; x < bins; x++) one[x * bins] = -1;
    for (let x = 0; x < bins; x++) one[x] = 1;
  }
  const solve = (x, y) => {
    let e = 0, w = 0, o = 0, c = 0;
    for (let fall = first[x]; fall < last[x]; fall++) {
      const chance = chances[x * width + fall], after = y * bins + x - fall;
      e -= chance * cubeless[after];
      w -= chance * owned[after];
      o -= chance * opponent[after];
      c -= chance * centred[after];
    }
    const double = Math.min(2 * w, 1), at = x * bins + y;
    cubeless[at] = e;
    opponent[at] = w;
    owned[at] = Math.max(o, double);
    centred[at] = Math.max(c, double);
    waitsOwned[at] = o;
    waitsCentred[at] = c;
  };
  inOrder(bins, solve);
  const stds = new Float64Array(bins), mean = new Float64Array(bins), second = new Float64Array(bins);
  for (let i = 1; i < bins; i++) {
    let m = 0, s = 0;
    for (let fall = first[i]; fall < last[i]; fall++) {
      m += chances[i * width + fall] * mean[i - fall];
      s += chances[i * width + fall] * second[i - fall];
    }
    mean[i] = 1 + m;
    second[i] = 2 * mean[i] - 1 + s;
    stds[i] = Math.sqrt(Math.max(second[i] - mean[i] ** 2, 0));
  }
  const kept = (values) => ({ bins, values: Float32Array.from(values) });
  return { cubeless: kept(cubeless), opponent: kept(opponent), owned: kept(waitsOwned), centred: kept(waitsCentred), stds };
}

/**
 * Visit all pairs of bins in ascending order, so that all pairs that can follow are known.
 */
function inOrder(bins, visit) {
  for (let larger = 1; larger < bins; larger++) {
    for (let smaller = 1; smaller < larger; smaller++) visit(larger, smaller);
    for (let smaller = 1; smaller <= larger; smaller++) visit(smaller, larger);
  }
}

/**
 * Values of gammons, added to games that a side wins by bearing off, by the state of the
 * cube; see bearoff/race_model/typical.py.
 * @param {Falls} falls
 * @param {number} bins
 * @param {boolean} jacoby
 * @returns {Record<"opponent" | "owned" | "centred", Companions>}
 */
export function solveCompanions({ chances, width, first, last }, bins, jacoby) {
  const state = () => {
    const planes = Object.fromEntries(["value", "waits", "won", "lost", "waitingWon", "waitingLost"]
      .map((name) => [name, new Float64Array(bins * bins)]));
    for (const name of ["value", "waits"]) {
      for (let x = 0; x < bins; x++) planes[name][x] = 1;
      for (let x = 0; x < bins; x++) planes[name][x * bins] = -1;
    }
    return planes;
  };
  const opponent = state(), owned = state(), centred = state();
  const wait = (x, y, gammon, theirs, mine) => {
    let value = 0, won = 0, lost = 0;
    for (let fall = first[x]; fall < last[x]; fall++) {
      const chance = chances[x * width + fall], after = y * bins + x - fall;
      if (fall === x) {
        value += chance;
        won += chance * gammon;
      } else {
        value -= chance * theirs.value[after];
        won += chance * theirs.lost[after];
        lost += chance * theirs.won[after];
      }
    }
    const at = x * bins + y;
    mine.waits[at] = mine.value[at] = value;
    mine.waitingWon[at] = mine.won[at] = won;
    mine.waitingLost[at] = mine.lost[at] = lost;
  };
  const double = (x, y, mine) => {
    const at = x * bins + y, taken = 2 * opponent.value[at];
    if (Math.min(taken, 1) < mine.waits[at]) return;
    mine.value[at] = Math.min(taken, 1);
    mine.won[at] = taken > 1 ? 0 : 2 * opponent.won[at];
    mine.lost[at] = taken > 1 ? 0 : 2 * opponent.lost[at];
  };
  inOrder(bins, (x, y) => {
    wait(x, y, 1, owned, opponent);
    wait(x, y, 1, opponent, owned);
    double(x, y, owned);
    wait(x, y, jacoby ? 0 : 1, centred, centred);
    double(x, y, centred);
  });
  const kept = (values) => ({ bins, values: Float32Array.from(values) });
  const companions = (of) =>
    ({ won: kept(of.won), lost: kept(of.lost), waitingWon: kept(of.waitingWon), waitingLost: kept(of.waitingLost) });
  return { opponent: companions(opponent), owned: companions(owned), centred: companions(centred) };
}

/**
 * Read a value at two EPCs in pips; a side with checkers needs at least one roll.
 * @param {Plane} plane
 */
export function readPlane(plane, x, y) {
  return between(plane, binsOf(x), binsOf(y));
}

const binsOf = (epc) => (epc > 0 ? Math.max(epc, PIPS_PER_ROLL) / STEP : 0);

/** @param {Plane} plane */
function between({ bins, values }, x, y) {
  const i = Math.min(Math.trunc(x), bins - 2), j = Math.min(Math.trunc(y), bins - 2);
  const u = x - i, v = y - j, at = i * bins + j;
  const low = (1 - v) * values[at] + v * values[at + 1];
  const high = (1 - v) * values[at + bins] + v * values[at + bins + 1];
  return (1 - u) * low + u * high;
}

/**
 * Return the number of pips that, added to `x` and subtracted from `y`, gives a win
 * probability.
 * @param {Plane} plane Cubeless.
 */
export function leadTo(plane, x, y, chance) {
  if (x < PIPS_PER_ROLL || y < PIPS_PER_ROLL) return 0;
  return STEP * leadInBins(plane, x / STEP, y / STEP, PIPS_PER_ROLL / STEP, 2 * chance - 1);
}

function leadInBins(plane, x, y, lowest, equity) {
  const here = between(plane, x, y);
  if (here === equity) return 0;
  // A larger EPC of the roller lowers the roller's equity.
  const sign = here > equity ? 1 : -1;
  const [longer, shorter] = sign > 0 ? [x, y] : [y, x];
  const room = Math.max(Math.min(plane.bins - 1 - longer, shorter - lowest), 0);
  const beyond = (bins) => sign * (between(plane, x + sign * bins, y - sign * bins) - equity);
  let near = 0, far = Math.min(1, room), above = sign * (here - equity), under = beyond(far);
  while (far < room && under > 0) {
    [near, far, above] = [far, Math.min(2 * far, room), under];
    under = beyond(far);
  }
  if (under > 0) return sign * far;
  let steps = 1;
  while ((far - near) / steps > 1e-6) steps *= 2;
  const step = (far - near) / steps;
  let first = 0, last = steps;
  for (let tries = 0; last - first > 1; tries++) {
    const share = tries < 12 ? above / (above - under) : 0.5;
    const middle = Math.min(Math.max(first + Math.trunc((last - first) * share), first + 1), last - 1);
    const value = beyond(near + middle * step);
    if (value > 0) [first, above] = [middle, value];
    else [last, under] = [middle, value];
  }
  return sign * (near + last * step);
}

/**
 * Return the number of pips to add to `x` and subtract from `y` for given standard
 * deviations of both sides' number of rolls.
 */
export function shiftTo(stds, x, y, stdX, stdY) {
  const typical = (epc) => {
    const i = Math.min(Math.trunc(epc / STEP), stds.length - 2);
    return ((stds[i + 1] - stds[i]) / ((i + 1) * STEP - i * STEP)) * (epc - i * STEP) + stds[i];
  };
  const actual = Math.hypot(stdX, stdY), shorter = Math.min(x, y);
  const even = actual > 0 ? Math.hypot(typical(x), typical(y)) / actual : 1;
  const share = Math.min(Math.max((shorter - 10) / 10, 0), 1);
  const found = ((y - x + PIPS_PER_ROLL / 2) * (1 - even) * share) / 2;
  const shortest = Math.min(PIPS_PER_ROLL, shorter), longest = (stds.length - 1) * STEP;
  const low = Math.max(shortest - x, y - longest), high = Math.min(longest - x, y - shortest);
  return Math.min(Math.max(found, low), high);
}

/** Win probability of optimal play, estimated from that of fewest-rolls play. */
export function optimalChance(chance, x, y) {
  const epc = (x + y) / 2, share = Math.min(Math.max((epc - 15) / 15, 0), 1);
  const pips = (share * 0.27) / Math.max(epc, 15);
  return chance - pips * (2 * chance - 1) * Math.sqrt(chance * (1 - chance));
}
