// Answers to the page's requests without a server, for money play. The fields are those of
// /api/v1/race and related routes.
// @ts-check

import { Formulas } from "./formulas.js";
import { ALL, HOME, Judge, TableSource, marketFields } from "./judge.js";
import { Model } from "./model.js";
import { checkersOf, pipsOf } from "./numbering.js";
import { Refusal, raceFields, readRace } from "./notation.js";
import { PairTable, TableError } from "./planes.js";
import { PIPS_PER_ROLL } from "./plays.js";
import { Home, homeNumber, isHome } from "./sides.js";
import { normal } from "./normal.js";
import { takePoints } from "./values.js";

/** @typedef {import("./npy.js").Read} Read */
/** @typedef {{ tables: { folder: string }[], formulas: string }} Contents What a site has. */

const EPC_ERROR = 0.17; // Root mean square error in pips, for a side that is not all home.
/**
 * Fields of an answer about a judged play or decision. They are null, because this module
 * does not judge decisions.
 */
const NOBODYS = Object.fromEntries(["played", "decided"].flatMap((what) => ["equity", "cost", "error"].map((name) => [`${what}_${name}`, null])));
const SETTLED = 2 ** 9; // Factor of the cube value beyond which a cube limit makes no difference.

/**
 * @param {(folder: string) => Read} filesOf What reads the files of a folder of the site.
 * @param {Contents} contents
 */
export function answering(filesOf, contents) {
  let opened;
  const open = () => {
    opened ??= openAll(filesOf, contents);
    opened.catch(() => (opened = null)); // After an error, the next request tries again.
    return opened;
  };
  return { ask: async (path, body) => ROUTES[path](await open(), body ?? {}) };
}

async function openAll(filesOf, { tables, formulas }) {
  const [home, rules, ...found] = await Promise.all([
    Home.open(filesOf("data/one-sided-06x15")),
    filesOf("data")(formulas).then((bytes) => JSON.parse(new TextDecoder().decode(bytes))),
    ...tables.map(({ folder }, place) => PairTable.open(filesOf(folder)).catch((error) => {
      if (!place) throw error;
      console.warn(error.message); // If the larger table cannot be loaded, the fast model answers.
      return null;
    })),
  ]);
  let model = null; // The table is opened when the first race needs it.
  const opened = () => {
    model ??= Model.open(filesOf("data/model"), home);
    model.catch(() => (model = null));
    return model;
  };
  return { home, judge: new Judge(found.filter(Boolean).map((table) => new TableSource(table, home)), opened), model: opened, formulas: new Formulas(rules) };
}

const ROUTES = {
  "/position": async (_, body) => raceFields(readRace(body.position)),
  "/race": answerRace,
  "/distribution": async (site, body) => {
    const race = inPlay(body);
    const [roller, opponent] = await Promise.all([race.roller, race.opponent].map((side) => distributionOf(site, side)));
    const length = Math.max(roller.chances.length, opponent.chances.length);
    const first_off = Array.from({ length }, (_, n) =>
      (roller.chances[n] ?? 0) * opponent.chances.slice(n).reduce((sum, one) => sum + one, 0));
    return { roller, opponent, first_off };
  },
  "/formulas": async ({ formulas }) => ({ formulas: formulas.listed }),
  "/formula": async (site, body) => {
    const race = inPlay(body);
    const worked = site.formulas.work(body.formula, race.roller, race.opponent);
    const asked = questionOf({ ...race, dice: null });
    const source = await site.judge.source(asked);
    const [centred, owned] = await Promise.all([0, 1].map(async (owner) =>
      (await source.values([asked.roller], [asked.opponent], owner, asked.terms)).row(0)));
    const costs = {
      double: centred.costs[worked.double ? 1 : 0], redouble: owned.costs[worked.redouble ? 1 : 0],
      take: centred.costs[worked.take ? 2 : 3],
    };
    const right = ({ action, waits, taken, error }, wins) => ({ action, no_double: waits, double_take: taken, win_probability: wins, error });
    const [roller, opponent] = [race.roller, race.opponent].map((counts) => trimmed(race)({ counts }).counts);
    return { ...worked, roller, opponent, truth: { kind: source.kind, centred: right(centred), owned: right(owned), costs } };
  },
};

/** @param {{ position: string }} body */
function inPlay(body) {
  const race = readRace(body.position);
  for (const name of ["roller", "opponent"]) {
    if (!race[name].some(Boolean)) throw new Refusal(`the ${name} has 0 checkers on the board, so there is no race`);
  }
  if (race.away) throw new Refusal("this page answers races only in money play; bearoff serve also answers races at a score");
  return race;
}

