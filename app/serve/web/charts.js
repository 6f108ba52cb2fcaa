// Charts for doubling, redoubling and taking by count, and sheets for printing.
// @ts-check

import { html, useState } from "./vendor/htm-preact.js";
import { prepare } from "./api.js";
import { ofRace, useAnswer, useGet, useLate } from "./asking.js";
import { DoublingChart } from "./chart.js";
import { optionsOf, useFormulas } from "./formula.js";
import { keptRace } from "./held.js";
import { asRequest, toXgid } from "./race.js";
import { Choice, Section, Select, Sentence, number } from "./ui.js";

const AWAY = Array.from({ length: 15 }, (_, i) => [String(i + 1), `${i + 1} away`]);

export function View() {
  const race = keptRace();
  const [by, setBy] = useState("pips");
  const [formula, setFormula] = useState("");
  const [away, setAway] = useState(race.away?.map((points) => Math.min(points, AWAY.length)) ?? null);
  const formulas = useFormulas().filter((one) => one.has_lines);
  const at = asRequest({ ...race, dice: null });
  const data = ofRace(useAnswer("/race", { ...at, patience: 0 }).data);
  const query = { by, formula: formula || null, score: away && scored(away) };
  const { data: found, error, trouble, waiting } = useGet("/chart", query);
  const late = useLate(waiting);
  const options = [["", "none"], ...optionsOf(formulas)];
  const place = data && placed(data, found?.by ?? by);
  const need = (side) => (text) => setAway(away.map((points, i) => (i === side ? Number(text) : points)));
  const digits = by === "pips" ? 0 : 1;
  return html`<h1 class="hidden">Charts</h1>
    <${Section} title="When to double, redouble and take" id="doubling"
      note="Estimated by the fast model: leads (the opponent's count minus yours) at which the correct action changes, for typical positions without gaps and stacks. The sheets below have exact values.">
      <div class="controls row">
        <${Choice} label="Count" name="by" value=${by} onChange=${setBy}
          options=${[["pips", "Pips"], ["epc", "EPC"]]} />
        <${Choice} label="Play" name="at" value=${away ? "match" : "money"}
          options=${[["money", "Money"], ["match", "Match"]]}
          onChange=${(kind) => setAway(kind === "match" ? [5, 5] : null)} />
        ${away && html`<${Select} label="You need" value=${String(away[0])} options=${AWAY} onChange=${need(0)} />
          <${Select} label="Opponent needs" value=${String(away[1])} options=${AWAY} onChange=${need(1)} />`}
        <${Select} label="Lines of a formula" value=${formula} options=${options} onChange=${setFormula} />
      </div>
      <${Sentence}>${error ?? trouble}</${Sentence}>
      <p class="note told" role="status">${late && "The chart is being computed…"}</p>
      ${away && formula && html`<p class="note">The formula is for money play and ignores the score.</p>`}
      <div aria-busy=${waiting}>${found?.double.every((lead) => lead == null) && html`<p class="note">At this score you should never double, whatever your lead, because a higher cube gains nothing.</p>`}
      ${found && html`<${DoublingChart} chart=${found} place=${place} />`}
      ${place && html`<p class="note"><span class="dot" aria-hidden="true">●</span> is <a href=${`#/calculator/${toXgid(race)}`}>the race of the calculator</a>:
        count ${number(place[0], digits)}, lead ${number(place[1], digits)}; ${data.action ?? "no cube decision"}.</p>`}</div>
    </${Section}>
    <${Sheets} />`;
}

/**
 * Return a score in the program's notation. If a side needs one point, the game is after
 * the Crawford game.
 */
function scored(away) {
  const rule = away.includes(1) && away[0] !== away[1] ? " post-Crawford" : "";
  return away.join("-") + rule;
}

/** Return the place of a race on the chart: the roller's count, and the lead. */
function placed({ roller, opponent }, by) {
  return [roller[by], opponent[by] - roller[by]];
}

function Sheets() {
  const { data, error, trouble } = useGet("/sheets");
  const [state, setState] = useState(/** @type {{ drawing?: string, problem?: string }} */ ({}));
  // A sheet is drawn on the first request, so the page waits for it.
  const open = async (event, href, title) => {
    event.preventDefault();
    setState({ drawing: title });
    try {
      await prepare(href);
      setState({});
      location.assign(href);
    } catch (problem) {
      setState({ problem: `${title} could not be drawn: ${problem.message}` });
    }
  };
  const link = (href, title, paper) => html`<a href=${href}
    onClick=${(event) => open(event, href, title)}>PDF ${paper}<span class="hidden"> of ${title}</span></a>`;
  return html`<${Section} title="Sheets to print" id="sheets">
    <${Sentence}>${error ?? trouble ?? state.problem}</${Sentence}>
    <p class="note" role="status">${state.drawing && `Drawing ${state.drawing}; the first drawing takes some seconds.`}</p>
    <ul class="sheets">${data?.sheets.map(({ name, title, pdf }) => html`<li key=${name}>
      <span>${title}</span> ${link(pdf, title, "A4")} ${link(`${pdf}?paper=letter`, title, "letter")}</li>`)}</ul>
  </${Section}>`;
}
