// One decision of a review: the board, what each choice is worth, and which was made.
// @ts-check

import { html, useEffect, useRef } from "./vendor/htm-preact.js";
import { Board } from "./board.js";
import { useKeys } from "./keys.js";
import { Cost, Table, capital, isSeen, markOf, signed } from "./ui.js";

/** @typedef {import("./types").DecisionOut} DecisionOut */

/**
 * `rows` are the decisions in the order in which one goes through them, each at `hrefOf`;
 * `children` stand below.
 * @param {{ one: DecisionOut, rows: DecisionOut[], hrefOf: (one: any) => string, children?: unknown }} given
 */
export function Decision({ one, rows, hrefOf, children }) {
  const heading = useRef(null);
  const place = rows.indexOf(one);
  const [before, after] = place < 0 ? [null, rows[0]] : [rows[place - 1], rows[place + 1]];
  useEffect(() => heading.current.focus(), [hrefOf(one)]);
  const go = (to) => {
    if (to) location.hash = hrefOf(to);
  };
  useKeys({ next: () => go(after), previous: () => go(before) });
  const where = [one.source, one.game && `game ${one.game}`, one.line && `line ${one.line}`, one.score];
  const made = madeRow(one);
  const costs = costsOf(one);
  const said = Object.fromEntries(one.file_equities.map(({ name, equity }) => [name, equity]));
  const theirs = one.file_equities.length > 0;
  return html`<section class="question decision" aria-labelledby="decision">
    <${Board} roller=${one.roller} opponent=${one.opponent} cube=${one.cube} cubeValue=${one.cube_value} dice=${one.dice} />
    <div class="ask">
      <p class="note">${where.filter(Boolean).join(", ")}</p>
      <h2 id="decision" tabindex="-1" ref=${heading}>${one.decided
        ? html`${one.player && `${one.player}: `}${one.decided} ${isSeen(one.cost) && html`<span class="cost">costs ${one.cost.toFixed(4)} ${one.unit}</span>`}`
        : capital(one.best)}</h2>
      ${one.decided && html`<p>Best: <strong>${one.best}</strong>${isSeen(one.cost) && !one.mistake && ", but the error leaves it open"}.</p>`}
      <p class="note">${capital(one.method)}${isSeen(one.error) && `, error ${one.error.toFixed(4)}`}.${one.formula && ` The formula says ${one.formula}.`}
        ${one.kind === "take" && " The side on roll doubled."}</p>
      <${Table} caption=${`Worth to the side on roll, ${one.unit}`} rows=${one.equities} mark=${(row) => (row.name in costs ? markOf(costs[row.name]) : "")} columns=${[
        { head: "Choice", scope: true, cell: (row) => html`${row.name}${row.name === made && html` <span class="made">← ${one.kind === "take" ? "chosen" : "made"}</span>`}` },
        { head: "Equity", cell: (row) => signed(row.equity) },
        { head: "Cost", cell: (row) => row.name in costs && html`<${Cost} of=${costs[row.name]} />` },
        ...(theirs ? [{ head: "In the file", cell: (row) => (row.name in said ? signed(said[row.name]) : "–") }] : []),
      ]} />
      ${theirs && html`<p class="note">${inFile(one)}</p>`}
      ${one.comment && html`<blockquote class="comment">${one.comment}</blockquote>`}
      <p class="row">
        <button type="button" disabled=${!before} onClick=${() => go(before)}>Previous</button>
        <button type="button" disabled=${!after} onClick=${() => go(after)}>Next</button>
        <span class="note">${place < 0 ? "Not among those listed" : `${place + 1} of ${rows.length}`}</span>
        <a class="button" href=${`#/calculator/${one.xgid}`}>Open in the calculator</a></p>
      ${children}
    </div>
  </section>`;
}

/** What the file's own analysis says. @param {DecisionOut} one */
function inFile({ file_program: program, file_level: level, file_best: best, file_equity: equity, file_cost: lost }) {
  const by = [program, level].filter(Boolean).join(", ");
  const costs = lost == null ? "" : isSeen(lost) ? ` What was chosen costs ${lost.toFixed(4)} by it.` : " What was chosen is best by it.";
  return `The file has an analysis by ${by}: best is ${best}, worth ${signed(equity)}.${costs}`;
}

/** @param {DecisionOut} one @returns {Record<string, number>} */
const named = (one) => Object.fromEntries(one.equities.map(({ name, equity }) => [name, equity]));

/**
 * The row of what was decided.
 * @param {DecisionOut} one
 */
function madeRow(one) {
  if (one.kind === "play") return one.decided;
  const { "double, take": taken, "double, pass": passed } = named(one);
  const reply = taken <= passed ? "double, take" : "double, pass";
  return { "no double": "no double", double: reply, take: "double, take", pass: "double, pass" }[one.decided];
}

/**
 * What each choice costs who has it; choices of the other side cost nobody anything.
 * @param {DecisionOut} one
 * @returns {Record<string, number>}
 */
function costsOf(one) {
  const values = named(one);
  if (one.kind === "play") {
    const best = Math.max(...Object.values(values));
    return Object.fromEntries(one.equities.map(({ name, equity }) => [name, best - equity]));
  }
  const { "no double": wait, "double, take": taken, "double, pass": passed } = values;
  if (one.kind === "take") {
    return { "double, take": Math.max(0, taken - passed), "double, pass": Math.max(0, passed - taken) };
  }
  const doubled = Math.min(taken, passed);
  const reply = taken <= passed ? "double, take" : "double, pass";
  return { "no double": Math.max(0, doubled - wait), [reply]: Math.max(0, wait - doubled) };
}

