// Charts: when to double, redouble and take, by count; and sheets to print.

import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { get, useAnswer } from "./api.js";
import { DoublingChart } from "./chart.js";
import { useFormulas } from "./formula.js";
import { fromXgid, START, asRequest, toXgid } from "./race.js";
import { Choice, Section, Select, Sentence, number } from "./ui.js";

export function View() {
  const [by, setBy] = useState("pips");
  const [formula, setFormula] = useState("");
  const [chart, setChart] = useState({});
  const formulas = useFormulas();
  const race = fromXgid(localStorage.getItem("bearoff.race") ?? "") ?? START;
  const { data } = useAnswer("/race", { ...asRequest({ ...race, dice: null }), patience: 0 });
  useEffect(() => {
    let late = false;
    get("/chart", { by, formula: formula || null }).then(
      (found) => late || setChart({ found }),
      (error) => late || setChart({ problem: error.message }),
    );
    return () => (late = true);
  }, [by, formula]);
  const options = [["", "none"], ...formulas.map(({ name }) => [name, name])];
  const { found, problem } = chart;
  const place = data && placed(data, found?.by ?? by);
  return html`<h1 class="hidden">Charts</h1>
    <${Section} title="When to double, redouble and take" id="doubling"
      note="By the fast model, for money: the opponent's lead in the count at which the action turns, for typical sides without gaps and stacks. The sheets below have what is exact.">
      <div class="controls row">
        <${Choice} label="Count" name="by" value=${by} onChange=${setBy}
          options=${[["pips", "Pips"], ["epc", "EPC"]]} />
        <${Select} label="Lines of a formula" value=${formula} options=${options} onChange=${setFormula} />
      </div>
      <${Sentence}>${problem}</${Sentence}>
      ${found && html`<${DoublingChart} chart=${found} place=${place} />`}
      ${place && html`<p class="note"><span class="dot" aria-hidden="true">●</span> is <a href=${`#/calculator/${toXgid(race)}`}>the race of the calculator</a>:
        count ${number(place[0], by === "pips" ? 0 : 1)}, lead ${number(place[1], by === "pips" ? 0 : 1)}; ${data.action ?? "no cube decision"}.</p>`}
    </${Section}>
    <${Sheets} />`;
}

/** The roller's count, and the opponent's above it. */
function placed({ roller, opponent }, by) {
  return [roller[by], opponent[by] - roller[by]];
}

function Sheets() {
  const [state, setState] = useState({});
  useEffect(() => {
    get("/sheets").then(
      ({ sheets }) => setState({ sheets }),
      (error) => setState({ problem: error.message }),
    );
  }, []);
  return html`<${Section} title="Sheets to print" id="sheets">
    <${Sentence}>${state.problem}</${Sentence}>
    <ul class="sheets">${state.sheets?.map(({ name, title, pdf }) => html`<li key=${name}>
      <span>${title}</span> <a href=${pdf}>PDF A4</a> <a href=${`${pdf}?paper=letter`}>PDF letter</a></li>`)}</ul>
  </${Section}>`;
}
