// Review: matches or positions dropped on the page, and their decisions by cost.
// @ts-check

import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { Decision } from "./decided.js";
import { EXAMPLES } from "./example.js";
import { begin, stop, useReview } from "./reviewing.js";
import { Choice, Section, Select, Sentence, Table, announce, capital } from "./ui.js";
import { Upload } from "./upload.js";

const FIRST = 50; // Decisions shown before more are asked for.

const SORTS = {
  cost: ["the costliest first", (a, b) => b.cost - a.cost || a.number - b.number],
  order: ["as they were made", (a, b) => a.number - b.number],
  player: ["by player", (a, b) => order(a.player, b.player) || b.cost - a.cost],
  kind: ["by kind", (a, b) => order(a.kind, b.kind) || b.cost - a.cost],
};

const KINDS = [["", "all"], ["double", "doubles"], ["take", "takes"], ["play", "plays"]];

let chosenBefore = { sort: "cost", kind: "", player: "", mistakes: false };

export function View({ path }) {
  const review = useReview();
  const [problem, setProblem] = useState(null);
  const [thorough, setThorough] = useState("0.01");
  const [wish, setWish] = useWish();
  const { status, found, error, trouble } = review;
  const send = (files, positions, keep = true) => {
    setProblem(null);
    if (path[0]) location.hash = "#/review";
    begin({ files, positions, keep, error: thorough ? Number(thorough) : null });
  };
  const running = status === "running";
  useEffect(() => {
    if (status === "done") announce(`${found.decisions.length} decisions judged`);
  }, [status]);
  const rows = found ? selected(found.decisions, wish) : [];
  const chosen = found?.decisions.find((one) => one.number === Number(path[0]));
  return html`<h1 class="hidden">Review</h1>
    <${Upload} onFiles=${(files) => send(files, "")} onText=${(text) => send([], text)} onProblem=${setProblem}>
      <${Choice} label="Races that no table holds" name="thorough" value=${thorough} onChange=${setThorough}
        options=${[["0.01", "Rollouts"], ["", "Fast model"]]} />
    </${Upload}>
    ${running && html`<${Going} ...${review} />`}
    <${Sentence}>${problem ?? error ?? trouble}</${Sentence}>
    ${status === "none" && html`<${Empty} onExample=${() => send(EXAMPLES, "", false)} />`}
    ${found && html`
      ${chosen && html`<${Decision} one=${chosen} rows=${rows} />`}
      <${Found} found=${found} rows=${rows} chosen=${chosen} wish=${wish} setWish=${setWish} running=${running} />`}`;
}

/** How far it is; the decisions so far are below. */
function Going({ done, decisions }) {
  return html`<p class="playing"><progress max=${decisions || 1} value=${done} aria-label="Decisions judged for good" />
    <span>${decisions ? `${done} of ${decisions} decisions judged for good` : "Reading"}</span>
    <button type="button" class="small" onClick=${stop}>Stop</button></p>`;
}

/** What one gets, before there is anything. */
function Empty({ onExample }) {
  return html`<${Section} title="What you get" id="empty">
    <ul class="gets">
      <li>Every double, take and play from where contact ends, the costliest first, with what each alternative is worth.</li>
      <li>What each player lost, by kind of decision, and where the recommended formula would have gone wrong.</li>
      <li>Results as they come: the fast model's at once, exact values and rollouts after them. You may look at other views meanwhile.</li>
    </ul>
    <p><button type="button" onClick=${onExample}>Open an example</button>
      <span class="note"> A game that GNU Backgammon recorded, and five decisions with mistakes.</span></p>
  </${Section}>`;
}

/** @typedef {import("./types").DecisionOut} DecisionOut */

