// The 21 rolls with their best plays, and the plays of a selected roll.
// @ts-check

import { html } from "./vendor/htm-preact.js";
import { ofRace, useAnswer } from "./asking.js";
import { Cost, Section, Sentence, Table, capital, isSeen, markOf, percent, signed } from "./ui.js";

const LISTED = 8;

export function Rolls({ body, dice, change }) {
  const { data: answer, error, waiting } = useAnswer("/race", { ...body, rolls: true });
  const data = ofRace(answer);
  if (error) return html`<${Section} title="Rolls" id="rolls"><${Sentence}>${error}</${Sentence}></${Section}>`;
  if (!data) return html`<${Section} title="Rolls" id="rolls" />`;
  const rolls = [...data.rolls].sort((a, b) => b.best_equity - a.best_equity);
  const markets = rolls.some((roll) => roll.losing > 0);
  const lost = rolls.reduce((sum, roll) => sum + roll.chance * (roll.losing ?? 0), 0);
  const digits = data.kind === "exact" ? 4 : 3;
  const thrown = dice?.join("-");
  const columns = [
    { head: "Roll", scope: true, cell: (roll) => html`<button type="button" class="roll"
      aria-pressed=${roll.dice.join("-") === thrown} title="All plays of this roll"
      onClick=${() => change({ dice: roll.dice.join("-") === thrown ? null : roll.dice })}>${roll.dice.join("-")}</button>` },
    { head: "Best play", align: "left", cell: (roll) => (roll.after.some(Boolean) ? roll.best_play : "wins") },
    { head: "Equity", cell: (roll) => signed(roll.best_equity, digits) },
    { head: "Luck", wide: true, cell: (roll) => signed(roll.luck, digits) },
    ...(markets ? [{ head: "Market lost", cell: loses }] : []),
  ];
  return html`<${Section} title="Rolls" id="rolls" busy=${waiting} note=${said(data, markets, lost)}>
    <${Table} caption="The 21 rolls, the best first" hideCaption columns=${columns} rows=${rolls}
      mark=${(roll) => (roll.losing > 0 ? "loser" : "")} />
  </${Section}>`;
}

function loses({ losing }) {
  if (!losing) return "";
  return html`<span class="mark" aria-hidden="true">▲</span> ${percent(losing, 0)}`;
}

function said(data, markets, lost) {
  const from = data.kind === "exact" ? "Exact, with the current owner of the cube." : "From the fast model.";
  if (!markets) return `${from} Choose a roll to see all its plays.`;
  return `${from} Without a double now, you lose your market in ${percent(lost, 1)} of all sequences of two rolls. ▲: share of the opponent's rolls after which the market is lost.`;
}

/** All plays of the selected dice, from the answer to the race. */
export function Plays({ answer, change }) {
  const unsure = answer.plays.some((play) => play.kind !== "exact");
  const rolled = answer.plays.filter((play) => play.kind === "rollout").length;
  const from = !unsure ? "exact" : !rolled ? "from the fast model" : rolled === answer.plays.length ? "rolled out"
    : `the best ${rolled === 1 ? "" : `${rolled} `}rolled out, the others from the fast model`;
  const columns = [
    { head: "Play", scope: true, cell: (play) => play.name },
    { head: "Equity", cell: (play) => signed(play.equity) },
    { head: "Cost", cell: (play) => html`<${Cost} of=${play.cost} />${isOpen(play) && html`<span class="note">, within error</span>`}` },
    ...(unsure ? [{ head: "±", cell: (play) => (play.error ? play.error.toFixed(3) : "") }] : []),
  ];
  const left = answer.plays.length - LISTED;
  return html`<${Section} title=${`Playing ${answer.dice.join("-")}`} id="plays"
      note=${left > 0 ? `The best ${LISTED}; ${left} worse ${left === 1 ? "play is" : "plays are"} not shown.` : null}>
    <${Table} caption=${capital(from)} columns=${columns}
      rows=${answer.plays.slice(0, LISTED)} mark=${(play) => markOf(play.cost)} />
    <p><button type="button" onClick=${() => change({ dice: null })}>Before the roll</button></p>
  </${Section}>`;
}

/** Whether a play may be as good as the best play, because of the errors. */
export const isOpen = ({ cost, error, kind }) => isSeen(cost) && cost <= (kind === "rollout" ? 2 : 1) * error;
