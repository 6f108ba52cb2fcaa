// A doubling formula applied to the race, compared with the correct decisions.
// @ts-check

import { html, useState } from "./vendor/htm-preact.js";
import { useAnswer, useGet } from "./asking.js";
import { Cost, MINUS, Section, Select, Sentence, Table, capital } from "./ui.js";

export function useFormulas() {
  return useGet("/formulas").data?.formulas ?? [];
}

/** Formulas to choose from, in the program's order: the recommended one first. */
export const optionsOf = (formulas) => formulas.map(({ name, recommended }) =>
  [name, recommended ? `${name} (recommended)` : name]);

export function Formula({ body, score }) {
  const formulas = useFormulas();
  const [name, setName] = useState(null);
  const { data, error, waiting } = useAnswer("/formula", { ...body, formula: name });
  const options = optionsOf(formulas);
  return html`<${Section} title="Over the board" id="formula" busy=${waiting}
      note=${score ? "For money play; the formulas ignore the score." : null}>
    ${options.length > 0 && html`<div class="controls"><${Select} label="Formula"
      value=${name ?? data?.formula ?? options[0][0]} options=${options} onChange=${setName} /></div>`}
    <${Sentence}>${error}</${Sentence}>
    ${data && html`<${Worked} ...${data} />`}
  </${Section}>`;
}

/** @param {import("./types").ExplanationOut} worked */
function Worked({ steps, truth, text, ...said }) {
  const rows = [
    ["Cube in the centre", said.double ? "double" : "no double", truth?.centred?.action, truth?.costs.double],
    ["Your cube", said.redouble ? "redouble" : "no redouble", truth?.owned?.action, truth?.costs.redouble],
    ["Doubled, the opponent", said.take ? "takes" : "passes", taken(truth), truth?.costs.take],
  ];
  const columns = [
    { head: "Decision", scope: true, cell: ([name]) => name },
    { head: "By the formula", align: "left", cell: ([, by]) => by },
    { head: truth?.kind === "exact" ? "Exact" : "Fast model", align: "left", cell: ([, , right]) => right ?? "–" },
    { head: "Cost", cell: ([, , , cost]) => cost != null && html`<${Cost} of=${cost} />` },
  ];
  return html`<p>${text}</p>
    <ol class="steps">${steps.map(({ words, arithmetic }) =>
      html`<li><span>${capital(words)}</span> <span class="arithmetic">${typeset(arithmetic)}</span></li>`)}</ol>
    <${Table} caption="The formula's decisions and the correct decisions" hideCaption columns=${columns} rows=${rows} />`;
}

/** Format a calculation with mathematical signs: 3 × 7 − 2 ≤ 20. */
export function typeset(text) {
  return text.replaceAll(" x ", " × ").replace(/(^|[\s(])-(?=[\s\d])/g, `$1${MINUS}`)
    .replaceAll("<=", "≤").replaceAll(">=", "≥");
}

function taken(truth) {
  const action = truth?.centred?.action;
  return action && (action.endsWith("pass") ? "passes" : "takes");
}
