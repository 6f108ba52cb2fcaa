// The estimate of a position with contact: the plays of a roll, and the cube before it.
// @ts-check

import { html, useEffect } from "./vendor/htm-preact.js";
import { pips } from "./race.js";
import { Cost, Section, Sentence, Table, Verdict, announce, capital, counted, markOf, signed } from "./ui.js";

/** @typedef {import("./types").ContactOut} ContactOut */
/** @typedef {import("./types").VerdictOut} VerdictOut */

const LISTED = 8;

/**
 * `answer` is the answer to the position. While `stale` is true, it is the answer to a
 * previous position. `change` sets other dice.
 */
export function Estimate({ race, answer: { data, error, trouble }, stale, change }) {
  /** @type {ContactOut | null} */
  const found = data?.kind === "search" ? data : null; // Ignore the answer to the previous race.
  const told = found && !stale ? `${headline(found)}. An estimate.` : "";
  useEffect(() => {
    if (told) announce(told);
  }, [told, found]);
  if (!found) return html`<${Sentence}>${error ?? trouble}</${Sentence}>`;
  const { play, cube_decision: cube } = found;
  const before = cube ? html`<${Alternatives} head="Decision" one=${cube} caption="Equity and cost of each decision" />`
    : html`<p>${whyNot(race)}. Equity ${signed(found.equity, 3)}.</p>`;
  return html`
    <${Sentence}>${trouble}</${Sentence}>
    <${Verdict} action=${headline(found)}>${stale
      ? "This is the previous position's answer; the new answer is being computed."
      : html`<strong class="estimate">Estimate</strong> ${source(found)}`}</${Verdict}>
    ${play ? html`<${Plays} one=${play} dice=${found.dice} change=${change} />
      <${Section} title="Before the roll" id="before" note=${cube && `${cubeSaid(found)}, by an estimate.`}>${before}</${Section}>` : before}
    <p class="note">Pips: you ${pips(race.roller)}, the opponent ${pips(race.opponent)}.</p>`;
}

/** @param {ContactOut} found */
const headline = (found) => (found.play ? found.play.alternatives[0].name : cubeSaid(found));

/** @param {ContactOut} found */
function cubeSaid({ cube_decision: cube }) {
  if (!cube) return "No cube decision";
  return isDead(cube) ? "The cube is dead: turning it changes nothing" : capital(cube.best);
}

/** Whether a double that is taken changes nothing. @param {VerdictOut} cube */
function isDead({ alternatives: [waits, taken] }) {
  return waits.equity === taken.equity;
}

function whyNot({ away, crawford }) {
  return away && crawford ? "In the Crawford game nobody may double" : "You may not double: the opponent owns the cube";
}

/** Describe how the answer was estimated, and its accuracy. @param {ContactOut} found */
function source({ play, estimates, score, cube_value: value }) {
  const sure = play
    ? `the play rated best loses ${estimates.play_lost.toFixed(4)} on average, and the costs of other plays are off by ${estimates.play_error.toFixed(3)}`
    : `close decisions lose ${estimates.cube_lost.toFixed(4)} on average, and their costs are off by ${estimates.cube_error.toFixed(3)}`;
  const both = play ? "" : " The cost of a double with a wrong reply is the sum of both players' costs.";
  const one = score ? "winning a single game at this cube value is 1" : value > 1 ? `1 is ${value} points` : "";
  const unit = one && ` Equities and costs are in EMG: ${one}.`;
  return `by a search one roll ahead, because there is contact: ${sure} (root mean square).${both}${unit}`;
}

/** All plays of the selected dice. */
function Plays({ one, dice, change }) {
  const left = one.alternatives.length - LISTED;
  return html`<${Section} title=${`Playing ${dice.join("-")}`} id="plays"
      note=${left > 0 ? `The best ${LISTED}; ${counted(left, "worse play")} not shown.` : null}>
    <${Alternatives} head="Play" one=${one} caption="Equity and cost of each play" />
    <p><button type="button" onClick=${() => change({ dice: null })}>Before the roll</button></p>
  </${Section}>`;
}

/** Equity and cost of each alternative. @param {{ one: VerdictOut, head: string, caption: string }} given */
function Alternatives({ one, head, caption }) {
  const { digits, kind } = one;
  return html`<${Table} caption=${caption} hideCaption rows=${kind === "play" ? one.alternatives.slice(0, LISTED) : one.alternatives}
    mark=${({ cost }) => markOf(cost, digits)} columns=${[
      { head, scope: true, cell: ({ name }) => name },
      { head: "Equity", cell: ({ equity }) => signed(equity, digits) },
      { head: "Cost", cell: ({ cost }) => html`<${Cost} of=${cost} digits=${digits} />` },
    ]} />`;
}
