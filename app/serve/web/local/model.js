// The fast model's equities of any race for money, with their errors. Each side is replaced
// by a typical one, and gammons are added; see bearoff/sources/model.py. The model is a
// source for judge.js.
// @ts-check

import { BearIn } from "./bear_in.js";
import { STEP, fallsOf, leadTo, optimalChance, readPlane, shiftTo, solveChain, solveCompanions } from "./chain.js";
import { backgammonChance, gammonChance, surelyWon } from "./gammons.js";
import { arrayOf } from "./npy.js";
import { PIPS_PER_ROLL } from "./plays.js";
import { Values, windowOf } from "./values.js";

/** @typedef {import("./plays.js").Side} Side */
/** @typedef {import("./values.js").Terms} Terms */
/** @typedef {{ x: number, y: number, wins: number, won: number, lost: number, backWon: number, backLost: number, sure: number,
 * errors: number[] }} Matched `errors`: those of the equity without a double, of the equity after a double and a
 * take, of the win probability, and of the equity of a play. */

/**
 * Measured errors of the model, written by `app/serve/site`.
 * @typedef {{ bins: number, tie: number, errors: number[], gammon_error: number,
 *   backgammon_error: number, play_share: number, no_gammon: number,
 *   zones: { checkers: number[], epc: number[], errors: number[][][][] } }} Stated
 */

const ALL = 15;
const SPARE = 48, BLOCK = 64; // Number of bins beyond the longest side, and number of bins that are added at a time.
const APART = 0.1; // Distance between typical opponents in a window, in pips of EPC.

export class Model {
  /** @param {import("./npy.js").Read} read @param {import("./sides.js").Home} home */
  static async open(read, home) {
    const [sides, chances, stated] = await Promise.all([BearIn.open(read, home), read("falls.npy").then(arrayOf),
      read("stated.json").then((bytes) => JSON.parse(new TextDecoder().decode(bytes)))]);
    return new Model(sides, /** @type {Float64Array} */ (chances), stated);
  }

  /** @param {BearIn} sides @param {Float64Array} chances @param {Stated} stated */
  constructor(sides, chances, stated) {
    this.kind = /** @type {const} */ ("model");
    this.sides = sides;
    this.stated = stated;
    this.falls = fallsOf(chances, stated.bins);
    this.chain = solveChain(this.falls, stated.bins);
    this.largest = (stated.bins - 1) * STEP;
    /**
     * @type {Map<boolean, { bins: number, planes: ReturnType<typeof solveCompanions> }>}
     * Values of gammons, by whether the Jacoby rule applies.
     */
    this.companions = new Map();
  }

  /** EPC in pips. @param {Side} side */
  epc(side) {
    return this.sides.epc(side);
  }

  /** @param {Side[]} rollers @param {Side[]} opponents @param {number} owner @param {Terms} terms */
  async values(rollers, opponents, owner, terms) {
    const matched = rollers.map((side, k) => this.#match(side, opponents[k]));
    const found = this.#filled(matched, owner, terms);
    matched.forEach((one, k) => {
      if (one.sure) this.#settle(found, k, one.sure);
    });
    return found;
  }

  /**
   * Doubling window against typical opponents, one of which is the opponent in the race.
   * @param {import("./judge.js").Race} race
   * @param {Values} own Of the race.
   */
  window({ roller, owner, terms }, own) {
    const x = this.sides.epc(roller), count = Math.ceil((this.largest - PIPS_PER_ROLL) / APART);
    const typical = Array.from({ length: count }, (_, i) => {
      const y = PIPS_PER_ROLL + i * APART;
      return { x, y, wins: (readPlane(this.chain.cubeless, x, y) + 1) / 2, won: 0, lost: 0, backWon: 0, backLost: 0, sure: 0, errors: this.stated.errors };
    });
    const against = windowOf(this.#filled(typical, owner, terms), 0), here = windowOf(own, 0);
    const edge = (name, better) => [against[name], here[name]].filter((one) => one !== null).reduce((a, b) => (a === null ? b : better(a, b)), null);
    return {
      first_double: edge("first_double", Math.min), last_no_double: edge("last_no_double", Math.max),
      first_pass: edge("first_pass", Math.min), last_take: edge("last_take", Math.max),
      first_too_good: edge("first_too_good", Math.min), by_model: true,
    };
  }

  /**
   * Return the typical sides that stand for the sides of a race, and its win probability.
   * @returns {Matched}
   */
  #match(roller, opponent) {
    const mine = this.sides.known(roller), theirs = this.sides.known(opponent);
    let x = mine.mean * PIPS_PER_ROLL, y = theirs.mean * PIPS_PER_ROLL, wins;
    const { cubeless, stds } = this.chain;
    if (mine.outside || theirs.outside) {
      const shift = shiftTo(stds, x, y, mine.std, theirs.std);
      [x, y] = [x + shift, y - shift];
      wins = (readPlane(cubeless, x, y) + 1) / 2;
    } else {
      const chance = this.#offFirst(mine.number, theirs.number);
      wins = optimalChance(chance, x, y);
      const lead = leadTo(cubeless, x, y, chance);
      [x, y] = [x + lead, y - lead];
    }
    const sure = surelyWon(this.sides, mine, theirs), errors = this.#errors(mine, theirs, Math.min(x, y));
    const found = { x, y, wins, won: 0, lost: 0, backWon: 0, backLost: 0, sure, errors };
    if (Math.max(mine.checkers, theirs.checkers) < ALL) return found;
    found.backWon = backgammonChance(this.sides, mine, theirs, 1);
    found.won = Math.max(found.backWon, gammonChance(this.sides, mine, theirs, 1));
    found.backLost = backgammonChance(this.sides, theirs, mine, 0);
    found.lost = Math.max(found.backLost, gammonChance(this.sides, theirs, mine, 0));
    return found;
  }

  /** Win probability of the roller if both sides play for the fewest rolls. */
  #offFirst(x, y) {
    const mine = this.sides.home.row(x), theirs = this.sides.home.row(y);
    let total = 0, later = 0;
    for (let n = Math.max(mine.length, theirs.length) - 1; n >= 0; n--) {
      later += theirs[n] ?? 0;
      total += (mine[n] ?? 0) * later;
    }
    return Math.min(total, 1);
  }

