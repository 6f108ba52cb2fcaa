// A decision of a review: the board, the equity of each choice, and the player's choice.
// @ts-check

import { html, useLayoutEffect, useRef } from "./vendor/htm-preact.js";
import { Board } from "./board.js";
import { useKeys } from "./keys.js";
import { PlayBoard } from "./playboard.js";
import { Taking } from "./taking.js";
import { Cost, Table, capital, isSeen, markOf, signed } from "./ui.js";

/** @typedef {import("./types").DecisionOut} DecisionOut */

/**
 * `rows` are the decisions in the order of browsing, each at the address `hrefOf`;
 * `children` are shown below.
 * @param {{ one: DecisionOut, rows: DecisionOut[], hrefOf: (one: any) => string, children?: unknown }} given
 */
export function Decision({ one, rows, hrefOf, children }) {
  const heading = useRef(null);
  const place = rows.indexOf(one);
  const [before, after] = place < 0 ? [null, rows[0]] : [rows[place - 1], rows[place + 1]];
  useLayoutEffect(() => heading.current.focus(), [hrefOf(one)]);
  const go = (to) => {
    if (to) location.hash = hrefOf(to);
  };
  useKeys({ next: () => go(after), previous: () => go(before) });
  const where = [one.source, one.game && `game ${one.game}`, one.line && `line ${one.line}`, one.score];
  const said = Object.fromEntries(one.file_equities.map(({ name, equity }) => [name, equity]));
  const theirs = one.file_equities.length > 0;
  return html`<section class="question decision" aria-labelledby="decision">
    ${one.in_race ? html`<${Board} roller=${one.roller} opponent=${one.opponent} cube=${one.cube} cubeValue=${one.cube_value} dice=${one.dice} />`
      : html`<${PlayBoard} board=${whole(one)} mine=${true} dice=${(one.dice ?? []).map((face) => ({ face }))}
        cube=${{ value: one.cube_value, owner: { centred: null, owned: 0, opponent: 1 }[one.cube] }} label=${`The board; ${one.kind === "take" ? "the side that doubled" : one.player || "the side on roll"} bears off below`} />`}
    <div class="ask">
      <p class="note">${where.filter(Boolean).join(", ")}</p>
      <h2 id="decision" tabindex="-1" ref=${heading}>${one.decided
        ? html`${one.player && `${one.player}: `}${one.decided} ${isSeen(one.cost, one.digits) && html`<span class="cost">costs ${one.in_race ? "" : "about "}${one.cost.toFixed(one.digits)} ${one.unit}</span>`}`
        : capital(one.best)}</h2>
      ${one.decided && html`<p>Best: <strong>${one.best}</strong>${isSeen(one.cost) && !one.mistake && ", but the error is too large to be sure"}.</p>`}
      ${one.reason && html`<p>${one.reason}</p>`}
      <p class="note">${capital(BY[one.method] ?? one.method)}${isSeen(one.error) && `, error ${one.error.toFixed(one.digits)}`}.${!one.in_race && one.depth === 0 && " So far only the neural network has rated this decision, without a search."}${one.formula && ` The formula says ${one.formula}.`}
        ${one.kind === "take" && " The side on roll doubled."}</p>
      <${Table} caption=${`Equity of the side on roll, in ${one.unit}`} rows=${one.alternatives} mark=${({ cost }) => markOf(cost, one.digits)} columns=${[
        { head: "Choice", scope: true, cell: (row) => html`${row.name}${row === one.alternatives[one.made] && html` <span class="made">← ${one.kind === "take" ? "chosen" : "made"}</span>`}` },
        { head: "Equity", cell: (row) => signed(row.equity, one.digits) },
        { head: "Cost", cell: ({ cost }) => html`<${Cost} of=${cost} digits=${one.digits} />` },
        ...(theirs ? [{ head: "In the file", cell: (row) => (row.name in said ? signed(said[row.name]) : "–") }] : []),
      ]} />
      ${theirs && html`<p class="note">${inFile(one)}</p>`}
      ${one.comment && html`<blockquote class="comment">${one.comment}</blockquote>`}
      <p class="row">
        <button type="button" disabled=${!before} onClick=${() => go(before)}>Previous</button>
        <button type="button" disabled=${!after} onClick=${() => go(after)}>Next</button>
        <span class="note">${place < 0 ? "Not in the list" : `${place + 1} of ${rows.length}`}</span>
        ${one.in_race && html`<a class="button" href=${`#/calculator/${one.xgid}`}>Open in the calculator</a>`}</p>
      <${Taking} one=${one} />
      ${children}
    </div>
  </section>`;
}

const BY = { search: "an estimate by a search" };

/**
 * Combine both sides into one board, from the viewpoint of the side on roll.
 * @param {DecisionOut} one
 */
function whole({ roller, opponent }) {
  const board = [-(opponent[24] ?? 0), ...Array(25).fill(0)];
  roller.forEach((many, i) => (board[i + 1] += many));
  opponent.slice(0, 24).forEach((many, i) => (board[24 - i] -= many));
  return board;
}

/** The file's own analysis of the decision. @param {DecisionOut} one */
function inFile({ file_program: program, file_level: level, file_best: best, file_equity: equity, file_cost: lost }) {
  const by = [program, level].filter(Boolean).join(", ");
  const costs = lost == null ? "" : isSeen(lost) ? ` By this analysis, the choice made costs ${lost.toFixed(4)}.` : " By this analysis, the choice made is the best.";
  return `The file has an analysis by ${by}: ${best} is best, with equity ${signed(equity)}.${costs}`;
}
