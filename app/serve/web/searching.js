// Search fields of the library, created from the program's descriptions.
// @ts-check

import { html, useState } from "./vendor/htm-preact.js";
import { useGet, useNews } from "./asking.js";
import { Decisions } from "./found.js";
import { Files } from "./taking.js";
import { Section, Select, Sentence, Typed, capital } from "./ui.js";

/** @typedef {import("./types").FieldOut} FieldOut */

const A_PAGE = 50;
const MOST = 500;

const SORTS = [["cost", "the costliest first"], ["date", "the newest first"], ["pips", "the longest race first"]];

/** Fields that are always visible; the other fields appear after a click on "More". */
const SHOWN = ["player", "opponent", "kind", "text", "mistakes"];

/** @type {{ values: Record<string, string>, sort: string }} */
let chosenBefore = { values: {}, sort: "cost" };

/** @param {{ about: import("./types").LibraryOut, place: import("./library.js").Place }} given */
export function Search({ about, place }) {
  const [{ values, sort }, setWish] = useState(chosenBefore);
  const [most, setMost] = useState(A_PAGE);
  const change = (next) => {
    setMost(A_PAGE);
    setWish((chosenBefore = { values, sort, ...next }));
  };
  const query = [...queryOf(values), ...Object.entries({ ...place.query, sort, most })];
  const { data, error, trouble, waiting } = useGet("/library/decisions", query, useNews("library"));
  const rows = data?.decisions ?? [];
  return html`<${Section} title="Decisions" id="search" note="Costs are in EMG: points divided by the current value of the cube.">
    <${SearchForm} fields=${about.fields} shown=${SHOWN} values=${values} about=${about} onChange=${(next) => change({ values: next })}>
      <${Select} label="Sort by" value=${sort} options=${SORTS} onChange=${(next) => change({ sort: next })} />
    </${SearchForm}>
    <${Sentence}>${error ?? trouble}</${Sentence}>
    <div class="results" aria-busy=${waiting}>${data && html`<p role="status">${data.found === 0 ? "No decisions were found." : `${data.found.toLocaleString("en")} found${rows.length < data.found ? `; ${rows.length} shown` : ""}.`}</p>`}
    ${rows.length > 0 && html`<${Decisions} caption="Decisions found" rows=${rows} chosen=${undefined}
      hrefOf=${(row) => `${place.root}/${row.reference}`}
      more=${[{ head: "Day", align: "left", wide: true, cell: (row) => html`<span class="day">${row.day}</span>` }]} />`}
    ${data && rows.length < data.found && most < MOST && html`<p><button type="button" onClick=${() => setMost(Math.min(most + 150, MOST))}>More</button></p>`}</div>
    ${rows.length > 0 && html`<${Files} query=${[...queryOf(values), ...Object.entries(place.query)]} />`}
  </${Section}>`;
}

/**
 * Search fields with the program's descriptions; those in `shown` are always visible.
 * @param {{ fields: FieldOut[], shown: string[], values: Record<string, string>,
 *   about: import("./types").LibraryOut, onChange: (values: Record<string, string>) => void,
 *   children?: unknown }} given
 */
export function SearchForm({ fields, shown, values, about, onChange, children }) {
  const input = (one) => html`<${Wanted} key=${one.name} one=${one} value=${values[one.name] ?? ""} />`;
  const rest = fields.filter(({ name }) => !shown.includes(name));
  const first = fields.filter(({ name }) => shown.includes(name));
  const open = rest.some(({ name }) => values[name]);
  const searched = (event) => {
    event.preventDefault();
    onChange(filledIn(event.currentTarget));
  };
  return html`<form class="searched" onChange=${(event) => onChange(filledIn(event.currentTarget))} onSubmit=${searched}>
    <datalist id="players">${about.players.map(({ name }) => html`<option key=${name} value=${name} />`)}</datalist>
    <div class="fields">${first.filter(isTyped).map(input)}${children}${first.filter((one) => !isTyped(one)).map(input)}</div>
    <details open=${open || undefined}><summary>More search fields</summary><div class="fields">${rest.map(input)}</div></details>
    <p class="row"><button class="first">Search</button>
      ${Object.values(values).some(Boolean) && html`<button type="button" onClick=${() => onChange({})}>Clear</button>`}</p>
  </form>`;
}

/** @param {FieldOut} one */
const isTyped = ({ placeholder }) => placeholder !== "";

/**
 * Values of the search fields, including the field that is being edited.
 * @param {HTMLFormElement} form
 * @returns {Record<string, string>}
 */
function filledIn(form) {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));
}

/** @param {{ one: FieldOut, value: string }} given */
function Wanted({ one, value }) {
  const { name, words, choices } = one;
  const label = capital(name);
  if (!isTyped(one)) {
    return html`<label class="check" title=${words}><input type="checkbox" name=${name} value="true" checked=${Boolean(value)} />${words.replace(/\.$/, "")}</label>`;
  }
  if (choices.length) {
    return html`<${Select} label=${label} name=${name} value=${value} onChange=${() => {}}
      options=${[["", "any"], ...choices.map((choice) => [choice, choice])]} />`;
  }
  const people = name === "player" || name === "opponent";
  return html`<${Typed} label=${label} hint=${words} name=${name} value=${value} maxlength="200"
    list=${people ? "players" : undefined} />`;
}

/**
 * Search parameters as pairs; one text field may hold several features.
 * @param {Record<string, string>} values
 * @returns {[string, unknown][]}
 */
export function queryOf(values) {
  return Object.entries(values).flatMap(([name, value]) => {
    if (!value) return [];
    const parts = name === "feature" ? value.replace(/\s*([<>=]+)\s*/g, "$1").split(/[\s,]+/) : [value];
    return parts.map((part) => /** @type {[string, unknown]} */ ([name, part]));
  });
}