  /** @param {Matched[]} matched @param {number} owner @param {Terms} terms */
  #filled(matched, owner, terms) {
    const { tie, backgammon_error: backgammonError } = this.stated;
    const found = new Values(terms, owner, matched.length, tie);
    const cube = /** @type {"opponent" | "owned" | "centred"} */ ({ 1: "owned", 0: "centred", "-1": "opponent" }[owner]);
    const threatened = matched.filter(({ won, lost }) => won > 0 || lost > 0);
    const planes = threatened.length && terms.hasCube ? this.#companionsTo(Math.max(...threatened.flatMap(({ x, y }) => [x, y])), terms.jacoby) : null;
    matched.forEach((one, k) => {
      const { x, y, wins, won, lost, backWon, backLost, errors } = one;
      [found.wins[k], found.winsError[k]] = [wins, errors[2]];
      found.gammonsWon[k] = Math.min(won, wins);
      found.gammonsLost[k] = Math.min(lost, 1 - wins);
      found.playError[k] = Math.max(won, lost) > this.stated.no_gammon ? NaN : errors[3];
      const counts = Number(!terms.jacoby || owner !== 0);
      if (!terms.hasCube) {
        found.noDouble[k] = 2 * wins - 1 + counts * (won + backWon - lost - backLost);
        found.noDoubleError[k] = 2 * errors[2] + counts * backgammonError * (won + backWon + lost + backLost);
        return;
      }
      found.noDouble[k] = readPlane(this.chain[cube], x, y);
      found.noDoubleError[k] = errors[0];
      if (found.mayDouble) {
        found.doubleTake[k] = 2 * readPlane(this.chain.opponent, x, y);
        found.doubleTakeError[k] = errors[1];
      }
      if (!(won > 0 || lost > 0)) return;
      const waits = this.#withGammons(one, found.noDouble[k], 1, counts, planes[cube].waitingWon, planes[cube].waitingLost, found.mayDouble, owner !== 1);
      found.noDouble[k] = waits.value;
      found.noDoubleError[k] += waits.error;
      if (!found.mayDouble) return;
      const taken = this.#withGammons(one, found.doubleTake[k], 2, 1, planes.opponent.won, planes.opponent.lost, false, true);
      found.doubleTake[k] = taken.value;
      found.doubleTakeError[k] += taken.error;
    });
    return found;
  }

  /**
   * Return an equity with gammons; a side plays on for a gammon instead of cashing if that
   * is better.
   * @param {Matched} one
   */
  #withGammons({ x, y, wins, won, lost, backWon, backLost }, value, cube, counts, wonPlane, lostPlane, playsOn, passes) {
    // A backgammon adds the value of a gammon once more.
    const mine = won + backWon, theirs = lost + backLost;
    if (wins > 0) value += (mine / wins) * cube * readPlane(wonPlane, x, y);
    if (wins < 1) value -= (theirs / (1 - wins)) * cube * readPlane(lostPlane, x, y);
    const worth = mine * cube * counts, risk = theirs * cube * counts;
    const dead = wins * cube - (1 - wins) * cube + worth - risk;
    if (playsOn && dead > 1) value = Math.max(value, dead);
    if (passes && dead < -cube) value = Math.min(value, dead);
    const { gammon_error: gammon, backgammon_error: backgammon } = this.stated;
    return { value, error: (backWon + backLost > 0 ? backgammon : gammon) * (worth + risk) };
  }

  /** Values of gammons between typical sides up to an EPC. */
  #companionsTo(longest, jacoby) {
    const needed = Math.ceil((Math.trunc(longest / STEP) + SPARE) / BLOCK) * BLOCK;
    let known = this.companions.get(jacoby);
    if (!known || known.bins < Math.min(needed, this.stated.bins)) {
      const bins = Math.min(needed, this.stated.bins);
      known = { bins, planes: solveCompanions(this.falls, bins, jacoby) };
      this.companions.set(jacoby, known);
    }
    return known.planes;
  }

  /**
   * Return errors that the equities rarely exceed, by the class of the race.
   * @returns {number[]}
   */
  #errors(mine, theirs, shorter) {
    const { checkers, epc, errors } = this.stated.zones, larger = Math.max(mine.checkers, theirs.checkers);
    const few = checkers.findIndex((most) => larger <= most), band = epc.filter((from) => from <= shorter).length;
    return errors[mine.outside || theirs.outside ? 1 : 0][few][band];
  }

  /** Equity of a race that is already decided, with the cube as it is or after a take. */
  #settle(found, k, points) {
    const wins = points > 0, gammon = Math.abs(points) > 1;
    const counts = found.owner !== 0 || !found.terms.jacoby;
    found.wins[k] = Number(wins);
    found.winsError[k] = found.noDoubleError[k] = 0;
    found.playError[k] = NaN;
    found.gammonsWon[k] = Number(wins && gammon);
    found.gammonsLost[k] = Number(!wins && gammon);
    found.noDouble[k] = counts ? points : Math.sign(points);
    if (!found.mayDouble) return;
    found.doubleTake[k] = 2 * points;
    found.doubleTakeError[k] = 0;
  }
}
