// Answers to races for money: equities, plays, the 21 rolls, market losers and the doubling
// window. Equities come from the first table that contains the race, or else from the fast
// model.
// @ts-check

import { checkersOf, positionCount, rank, unrank } from "./numbering.js";
import { PIPS_PER_ROLL, ROLLS, THROWS, WEIGHTS, nameOf, sidesAfter } from "./plays.js";
import { homeNumber, isHome } from "./sides.js";
import { Values, windowOf } from "./values.js";

/** @typedef {import("./plays.js").Side} Side */
/** @typedef {import("./values.js").Terms} Terms */
/** @typedef {{ roller: Side, opponent: Side, owner: number, terms: Terms, dice: [number, number] | null }} Race */
/**
 * Source of the equities of races before the roll.
 * @typedef {{ kind: "exact" | "model", epc: (side: Side) => number,
 *   values: (rollers: Side[], opponents: Side[], owner: number, terms: Terms) => Promise<Values> }} Source
 */

export const ALL = 15;
export const HOME = 6;
const LARGE = 10_000; // Number of positions above which fewer values are read from a table.
const ROUNDING = 1e-9;
const OUTCOMES = ["won", "too good", "double, pass", "double, take", "no double", "opponent doubles", "lost"];
const LOSERS = 3; // Number of outcomes in which the market is lost; they are the first ones in `OUTCOMES`.

/** Source of exact equities from a two-sided table. */
export class TableSource {
  /**
   * @param {import("./planes.js").PairTable} table
   * @param {import("./sides.js").Home} home
   */
  constructor(table, home) {
    this.kind = /** @type {const} */ ("exact");
    this.table = table;
    this.home = home;
  }

  /** @param {Side[]} sides */
  holds(...sides) {
    const { points, checkers } = this.table;
    return sides.every((side) => checkersOf(side) <= checkers && !side.slice(points).some(Boolean));
  }

  /** EPC in pips; all sides in a table have their checkers at home. @param {Side} side */
  epc(side) {
    return this.home.means[homeNumber(side)] * PIPS_PER_ROLL;
  }

  /** Whether reading many values takes long, because the files are loaded in parts. */
  get isLarge() {
    return positionCount(this.table.points, this.table.checkers) > LARGE;
  }

  async values(rollers, opponents, owner, terms) {
    const { table } = this;
    const cube = { 1: "owned", 0: "centred", "-1": "opponent" }[owner];
    let plane = terms.jacoby && cube === "centred" && table.hasFull ? "jacoby" : cube;
    if (!terms.hasCube) plane = table.hasFull && plane !== "jacoby" ? "points" : "cubeless";
    const gammons = table.hasFull ? ["gammons_won", "gammons_lost"] : [];
    const [x, y] = [rollers, opponents].map((sides) => sides.map((side) => rank(side, table.points)));
    const found = new Values(terms, owner, x.length);
    const taken = found.mayDouble ? ["opponent"] : [];
    const [cubeless, waits, ...more] = await table.stored(["cubeless", plane, ...taken, ...gammons], x, y);
    found.wins = cubeless.map((value) => (1 + value) / 2);
    found.noDouble = waits;
    // The error is that of the win probability p, which is half that of the equity 2p - 1.
    found.noDoubleError.fill(table.error(terms.hasCube ? cube : plane) * (!terms.hasCube && plane === "cubeless" ? 2 : 1));
    found.winsError.fill(table.error("cubeless"));
    if (found.mayDouble) {
      found.doubleTake = more.shift().map((value) => 2 * value);
      found.doubleTakeError.fill(2 * table.error("opponent"));
    }
    if (table.hasFull) [found.gammonsWon, found.gammonsLost] = more;
    for (let k = 0; k < x.length; k++) {
      const open = found.wins[k] > 0 && found.wins[k] < 1;
      if (open || found.gammonsWon[k] || found.gammonsLost[k] || !isHome(rollers[k]) || !isHome(opponents[k])) continue;
      if (this.home.surelyOver(rollers[k], opponents[k])) found.noDoubleError[k] = found.winsError[k] = 0;
    }
    return found;
  }
}

/**
 * Play with its equity. Equal plays are sorted by win probability, and then by mean number
 * of rolls. `apart` is the error of the difference from another play, or NaN if it is
 * unknown.
 * @typedef {{ after: Side, equity: number, error: number, apart: number, wins: number }} Play
 */

/**
 * Rate the plays of one race, given the roller's side after each play.
 * @param {Source} source
 * @param {Race} race
 * @param {Side[]} sides
 * @returns {Promise<{ plays: Play[], tie: number }>}
 */
