// What a review or a match of the library holds: totals of each player, and the decisions.
// @ts-check

import { html, useState } from "./vendor/htm-preact.js";
import { Cost, Section, Select, Table, capital, counted, isSeen, same } from "./ui.js";

/** @typedef {import("./types").DecisionOut} DecisionOut */
/** `player`: null until one is chosen, "" for all. @typedef {{ sort: string, kind: string, player: string | null, mistakes: boolean }} Wish */

const FIRST = 50; // Decisions shown before more are asked for.

const SORTS = {
  cost: ["the costliest first", (a, b) => b.cost - a.cost || a.number - b.number],
  order: ["as they were made", (a, b) => a.number - b.number],
  player: ["by player", (a, b) => order(a.player, b.player) || b.cost - a.cost],
  kind: ["by kind", (a, b) => order(a.kind, b.kind) || b.cost - a.cost],
};

const KINDS = [["", "all"], ["double", "doubles"], ["take", "takes"], ["play", "plays"]];

/** @type {Wish} */
let chosenBefore = { sort: "cost", kind: "", player: null, mistakes: false };

/**
 * What is sorted and left out, as it was chosen last; until a player is chosen, oneself
 * where one of one's `names` made decisions.
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
export function selected(decisions, { sort, kind, player, mistakes }) {
  const fits = (one) =>
    (!kind || one.kind === kind) && (!player || one.player === player) && (!mistakes || one.mistake);
  return decisions.filter(fits).sort(SORTS[sort][1]);
}

/**
 * Sums, and the decisions as a table; `hrefOf` is where one is opened.
 *
 * @param {{ decisions: DecisionOut[], totals: import("./types").Total[], rows: DecisionOut[],
 *   chosen?: DecisionOut, wish: Wish, setWish: (next: Wish) => void, note: string,
 *   hrefOf: (one: any) => string }} given
 */
export function Found({ decisions, totals, rows, chosen, wish, setWish, note, hrefOf }) {
  const [most, setMost] = useState(FIRST);
  const players = [...new Set(decisions.map((one) => one.player))].filter(Boolean);
  const by = (name) => (value) => setWish({ ...wish, [name]: value });
  return html`
    ${totals.length > 0 && html`<${Section} title="Players" id="players">
      <${Table} caption="Totals by player and kind" hideCaption rows=${summed(totals)} mark=${(row) => row.kind ? "" : "best"} columns=${[
        { head: "Player", cell: (row) => (row.kind ? html`<span class="sub">${capital(row.kind)}s</span>` : row.player || "List"), scope: true },
        { head: "Decisions", cell: (row) => row.decisions },
        { head: "Mistakes", cell: (row) => row.mistakes },
        { head: "Lost, EMG", cell: (row) => row.lost.toFixed(3) },
        { head: "A decision", wide: true, cell: (row) => (row.lost / row.decisions).toFixed(4) },
        { head: "Formula wrong", wide: true, cell: (row) => (row.kind === "play" ? "–" : row.formula_differs) },
      ]} /></${Section}>`}
    <${Section} title="Decisions" id="decisions" note=${note}>
      <div class="row filters">
        <${Select} label="Sort by" value=${wish.sort} onChange=${by("sort")}
          options=${Object.entries(SORTS).map(([name, [text]]) => [name, text])} />
        <${Select} label="Kind shown" value=${wish.kind} onChange=${by("kind")} options=${KINDS} />
        ${players.length > 0 && html`<${Select} label="Player shown" value=${wish.player} onChange=${by("player")}
          options=${[["", "all"], ...players.map((name) => [name, name])]} />`}
        <label class="check"><input type="checkbox" checked=${wish.mistakes}
          onChange=${(event) => by("mistakes")(event.target.checked)} />Mistakes only</label>
      </div>
      ${rows.length === 0 && html`<p>No decision is of this kind.</p>`}
      ${rows.length > 0 && html`<${Decisions} caption=${`Decisions, ${SORTS[wish.sort][0]}`} rows=${rows.slice(0, most)}
        chosen=${chosen} hrefOf=${hrefOf} />`}
      ${rows.length > most && html`<p><button type="button" onClick=${() => setMost(most + 200)}>More</button></p>`}
    </${Section}>`;
}

/** How many decisions there are, and how many mistakes. */
export const judgedSaid = (decisions, mistakes) =>
  `${counted(decisions, "decision")}, ${counted(mistakes, "mistake")}: a mistake costs more than its error.`;

/** Decisions as a table; `more` are columns before what they cost. */
export function Decisions({ caption, rows, chosen, hrefOf, more = [] }) {
  return html`<${Table} caption=${caption} hideCaption rows=${rows}
    mark=${(row) => (row === chosen ? "best" : "")} columns=${[
    { head: "Decision", scope: true, cell: (row) => html`<a href=${hrefOf(row)}
      aria-current=${row === chosen ? "true" : undefined}>${row.decided || `Line ${row.line}`}</a>` },
    { head: "Best", align: "left", cell: (row) => row.best },
    { head: "Player", align: "left", wide: true, cell: (row) => row.player || (row.decided && `Line ${row.line}`) },
    ...more,
    { head: "Pips", wide: true, cell: (row) => `${pips(row.roller)}–${pips(row.opponent)}` },
    { head: "By", align: "left", wide: true, cell: (row) => row.method },
    { head: "Cost, EMG", cell: costOf },
  ]} />`;
}

/** A cost within its error is none for sure. */
function costOf({ decided, cost, mistake }) {
  if (!decided) return "–";
  return mistake || !isSeen(cost) ? html`<${Cost} of=${cost} />` : cost.toFixed(4);
}

const order = (one, two) => (one < two ? -1 : Number(one > two));

/** Totals of each player, and below them those of each kind. */
function summed(totals) {
  const rows = new Map();
  const add = (key, names, total) => {
    const row = rows.get(key) ?? { ...names, decisions: 0, mistakes: 0, lost: 0, formula_differs: 0 };
    for (const name of ["decisions", "mistakes", "lost", "formula_differs"]) row[name] += total[name];
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
