// Progress of a set of questions in the trainer, and its result.
// @ts-check

import { html, useLayoutEffect, useRef } from "./vendor/htm-preact.js";
import { asClock, withUnit } from "./question.js";
import { goalOf } from "./sets.js";
import { inWords } from "./solution.js";
import { Table, counted, signed } from "./ui.js";

/**
 * Sentence on the limit of errors in means, which is `CLIPPED` in the program. The limit
 * reduces the effect of typing errors.
 */
export const AT_MOST = "In mean errors, an error above 20 counts as 20.";

/**
 * Line with the progress of the set, the streak, the rating and the number of due
 * questions.
 * @param {{ summary: import("./types").Summary, run: import("./sets.js").Run }} given
 */
export function Standing({ summary, run }) {
  const { standing, answers, right } = summary;
  const goal = goalOf(run, summary);
  const name = run.set === "day" ? "Today" : "This set";
  const far = goal === null ? `${answers} answered` : `${Math.min(answers, goal)} of ${goal}`;
  const left = run.until === null ? null : Math.max(0, Math.round((run.until - Date.now()) / 1000));
  const parts = [
    answers > 0 && `${right} right`,
    standing.streak > 0 && `streak ${counted(standing.streak, "day")}`,
    standing.rated && `rating ${asRating(standing)}`,
    standing.due > 0 && `${standing.due} due again`,
  ].filter(Boolean);
  return html`<div class="standing">
    <p class="score">${name}: ${far}${parts.map((part) => ` · ${part}`)}${
      left !== null && html` · <span role="timer" aria-live="off">${asClock(left)} left</span>`}</p>
    ${goal !== null && html`<progress max=${goal} value=${Math.min(answers, goal)} aria-label="Answers of this set"></progress>`}
  </div>`;
}

/**
 * Result of a set of questions, shown at its end.
 * @param {{ why: string, summary: import("./types").Summary, day: boolean, onMore: (() => void) | null, onDue: () => void, onUndo: (() => void) | null }} given
 */
export function Ended({ why, summary, day, onMore, onDue, onUndo }) {
  const head = useRef(null);
  useLayoutEffect(() => head.current.focus({ preventScroll: true }), []);
  const { standing, answers, given, kinds, slowest } = summary;
  const slow = slowest == null ? null : given[slowest];
  const back = given.filter((one) => !one.right || one.due);
  return html`<section class="part ended" aria-labelledby="ended">
    <h2 id="ended" tabindex="-1" ref=${head}>${why[0].toUpperCase() + why.slice(1)}${/[.!?]$/.test(why) ? "" : "."}</h2>
    ${answers > 0 && html`<p class="result"><strong>${summary.right} of ${answers} right</strong>${told(summary).map((part) => ` · ${part}`)}</p>
      <p class="note">Rating ${asRating(standing)}, ${signed(standing.rating - summary.rating_before, 0)} in this set.
        ${day && standing.longest > 0 && ` Streak: ${counted(standing.streak, "day")}, longest ${counted(standing.longest, "day")}.`}
        ${slow && ` Slowest: ${slow.title}, ${inSeconds(slow.seconds)}.`}</p>`}
    <p class="row">${onMore && html`<button type="button" class="first" onClick=${onMore}>Ten more</button>`}
      ${standing.due > 0 && html`<button type="button" onClick=${onDue}>${standing.due} due now</button>`}
      ${onUndo && html`<button type="button" onClick=${onUndo}>Undo the last answer</button>`}</p>
    ${kinds.length > 0 && html`<${Table} caption="By kind" rows=${kinds} columns=${[
      { head: "Kind", cell: (row) => row.title, scope: true },
      { head: "Right", cell: (row) => `${row.right} of ${row.answers}` },
      { head: "Lost, points (EMG)", cell: (row) => (row.cost == null ? "–" : row.cost.toFixed(4)) },
      { head: "Mean error", wide: true, cell: (row) => (row.off == null ? "–" : withUnit(row.off.toFixed(1), row.unit)) },
    ]} />`}
    ${kinds.some((row) => row.off != null) && html`<p class="note">${AT_MOST}</p>`}
    ${back.length > 0 && html`<${Table} caption="Questions that will be repeated" rows=${back} columns=${[
      { head: "Question", cell: (row) => (row.xgid ? html`<a href=${`#/calculator/${row.xgid}`}>${row.title}</a>` : row.title), scope: true },
      { head: "You said", wide: true, cell: (row) => (row.given ? withUnit(row.given, row.unit) : "too late") },
      { head: "Answer", cell: (row) => withUnit(row.answer, row.unit) },
      { head: "Costs, points (EMG)", wide: true, cell: (row) => (row.cost ? row.cost.toFixed(4) : "–") },
      { head: "Asked again", cell: (row) => (row.due ? inWords(row.due) : "–") },
    ]} />`}
  </section>`;
}

function told({ cost, seconds, hinted, late, knew }) {
  return [
    cost > 0 && `${cost.toFixed(3)} points (EMG) lost`,
    seconds != null && `${inSeconds(seconds)} per answer`,
    hinted > 0 && `${hinted} with hints`,
    late > 0 && `${late} too late`,
    knew > 0 && `${knew} mistyped`,
  ].filter(Boolean);
}

const inSeconds = (n) => `${n.toFixed(n < 10 ? 1 : 0)} seconds`;

const asRating = ({ rating, deviation }) => `${rating.toFixed(0)} ± ${deviation.toFixed(0)}`;