async function playValues(source, race, sides) {
  const left = sides.filter((side) => side.some(Boolean));
  const found = await source.values(left.map(() => race.opponent), left, -race.owner, race.terms);
  let next = 0;
  const plays = sides.map((after) => {
    if (!after.some(Boolean)) return { after, equity: pointsWon(race), error: 0, apart: NaN, wins: 1 };
    const { equity, error } = found.row(next), apart = found.playError[next];
    return { after, equity: -equity, error, apart, wins: 1 - found.wins[next++] };
  });
  return { plays, tie: Math.max(ROUNDING, found.tie) };
}

/** Points won by a roller whose checkers are all borne off. @param {Race} race */
function pointsWon({ opponent, owner, terms }) {
  const counts = checkersOf(opponent) === ALL && (owner !== 0 || !terms.jacoby);
  return 1 + Number(counts) + Number(counts && opponent.slice(18).some(Boolean));
}

export class Judge {
  /**
   * @param {TableSource[]} tables The first that holds a race values it.
   * @param {() => Promise<import("./model.js").Model>} model
   */
  constructor(tables, model) {
    this.tables = tables;
    this.model = model;
  }

  /** @param {Race} race @returns {Promise<Source>} */
  async source({ roller, opponent }) {
    return this.tables.find((table) => table.holds(roller, opponent)) ?? this.model();
  }

  /**
   * Return the plays of a roll, with the best one first. @param {Source} source @param
   * {Race} race
   */
  async plays(source, race) {
    const { plays, tie } = await playValues(source, race, sidesAfter(race.roller, race.dice));
    return this.#chosen(source, race, race.dice, this.#ranking(source, plays, tie), this.#ranking(source, plays, tie), tie);
  }

