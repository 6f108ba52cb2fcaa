// Results of a review or a match of the library: totals of each player, and the decisions.
// @ts-check

import { html, useState } from "./vendor/htm-preact.js";
import { Cost, Section, Select, Table, Term, capital, counted, isSeen, same } from "./ui.js";

/** @typedef {import("./types").DecisionOut} DecisionOut */
/**
 * `player`: null until a player is chosen, "" for all players.
 * @typedef {{ sort: string, kind: string, player: string | null, mistakes: boolean, races: boolean }} Wish
 */

const CONTACT = "with contact"; // Name of totals over decisions with contact, in place of a race length.
const FIRST = 50; // Number of decisions that are shown until the user presses "more".

const SORTS = {
  cost: ["the costliest first", (a, b) => b.cost - a.cost || a.number - b.number],
  order: ["as they were made", (a, b) => a.number - b.number],
  player: ["by player", (a, b) => order(a.player, b.player) || b.cost - a.cost],
  kind: ["by kind", (a, b) => order(a.kind, b.kind) || b.cost - a.cost],
};

const KINDS = [["", "all"], ["double", "doubles"], ["take", "takes"], ["play", "plays"]];

/** @type {Wish} */
let chosenBefore = { sort: "cost", kind: "", player: null, mistakes: false, races: false };

/**
 * Sort order and filters as last chosen. By default, only decisions of the user are shown,
 * if one of the user's `names` occurs.
 * @param {DecisionOut[]} decisions
 * @param {string[]} names
 * @returns {[Wish & { player: string }, (next: Wish) => void]}
 */
export function useChosen(decisions, names) {
  const [wish, setWish] = useState(chosenBefore);
  const mine = decisions.find(({ player }) => player && names.some((name) => same(name, player)));
  return [{ ...wish, player: wish.player ?? mine?.player ?? "" }, (next) => setWish((chosenBefore = next))];
}

/**
 * @template {DecisionOut} D
 * @param {D[]} decisions
 * @param {Wish} wish
 * @returns {D[]}
 */
export function selected(decisions, { sort, kind, player, mistakes, races }) {
  const fits = (one) =>
    (!kind || one.kind === kind) && (!player || one.player === player) && (!mistakes || one.mistake) && (!races || one.in_race);
  return decisions.filter(fits).sort(SORTS[sort][1]);
}

/**
 * Totals, and the decisions as a table; `hrefOf` returns the address of a decision.
 *
 * @param {{ decisions: DecisionOut[], totals: import("./types").Total[], rows: DecisionOut[],
 *   chosen?: DecisionOut, players: import("./types").Total[], races: import("./types").Total[], wish: Wish, setWish: (next: Wish) => void, note: string,
 *   running?: boolean, hrefOf: (one: any) => string }} given
 */
export function Found({ decisions, totals, players: rated, races, rows, chosen, wish, setWish, note, running = false, hrefOf }) {
  const [most, setMost] = useState(FIRST);
  const contact = decisions.some((one) => !one.in_race);
  const shown = contact && wish.races ? totals.filter(({ name }) => name[2] !== CONTACT) : totals;
  const players = [...new Set(decisions.map((one) => one.player))].filter(Boolean);
  const by = (name) => (value) => setWish({ ...wish, [name]: value });
  return html`
    ${totals.length > 0 && html`<${Section} title="Players" id="players">
      <${Table} caption="Totals by player and kind" hideCaption rows=${summed(shown)} mark=${(row) => row.kind ? "" : "best"} columns=${[
        { head: "Player", cell: (row) => (row.kind ? html`<span class="sub">${capital(row.kind)}s</span>` : row.player || "List"), scope: true },
        { head: "Decisions", cell: (row) => row.decisions },
        { head: "Mistakes", cell: (row) => row.mistakes },
        { head: "Lost, EMG", cell: (row) => row.lost.toFixed(3) },
        { head: "A decision", wide: true, cell: (row) => (row.lost / row.decisions).toFixed(4) },
        { head: "Formula wrong", wide: true, cell: (row) => row.formula_differs ?? "–" },
      ]} /><${Ratings} rows=${contact && !wish.races ? rated : races} whole=${contact && !wish.races} running=${running} /></${Section}>`}
    <${Section} title="Decisions" id="decisions" note=${note}>
      <div class="row filters">
        <${Select} label="Sort by" value=${wish.sort} onChange=${by("sort")}
          options=${Object.entries(SORTS).map(([name, [text]]) => [name, text])} />
        <${Select} label="Kind shown" value=${wish.kind} onChange=${by("kind")} options=${KINDS} />
        ${players.length > 0 && html`<${Select} label="Player shown" value=${wish.player} onChange=${by("player")}
          options=${[["", "all"], ...players.map((name) => [name, name])]} />`}
        <label class="check"><input type="checkbox" checked=${wish.mistakes}
          onChange=${(event) => by("mistakes")(event.target.checked)} />Mistakes only</label>
        ${contact && html`<label class="check"><input type="checkbox" checked=${wish.races}
          onChange=${(event) => by("races")(event.target.checked)} />Races only</label>`}
      </div>
      ${rows.length === 0 && html`<p>There are no decisions of this kind.</p>`}
      ${rows.length > 0 && html`<${Decisions} caption=${`Decisions, ${SORTS[wish.sort][0]}`} rows=${rows.slice(0, most)}
        chosen=${chosen} hrefOf=${hrefOf} />`}
      ${rows.length > most && html`<p><button type="button" onClick=${() => setMost(most + 200)}>More</button></p>`}
    </${Section}>`;
}

