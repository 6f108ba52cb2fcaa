// Number of rolls of one side: exact with all checkers home, otherwise by the bear-in model
// (see bearoff/bear_in). Also the number of rolls with play that saves the gammon.
// @ts-check

import { arrayOf } from "./npy.js";
import { checkersOf, positionCount } from "./numbering.js";
import { PIPS_PER_ROLL } from "./plays.js";
import { homeNumber, isHome } from "./sides.js";

/** @typedef {import("./plays.js").Side} Side */
/** @typedef {import("./npy.js").Read} Read */
/**
 * @typedef {{ side: Side, checkers: number, outside: number, back: number, number: number,
 * mean: number, std: number }} Known A side: `outside` counts checkers outside the home
 * board, `back` those in the opponent's home board.
 */

const ALL = 15, HOME = 6, LAST_SIX = 18, TRIPLES = 8, CODES = 4096, HIDDEN = 32;
const CEILING = 1024; // Upper limit of the sums before they are weighted; the lower limit is 0.
const PIP = 2 ** 23, OUTPUT_SCALE = 64, VARIANCE_UNITS = 2 ** 20;
const GROUPS = [0, 0, 1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7]; // Group of the model, by the number of checkers outside the home board.
export const LAST = 1 / 32; // In the saving model: weight of the mean rolls to bear off all checkers, which is added to the mean rolls to the first one off.

/**
 * Index of each code for the checkers on three points, among the codes of at most 15
 * checkers.
 */
const PLACES = new Int32Array(CODES).fill(-1);
for (let code = 0, place = 0; code < CODES; code++) {
  if ((code >> 8) + ((code >> 4) & 15) + (code & 15) <= ALL) PLACES[code] = place++;
}
const ROWS = PLACES.reduce((a, b) => Math.max(a, b)) + 1;

/**
 * Mean and standard deviation of the number of rolls of sides with checkers outside the
 * home board.
 */
class Beyond {
  /** @param {Read} read @param {string} name */
  static async open(read, name) {
    const parts = ["rows", "lines", "weights", "start", "variance", "constants"];
    const arrays = await Promise.all(parts.map(async (part) => arrayOf(await read(`${name}-${part}.npy`))));
    return new Beyond(...arrays);
  }

  constructor(rows, lines, weights, start, variance, constants) {
    this.rows = rows;
    this.lines = lines;
    this.weights = weights;
    this.start = start;
    this.variance = variance;
    this.constants = constants;
  }

  /** @param {Side} side @param {number} outside @returns {[number, number]} */
  of(side, outside) {
    const sums = Int32Array.from(this.start);
    let [line, variance] = this.constants, pips = 0;
    for (let triple = 0; triple < TRIPLES; triple++) {
      let code = 0;
      for (let point = 3 * triple; point < 3 * triple + 3; point++) {
        code = 16 * code + side[point];
        pips += (point + 1) * side[point];
      }
      if (!code) continue;
      const row = triple * ROWS + PLACES[code];
      line += this.lines[row];
      variance += this.variance[row];
      for (let h = 0; h < HIDDEN; h++) sums[h] += this.rows[row * HIDDEN + h];
    }
    const group = GROUPS[outside] * HIDDEN;
    let total = 0;
    for (let h = 0; h < HIDDEN; h++) total += this.weights[group + h] * Math.min(Math.max(sums[h], 0), CEILING);
    const score = pips * PIP + (total + line) * OUTPUT_SCALE;
    return [score / (PIPS_PER_ROLL * PIP), Math.sqrt(Math.max(0, variance) / VARIANCE_UNITS)];
  }
}

export class BearIn {
  /** @param {Read} read @param {import("./sides.js").Home} home */
  static async open(read, home) {
    const [player, saver, idle, first] = await Promise.all([Beyond.open(read, "bear_in"), Beyond.open(read, "saving"),
      read("idle.npy").then(arrayOf), read("first_off.npy").then(arrayOf)]);
    return new BearIn(home, player, saver, idle, first);
  }

  constructor(home, player, saver, idle, first) {
    this.home = home;
    this.player = player;
    this.saver = saver;
    this.full = positionCount(HOME, ALL - 1); // Number of the first position from which no checker has been borne off.
    this.idle = idle;
    this.idleColumns = idle.length / first.length;
    this.firstOff = first;
  }

  /** @param {Side} side @returns {Known} */
  known(side) {
    const checkers = checkersOf(side), outside = checkersOf(side.slice(HOME)), back = checkersOf(side.slice(LAST_SIX));
    const number = outside ? 0 : homeNumber(side);
    const [mean, std] = outside ? this.player.of(side, outside) : [this.home.means[number], this.home.stds[number]];
    return { side, checkers, outside, back, number, mean, std };
  }

  /** @param {Side} side In pips. */
  epc(side) {
    return (isHome(side) ? this.home.means[homeNumber(side)] : this.player.of(side, checkersOf(side.slice(HOME)))[0]) * PIPS_PER_ROLL;
  }

  /**
   * Probability that a side of 15 checkers at home, which plays to save the gammon, has
   * borne off no checker after a number of rolls.
   */
  idleAfter(number, rolls) {
    return rolls < this.idleColumns ? this.idle[(number - this.full) * this.idleColumns + rolls] : 0;
  }

  /**
   * Mean and variance of the number of rolls until a side of 15 checkers, which saves the
   * gammon, bears off its first checker.
   * @param {Known} known
   */
  saving({ side, outside, number, mean }) {
    if (outside) {
      const [played, std] = this.saver.of(side, outside);
      return [played - LAST * mean, std ** 2];
    }
    const first = this.firstOff[number - this.full];
    let squares = 0;
    for (let n = 0; n < this.idleColumns; n++) squares += this.idleAfter(number, n) * (2 * n + 1);
    // The saving model's mean includes LAST times the mean rolls to bear off all checkers.
    // The sum is rounded here in the same way.
    return [first + LAST * mean - LAST * mean, Math.sqrt(Math.max(squares - first ** 2, 0)) ** 2];
  }
}