  /** Return plays sorted from best to worst. */
  #ranking(source, plays, tie) {
    const best = Math.max(...plays.map((play) => play.equity));
    const keys = plays.map((play, place) => ({
      play, place, cost: play.equity >= best - tie ? 0 : best - play.equity,
      loses: Math.round((1 - play.wins) / ROUNDING), epc: round6(source.epc(play.after)),
    }));
    keys.sort((a, b) => a.cost - b.cost || a.loses - b.loses || a.epc - b.epc || a.place - b.place);
    return keys.map(({ play }) => play);
  }

  /**
   * Return plays with their names and their costs compared with the best one; see
   * cost_and_error in bearoff/sources/plays.py.
   */
  #chosen(source, race, dice, ranking, chosen, tie) {
    const [best, ...others] = ranking, most = Math.max(...ranking.map((play) => play.equity));
    const off = ranking.some((play) => !play.after.some(Boolean));
    const errorOf = (play) => off || Number.isNaN(play.apart) ? play.error + best.error : play.apart + source.stated.play_share * (most - play.equity);
    const costOf = ({ equity }) => (best.equity - equity > tie ? best.equity - equity : 0);
    const better = Math.max(0, ...others.map((play) => errorOf(play) - costOf(play)));
    return chosen.map((play) => {
      return {
        name: nameOf(race.roller, dice, play.after), after: play.after, equity: play.equity,
        cost: costOf(play), error: play === best ? better : errorOf(play),
        equity_error: play.error, wins: play.wins,
        kind: source.kind === "model" && !play.error ? "exact" : source.kind,
      };
    });
  }

  /**
   * Return the 21 rolls with their best plays; `market` is the return value of `market`, or
   * null.
   */
  async rolls(source, race, market) {
    const after = ROLLS.map((roll) => sidesAfter(race.roller, roll));
    const { plays, tie } = await playValues(source, race, after.flat());
    let first = 0;
    const rolls = ROLLS.map((dice, roll) => {
      const own = plays.slice(first, (first += after[roll].length));
      const ranking = this.#ranking(source, own, tie);
      const most = own.reduce((a, b) => (b.wins > a.wins ? b : a));
      const mostWins = ranking[0].wins >= most.wins - tie ? ranking[0] : most;
      const [best, wins, second] = this.#chosen(source, race, dice, ranking, [ranking[0], mostWins, ...ranking.slice(1, 2)], tie);
      return {
        dice, chance: WEIGHTS[roll] / THROWS, best_play: best.name, after: best.after, best_equity: best.equity,
        best_error: best.equity_error, second_play: second?.name ?? null, second_cost: second?.cost ?? null,
        most_wins: wins.name, win_probability: best.wins, luck: 0,
        losing: market && chanceOf(market[roll], (outcome) => outcome.kind < LOSERS),
        outcomes: market && Object.fromEntries(OUTCOMES.map((name, kind) =>
          [name, chanceOf(market[roll], (outcome) => outcome.kind === kind)]).filter(([, chance]) => chance)),
      };
    });
    const mean = rolls.reduce((sum, { best_equity, chance }) => sum + best_equity * chance, 0);
    for (const roll of rolls) roll.luck = roll.best_equity - mean;
    return rolls;
  }

  /**
   * Return the effect of each sequence of two rolls if the cube is not turned: the outcome
   * by own roll and reply, and whether it is uncertain because of errors.
   * @param {Source} source
   * @param {Race} race
   */
  async market(source, race) {
    const after = await this.#bestAfter(source, race);
    const outcomes = ROLLS.map(() => ROLLS.map(() => ({ kind: 0, close: false })));
    let on = after.flatMap((side, roll) => (side.some(Boolean) ? [roll] : []));
    if (race.owner === 0 && on.length) {
      const theirs = await source.values(on.map(() => race.opponent), on.map((roll) => after[roll]), 0, race.terms);
      const rows = theirs.rows();
      on.forEach((roll, k) => outcomes[roll].forEach((outcome) => (outcome.close = rows[k].doubleTooClose)));
      const doubles = rows.map((row) => row.doubles && !row.noMatter);
      on.forEach((roll, k) => doubles[k] && outcomes[roll].forEach((outcome) => (outcome.kind = 5)));
      on = on.filter((_, k) => !doubles[k]);
    }
    const replies = await Promise.all(on.map((roll) =>
      this.#bestAfter(source, { ...race, roller: race.opponent, opponent: after[roll], owner: -race.owner })));
    const reached = on.flatMap((own, k) => replies[k].map((side, reply) => ({ own, reply, side })));
    const left = reached.filter(({ side }) => side.some(Boolean));
    for (const { own, reply } of reached) outcomes[own][reply].kind = 6;
    const then = left.length ? await source.values(left.map(({ own }) => after[own]), left.map(({ side }) => side), race.owner, race.terms) : null;
    left.forEach(({ own, reply }, k) => {
      const row = then.row(k), outcome = outcomes[own][reply];
      outcome.kind = row.doubles ? (row.takes ? 3 : 2) : row.tooGood ? 1 : 4;
      outcome.close ||= row.tooClose;
    });
    return outcomes;
  }

  /** Return the roller's side after the best play of each roll. */
  async #bestAfter(source, race) {
    const after = ROLLS.map((roll) => sidesAfter(race.roller, roll));
    const { plays, tie } = await playValues(source, race, after.flat());
    let first = 0;
    return after.map((sides) => this.#ranking(source, plays.slice(first, (first += sides.length)), tie)[0].after);
  }

  /**
   * Return the doubling window. It is computed from all opponents in the table with at most
   * as many checkers as in the race; without a table, from typical opponents in the model.
   * @param {Source} source
   * @param {Race} race
   * @param {Values} values Of the race.
   */
  async window(source, race, values) {
    if (!(source instanceof TableSource) || source.isLarge) return (await this.model()).window(race, values);
    const { points } = source.table;
    const highest = Math.max(...[race.roller, race.opponent].map((side) => side.findLastIndex(Boolean) + 1));
    const on = Math.min(points, Math.max(HOME, highest));
    const most = Math.min(source.table.checkers, Math.max(checkersOf(race.roller), checkersOf(race.opponent)));
    const opponents = Array.from({ length: positionCount(on, most) - 1 }, (_, i) => wide(unrank(i + 1, on)));
    const found = await source.values(opponents.map(() => race.roller), opponents, race.owner, race.terms);
    return { ...windowOf(found), by_model: false };
  }
}

/** Return the market losers, with the fields of an answer. */
export function marketFields(outcomes) {
  const ways = OUTCOMES.map((_, kind) => WEIGHTS.reduce((sum, weight, own) =>
    sum + weight * THROWS * chanceOf(outcomes[own], (outcome) => outcome.kind === kind), 0));
  const shares = ways.map((way) => Math.round(way) / THROWS ** 2);
  return {
    losing_probability: ways.slice(0, LOSERS).reduce((sum, way) => sum + Math.round(way), 0) / THROWS ** 2,
    too_close: outcomes.flat().some(({ close }) => close),
    probabilities: Object.fromEntries(OUTCOMES.map((name, kind) => [name, shares[kind]])),
    sequences: Object.fromEntries(ROLLS.map((own, i) => [own.join("-"),
      Object.fromEntries(ROLLS.map((reply, j) => [reply.join("-"), OUTCOMES[outcomes[i][j].kind]]))])),
  };
}

/** Probability that a reply leads to one of the given outcomes. */
function chanceOf(outcomes, is) {
  return outcomes.reduce((sum, outcome, reply) => sum + (is(outcome) ? WEIGHTS[reply] : 0), 0) / THROWS;
}

const round6 = (value) => Math.round(value * 1e6) / 1e6;

/** Extend a side with fewer points to 24 points. @param {number[]} counts @returns {Side} */
export const wide = (counts) => [...counts, ...new Array(24 - counts.length).fill(0)];