/** @param {{ found: import("./types").ReviewOut, rows: DecisionOut[], chosen?: DecisionOut, wish: any, setWish: any, running: boolean }} given */
function Found({ found, rows, chosen, wish, setWish, running }) {
  const [most, setMost] = useState(FIRST);
  const { decisions, totals, problems, skipped } = found;
  const mistakes = decisions.filter((one) => one.mistake).length;
  const players = [...new Set(decisions.map((one) => one.player))].filter(Boolean);
  const by = (name) => (value) => setWish({ ...wish, [name]: value });
  const note = [
    `${decisions.length} decisions, ${mistakes} of them mistakes: they cost more than their error.`,
    skipped > 0 && `${skipped} turns before the race are skipped.`,
    "Costs are EMG, normalised to the cube as it stands.",
    running && "So far: what is not judged for good is the fast model's.",
  ];
  return html`
    ${problems.length > 0 && html`<${Section} title="What could not be judged" id="problems">
      <ul>${problems.map((text) => html`<li>${text}</li>`)}</ul></${Section}>`}
    ${totals.length > 0 && html`<${Section} title="Players" id="players">
      <${Table} caption="Totals by player and kind" hideCaption rows=${summed(totals)} mark=${(row) => row.kind ? "" : "best"} columns=${[
        { head: "Player", cell: (row) => (row.kind ? html`<span class="sub">${capital(row.kind)}s</span>` : row.player || "List"), scope: true },
        { head: "Decisions", cell: (row) => row.decisions },
        { head: "Mistakes", cell: (row) => row.mistakes },
        { head: "Lost, EMG", cell: (row) => row.lost.toFixed(3) },
        { head: "A decision", wide: true, cell: (row) => (row.lost / row.decisions).toFixed(4) },
        { head: "Formula wrong", wide: true, cell: (row) => (row.kind === "play" ? "–" : row.formula_differs) },
      ]} /></${Section}>`}
    <${Section} title="Decisions" id="decisions" note=${note.filter(Boolean).join(" ")}>
      <div class="row filters">
        <${Select} label="In the order" value=${wish.sort} onChange=${by("sort")}
          options=${Object.entries(SORTS).map(([name, [text]]) => [name, text])} />
        <${Select} label="Kind shown" value=${wish.kind} onChange=${by("kind")} options=${KINDS} />
        ${players.length > 0 && html`<${Select} label="Player shown" value=${wish.player} onChange=${by("player")}
          options=${[["", "all"], ...players.map((name) => [name, name])]} />`}
        <label class="check"><input type="checkbox" checked=${wish.mistakes}
          onChange=${(event) => by("mistakes")(event.target.checked)} />Mistakes only</label>
      </div>
      ${rows.length === 0 && html`<p>None of ${decisions.length} decisions is of this kind.</p>`}
      ${rows.length > 0 && html`<${Table} caption=${`Decisions, ${SORTS[wish.sort][0]}`} hideCaption rows=${rows.slice(0, most)}
        mark=${(row) => (row === chosen ? "best" : "")} columns=${[
        { head: "Decision", scope: true, cell: (row) => html`<a href=${`#/review/${row.number}`}
          aria-current=${row === chosen ? "true" : undefined}>${row.decided || row.best}</a>` },
        { head: "Right", align: "left", cell: (row) => row.best },
        { head: "Player", align: "left", wide: true, cell: (row) => row.player || `Line ${row.line}` },
        { head: "Pips", wide: true, cell: (row) => `${pips(row.roller)}–${pips(row.opponent)}` },
        { head: "By", align: "left", wide: true, cell: (row) => row.method },
        { head: "Cost, EMG", cell: (row) => (row.decided ? html`<span class=${row.mistake ? "cost" : ""}>${row.cost.toFixed(4)}</span>` : "–") },
      ]} />`}
      ${rows.length > most && html`<p><button type="button" onClick=${() => setMost(most + 200)}>More</button></p>`}
    </${Section}>`;
}

/**
 * What is sorted and left out, as it was chosen last.
 * @returns {[typeof chosenBefore, (next: typeof chosenBefore) => void]}
 */
function useWish() {
  const [wish, setWish] = useState(chosenBefore);
  return [wish, (next) => setWish((chosenBefore = next))];
}

/** @param {DecisionOut[]} decisions */
function selected(decisions, { sort, kind, player, mistakes }) {
  const fits = (one) =>
    (!kind || one.kind === kind) && (!player || one.player === player) && (!mistakes || one.mistake);
  return decisions.filter(fits).sort(SORTS[sort][1]);
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