/** @param {import("../race.js").Race} race */
function questionOf({ roller, opponent, cube, cubeValue, jacoby, beavers, limit, dice }) {
  const hasCube = cubeValue < 2 ** limit;
  if (limit !== 10 && hasCube && 2 ** limit < SETTLED * cubeValue) {
    throw new Refusal(`this page does not support a cube limit, got ${2 ** limit}; bearoff serve does`);
  }
  return { roller, opponent, owner: { owned: 1, centred: 0, opponent: -1 }[cube], terms: { jacoby, beavers, hasCube }, dice: /** @type {[number, number] | null} */ (dice) };
}

async function answerRace(site, body) {
  const { judge } = site, race = inPlay(body), asked = questionOf(race);
  const source = await judge.source(asked);
  const found = await source.values([asked.roller], [asked.opponent], asked.owner, asked.terms);
  const row = found.row(0), [wins, won, lost] = [found.wins[0], found.gammonsWon[0], found.gammonsLost[0]];
  const wanted = { market: body.market && found.mayDouble, rolls: Boolean(body.rolls) };
  const market = wanted.market || (wanted.rolls && found.mayDouble) ? await judge.market(source, asked) : null;
  const window = wanted.market ? await judge.window(source, asked, found) : null;
  const trim = trimmed(race);
  const plays = asked.dice ? (await judge.plays(source, asked)).map(trim) : [];
  const [missed_double, wrong_double, wrong_take, wrong_pass] = row.costs;
  const [best] = plays;
  return {
    ...raceFields(race), roller: trim(await sideFields(site, race.roller)), opponent: trim(await sideFields(site, race.opponent)),
    kind: source.kind === "model" && !row.waitsError && !row.takenError ? "exact" : source.kind,
    win_probability: wins, gammons_won: won, gammons_lost: lost, equity: row.equity, error: row.error,
    chance_per_equity: null, action: row.action, too_close: row.tooClose, cube_dead: !asked.terms.hasCube,
    no_double: row.waits, double_take: row.taken, missed_double, wrong_double, wrong_take, wrong_pass,
    no_double_error: row.waitsError, double_take_error: row.takenError, win_probability_error: found.winsError[0],
    ...NOBODYS, best_play: best?.name ?? null, best_equity: best?.equity ?? null, best_error: best?.equity_error ?? null,
    decisions: row.decisions, double_beaver: asked.terms.beavers && row.taken !== null ? 2 * row.taken : null, left_out: leftOut(race),
    match_chance: null, take_points: found.mayDouble ? takePoints(wins, won, lost) : null, plays,
    market: wanted.market ? marketFields(market) : null, window, thresholds: null,
    rolls: wanted.rolls ? (await judge.rolls(source, asked, market)).map(trim) : null,
    table: source instanceof TableSource ? { points: source.table.points, checkers: source.table.checkers } : null,
  };
}

/**
 * Return both sides with the same number of points: the highest occupied one, but at least
 * six.
 */
function trimmed({ roller, opponent }) {
  const points = Math.max(HOME, ...[roller, opponent].map((side) => side.findLastIndex(Boolean) + 1));
  const cut = (one, name) => (one[name] ? { ...one, [name]: one[name].slice(0, points) } : one);
  return (one) => cut(cut(one, "counts"), "after");
}

/** Rules of the race that the answer ignores. @param {import("../race.js").Race} race */
function leftOut({ roller, opponent, cube, jacoby, beavers }) {
  const full = [roller, opponent].some((side) => checkersOf(side) === ALL), found = [];
  if (beavers && jacoby && cube === "centred" && full) found.push("beavers after later doubles; only a double now may be beavered");
  return found;
}

async function sideFields(site, side) {
  const { mean, std, error } = await rollsOf(site, side), pips = pipsOf(side), epc = mean * PIPS_PER_ROLL;
  return { counts: side, pips, epc, epc_error: error, std_rolls: std, wastage: epc - pips, mean_rolls: mean };
}

/**
 * Mean and standard deviation of the number of rolls that a side needs, and the error of
 * its EPC.
 */
async function rollsOf({ home, model }, side) {
  if (isHome(side)) return { mean: home.means[homeNumber(side)], std: home.stds[homeNumber(side)], error: 0 };
  const { mean, std } = (await model()).sides.known(side);
  return { mean, std, error: EPC_ERROR };
}

async function distributionOf(site, side) {
  const { mean, std } = await rollsOf(site, side), home = isHome(side);
  const chances = home ? Array.from(site.home.row(homeNumber(side))) : normal(mean, std);
  return { kind: home ? "exact" : "estimate", mean_rolls: mean, std_rolls: std, chances };
}

export { Refusal, TableError };
