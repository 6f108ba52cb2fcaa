// Distributions of the number of rolls of sides with all checkers home, computed from the
// fewest-rolls plays of the one-sided table.
// @ts-check

import { arrayOf } from "./npy.js";
import { checkersOf, rank } from "./numbering.js";
import { ROLLS, THROWS, WEIGHTS } from "./plays.js";

const POINTS = 6;

/** @typedef {import("./plays.js").Side} Side */

export class Home {
  /** @param {import("./npy.js").Read} read */
  static async open(read) {
    return new Home(/** @type {Uint16Array} */ (arrayOf(await read("policy.npy"))));
  }

  /** @param {Uint16Array} policy By position and roll. */
  constructor(policy) {
    this.policy = policy;
    const size = policy.length / ROLLS.length;
    const most = new Uint8Array(size); // Maximum number of rolls that a side can need.
    for (let x = 1; x < size; x++) {
      let longest = 0;
      for (let roll = 0; roll < ROLLS.length; roll++) longest = Math.max(longest, most[policy[ROLLS.length * x + roll]]);
      most[x] = longest + 1;
    }
    this.mostRolls = most;
    this.columns = most.reduce((a, b) => Math.max(a, b), 0) + 1;
    const { columns } = this;
    /** Distributions of the number of rolls, which are computed when they are needed. */
    const exactly = new Float64Array(size * columns);
    this.means = new Float64Array(size);
    this.stds = new Float64Array(size);
    exactly[0] = 1;
    for (let x = 1; x < size; x++) {
      const row = x * columns;
      for (let roll = 0; roll < ROLLS.length; roll++) {
        const y = policy[ROLLS.length * x + roll], share = WEIGHTS[roll] / THROWS;
        for (let n = 0; n <= most[y]; n++) exactly[row + n + 1] += share * exactly[y * columns + n];
      }
      let mean = 0, variance = 0;
      for (let n = 0; n <= most[x]; n++) mean += n * exactly[row + n];
      for (let n = 0; n <= most[x]; n++) variance += (n - mean) ** 2 * exactly[row + n];
      this.means[x] = mean;
      this.stds[x] = Math.sqrt(variance);
    }
    this.exactly = exactly;
  }

  /** Probabilities of a side needing exactly 0, 1, ... rolls. @param {number} number */
  row(number) {
    const start = number * this.columns;
    return this.exactly.subarray(start, start + this.mostRolls[number] + 1);
  }

  /**
   * Whether one side bears off first whatever the dice, although a double bears off up to
   * four checkers.
   * @param {Side} mine
   * @param {Side} theirs
   */
  surelyOver(mine, theirs) {
    const [x, y] = [rank(mine, POINTS), rank(theirs, POINTS)];
    return this.mostRolls[x] <= Math.ceil(checkersOf(theirs) / 4) || this.mostRolls[y] < Math.ceil(checkersOf(mine) / 4);
  }
}

/** Whether all checkers are home or borne off. @param {Side} side */
export const isHome = (side) => !side.slice(POINTS).some(Boolean);

/** Position number of a side whose checkers are all home. @param {Side} side */
export const homeNumber = (side) => rank(side, POINTS);
