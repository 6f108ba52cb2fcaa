// A marked answer of the trainer, with the cost of each choice and the solution.
// @ts-check

import { html, useLayoutEffect, useRef } from "./vendor/htm-preact.js";
import { typeset } from "./formula.js";
import { withUnit } from "./question.js";
import { Cost, Table, capital, counted, markOf, signed } from "./ui.js";

/** A marked answer. Examples have no `onNext`, `onKnew` and `onUndo`. */
export function Solution({ question, marked, onNext, onKnew, onUndo }) {
  const button = useRef(null);
  useLayoutEffect(() => button.current?.focus({ preventScroll: true }), []);
  const { right, answer, notes, steps, options, method, due, given, knew, hints } = marked;
  const said = knew ? "Known:" : right ? "Right:" : given ? "Wrong. The answer is" : "Time is up. The answer is";
  const known = [
    `${capital(method)}.`,
    hints > 0 && `${counted(hints, "hint")}.`,
    due && `Asked again ${inWords(due)}.`,
  ];
  return html`<div class="solution">
    <p class=${`marked ${right ? "good" : "cost"}`}>${said} ${withUnit(answer, question.unit)}.</p>
    <p>${lesson(marked, question.unit)} <span class="note">${known.filter(Boolean).join(" ")}</span></p>
    ${onNext && html`<p class="row"><button type="button" class="first" ref=${button} onClick=${onNext}>Next</button>
      ${!right && html`<button type="button" onClick=${onKnew}>I mistyped it</button>`}
      <button type="button" onClick=${onUndo}>Undo</button></p>`}
    ${notes.map((text) => html`<p class="lesson">${text}</p>`)}
    ${options.length > 0 && html`<${Table} caption=${`Equity of each choice for the side on roll (EMG)${given && `; you chose ${given}`}`}
      rows=${options} mark=${(row) => markOf(row.cost)} columns=${[
        { head: "Choice", cell: (row) => row.name, scope: true },
        { head: "Equity", cell: (row) => signed(row.equity) },
        { head: "Cost", cell: (row) => html`<${Cost} of=${row.cost} />` },
      ]} />`}
    <h3>Worked out</h3>
    <ol class="steps">${steps.map(({ words, arithmetic }) => html`<li>
      <span>${words}</span><span class="arithmetic">${typeset(arithmetic)}</span></li>`)}</ol>
  </div>`;
}

/** Sentence on the error or the cost of the user's answer. */
function lesson({ error, cost, given, right, knew }, unit) {
  if (knew) return `You typed ${withUnit(given, unit)} and knew it.`;
  if (error != null) {
    if (!error) return "Exactly right.";
    const size = Math.abs(error).toFixed(1).replace(".0", "");
    return `You said ${withUnit(given, unit)}: ${withUnit(size, unit)} too ${error > 0 ? "high" : "low"}.`;
  }
  return right || cost == null ? "" : `You said ${given}, which costs ${cost.toFixed(4)} points (EMG).`;
}

/** Time until a date, in words. */
export function inWords(time) {
  const minutes = Math.ceil((new Date(time).getTime() - Date.now()) / 60000);
  if (minutes < 1) return "now";
  if (minutes < 90) return `in ${counted(minutes, "minute")}`;
  const hours = Math.round(minutes / 60);
  return `in ${hours < 36 ? counted(hours, "hour") : counted(Math.round(hours / 24), "day")}`;
}