/** Ratings of the players of each file. @param {{ rows: import("./types").Total[], whole: boolean, running: boolean }} given */
function Ratings({ rows, whole, running }) {
  const rated = rows.filter(({ rating }) => rating != null);
  if (!rated.length) return null;
  const files = new Set(rated.map(({ name }) => name[0])).size > 1;
  return html`<${Table} caption=${`Performance rating (PR), ${running ? "so far" : whole ? "of the whole match" : "of the races alone"}`} rows=${rated} columns=${[
    { head: "Player", scope: true, cell: ({ name: [file, player] }) => `${player || "List"}${files ? `, ${file}` : ""}` },
    { head: html`<${Term} id="pr">PR</${Term}>`, cell: ({ rating }) => rating.toFixed(1) },
    { head: "Of decisions", cell: (row) => row.counted },
  ]} /><p class="note">Forced plays and clear cube decisions do not count; 0 is perfect.${whole && " Most costs are estimates."}</p>`;
}

/**
 * Sentence on the numbers of decisions and mistakes; if `races` is set, only those in
 * races.
 * @param {DecisionOut[]} decisions
 * @param {Wish} wish
 */
export function judgedSaid(decisions, { races }) {
  const contact = decisions.some((one) => !one.in_race);
  const some = races ? decisions.filter((one) => one.in_race) : decisions;
  const wrong = some.filter((one) => one.mistake).length;
  return `${counted(some.length, "decision")}${races && contact ? " in races" : ""}, ${counted(wrong, "mistake")}: a mistake is a decision whose cost exceeds its error.`;
}

/** Decisions as a table; `more` contains columns to show before the cost. */
export function Decisions({ caption, rows, chosen, hrefOf, more = [] }) {
  return html`<${Table} caption=${caption} hideCaption rows=${rows}
    mark=${(row) => (row === chosen ? "best" : "")} columns=${[
    { head: "Decision", scope: true, cell: (row) => html`<a href=${hrefOf(row)}
      aria-current=${row === chosen ? "true" : undefined}>${row.decided || `Line ${row.line}`}</a>` },
    { head: "Best", align: "left", cell: (row) => row.best },
    { head: "Player", align: "left", wide: true, cell: (row) => row.player || (row.decided && `Line ${row.line}`) },
    ...more,
    { head: "Pips", wide: true, cell: (row) => `${pips(row.roller)}–${pips(row.opponent)}` },
    { head: "By", align: "left", wide: true, cell: (row) => (row.in_race ? row.method : "estimate") },
    { head: "Cost, EMG", cell: costOf },
  ]} />`;
}

/** Format a cost; a cost that does not exceed its error may really be 0. */
function costOf({ decided, cost, mistake, in_race: exact, digits }) {
  if (!decided) return "–";
  const about = !exact && html`<span class="note">≈ </span>`;
  return html`${about}${mistake || !isSeen(cost, digits) ? html`<${Cost} of=${cost} digits=${digits} />` : cost.toFixed(digits)}`;
}

const order = (one, two) => (one < two ? -1 : Number(one > two));

/** Totals of each player, with totals for each kind of decision below. */
function summed(totals) {
  const rows = new Map();
  const add = (key, names, total) => {
    const row = rows.get(key) ?? { ...names, decisions: 0, mistakes: 0, lost: 0, formula_differs: null };
    for (const name of ["decisions", "mistakes", "lost"]) row[name] += total[name];
    if (total.formula_differs != null) row.formula_differs += total.formula_differs; // In JavaScript, null + 1 is 1.
    rows.set(key, row);
  };
  for (const total of totals) {
    const [player, kind] = total.name;
    add(player, { player }, total);
    add(`${player}\n${kind}`, { player, kind }, total);
  }
  return [...rows.entries()].sort(([a], [b]) => order(a, b)).map(([, row]) => row);
}

const pips = (counts) => counts.reduce((sum, n, i) => sum + n * (i + 1), 0);
