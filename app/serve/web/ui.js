// Small components that all views use.
// @ts-check

import { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor/htm-preact.js";
import { served } from "./api.js";

export const MINUS = "−";

/** Format a number with its sign, as +0.4722 or −0.0310. */
export function signed(value, digits = 4) {
  const text = Math.abs(value).toFixed(digits);
  return (value < 0 && Number(text) ? MINUS : "+") + text;
}

/** Format a probability, as 65.24%. */
export function percent(chance, digits = 2) {
  return chance == null ? "–" : `${(100 * chance).toFixed(digits)}%`;
}

/** Format a number, or a dash if there is none. */
export function number(value, digits = 2) {
  return value == null ? "–" : value.toFixed(digits).replace("-", MINUS);
}

/** Format a number with its noun in the singular (`one`) or plural (`many`). */
export const counted = (n, one, many = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

/** Ticks of an axis from 0 to at least `most`: round numbers with distinct labels. */
export function ticksTo(most) {
  const power = 10 ** Math.floor(Math.log10(most / 4));
  const step = [1, 2, 5, 10].find((times) => times * power * 4 >= most * (1 - 1e-9)) * power;
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, i) => ({
    value: i * step, text: i ? (i * step).toFixed(digits) : "0",
  }));
}

/** Let a screen reader say a sentence; an immediate repetition is said only once. */
export function announce(sentence) {
  const live = document.getElementById("live");
  if (live.textContent !== sentence) live.textContent = sentence;
}

/** Whether the page is as narrow as a phone. */
export function useNarrow() {
  const query = matchMedia("(max-width: 40rem)");
  const [narrow, setNarrow] = useState(query.matches);
  useLayoutEffect(() => {
    const turned = () => setNarrow(query.matches);
    query.addEventListener("change", turned);
    return () => query.removeEventListener("change", turned);
  }, []);
  return narrow;
}

/**
 * Index in `xs` of the value nearest to the pointer in a picture that is `wide` units across:
 * { at, pointing }; `at` is null if the pointer is elsewhere, `pointing` has the event
 * handlers.
 */
export function usePointed(xs, wide) {
  const [at, setAt] = useState(/** @type {number | null} */ (null));
  const onPointerMove = (event) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const far = xs.map((x) => Math.abs(x - ((event.clientX - left) * wide) / width));
    setAt(far.indexOf(Math.min(...far)));
  };
  return { at, pointing: { onPointerMove, onPointerLeave: () => setAt(null) } };
}

/** An error message of the program. */
export function Sentence({ children }) {
  return children ? html`<p class="sentence" role="alert">${children}</p>` : null;
}

/**
 * The right decision in large letters, with its source below. `close` means that the errors
 * are too large to be sure.
 */
export function Verdict({ action, close, children }) {
  return html`<div class="verdict">
    <p class="action">${capital(action ?? "No cube decision")}</p>
    ${children && html`<p class="source">${close && html`<strong class="close">${close}</strong> `}${children}</p>`}
  </div>`;
}

/** Whether a cost is displayed as more than 0; otherwise the decision is not a mistake. */
export const isSeen = (cost, digits = 4) => cost >= 0.5 * 10 ** -digits;

/**
 * The cost of a choice, or a mark if it is the best one; empty if the choice is no longer
 * possible.
 */
export function Cost({ of, digits = 4 }) {
  if (of == null) return null;
  return isSeen(of, digits) ? html`<span class="cost">${of.toFixed(digits)}</span>`
    : html`<span class="good"><span aria-hidden="true">✓ </span>best</span>`;
}

/** A term that the glossary explains; plain text without a server. */
export const Term = ({ id, children }) => (served ? html`<a class="term" href=${`#/glossary/${id}`}>${children}</a>` : children);

/** CSS class of a table row, by the cost of its decision. */
export const markOf = (cost, digits = 4) => (cost == null || isSeen(cost, digits) ? "" : "best");

/** Whether two names are equal, ignoring case. */
export const same = (one, other) => one.toLowerCase() === other.toLowerCase();

export function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

/** A control with a label; `hint` is below the control and not part of its name. */
export function Field({ label, hint, children }) {
  return html`<div class="field"><label class="field"><span class="label">${label}</span>${children}</label>${
    hint && html`<span class="hint">${hint}</span>`}</div>`;
}

/** A text field that reports its value when the user presses Enter or leaves the field. */
export function Typed({ label, hint = undefined, value, onChange, ...more }) {
  const [text, setText] = useState(value);
  // This runs before the next input, which would otherwise be overwritten.
  useLayoutEffect(() => setText(value), [value]);
  return html`<${Field} label=${label} hint=${hint}><input type="text" autocomplete="off" ...${more} value=${text}
    onInput=${(event) => setText(event.target.value)} onChange=${(event) => onChange?.(event.target.value.trim())} /></${Field}>`;
}

/**
 * A choice among a few options, all of which are visible. `options` are [value, text]
 * pairs.
 */
export function Choice({ label, name, value, options, onChange }) {
  return html`<fieldset class="choice"><legend>${label}</legend><div class="segments">${
    options.map(([key, text]) => html`<label key=${key}>
      <input type="radio" name=${name} checked=${key === value}
        onChange=${() => onChange(key)} /><span>${text}</span>
    </label>`)}</div></fieldset>`;
}

/**
 * A choice among many options. `options` are [value, text] pairs with strings as values;
 * `groups` are [label, options] pairs below them.
 */
export function Select({ label, name = undefined, value, options = [], groups = [], onChange, hint = undefined }) {
  const listed = (some) => some.map(([key, text]) =>
    html`<option key=${key} value=${key} selected=${key === value}>${text}</option>`);
  return html`<${Field} label=${label} hint=${hint}>
    <select name=${name} value=${value} onChange=${(event) => onChange(event.target.value)}>${listed(options)}
      ${groups.map(([text, some]) => html`<optgroup key=${text} label=${text}>${listed(some)}</optgroup>`)}
    </select></${Field}>`;
}

/**
 * A table. `columns` are { head, cell(row), align: "left" | "right", scope: true, wide: true
 * }: scope marks the column that names its row, wide a column that phones omit. `mark(row)`
 * is a CSS class of the row.
 */
export function Table({ caption, columns, rows, mark, hideCaption }) {
  const area = useRef(null);
  const scrolls = useScrolls(area);
  return html`<div class="table" ref=${area} tabindex=${scrolls ? 0 : undefined}
      role=${scrolls ? "group" : undefined} aria-label=${scrolls ? caption : undefined}><table>
    <caption class=${hideCaption && "hidden"}>${caption}</caption>
    <thead><tr>${columns.map((c) =>
      html`<th scope="col" class=${look(c)}>${c.head}</th>`)}</tr></thead>
    <tbody>${rows.map((row, place) => html`<tr class=${mark?.(row)}>${columns.map((c) =>
      c.scope
        ? html`<th scope="row" class=${look(c)}>${c.cell(row, place)}</th>`
        : html`<td class=${look(c)}>${c.cell(row, place)}</td>`)}</tr>`)}
    </tbody></table></div>`;
}

/**
 * Whether the content is wider than its area, so that it must be scrollable by keyboard.
 */
function useScrolls(area) {
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const measured = () => setScrolls(area.current.scrollWidth > area.current.clientWidth);
    const observer = new ResizeObserver(measured);
    observer.observe(area.current);
    observer.observe(area.current.firstElementChild);
    return () => observer.disconnect();
  }, []);
  return scrolls;
}

const look = ({ align, scope, wide }) =>
  `${align ?? (scope ? "left" : "right")} ${wide ? "wide" : ""}`;

/**
 * A value on a scale from `low` to `high`, with its error on both sides, described by
 * `label`.
 */
export function ErrorBar({ value, error = 0, low, high, label }) {
  const at = (x) => 100 * Math.min(1, Math.max(0, (x - low) / (high - low)));
  const [from, to] = [at(value - error), at(value + error)];
  const marks = [0, 1].filter((x) => low < x && x < high);
  return html`<svg class="errorbar" viewBox="0 0 100 10" preserveAspectRatio="none"
      role="img" aria-label=${label}>
    <path class="base" d="M0 5H100" />
    ${marks.map((x) => html`<path class="zero" d="M${at(x)} 1V9" />`)}
    <rect class="span" x=${from} y="2" width=${Math.max(to - from, 0.4)} height="6" />
    <rect class="value" x=${at(value) - 0.6} y="0.5" width="1.2" height="9" />
  </svg>`;
}

/** The axis above several `ErrorBar`s, with ticks at 0 and 1. */
export function Scale({ low, high }) {
  const marks = [0, 1].filter((x) => low < x && x < high);
  const at = (x) => `${(100 * (x - low)) / (high - low)}%`;
  return html`<span class="hidden">On a scale</span>
    <svg class="scale" height="14" aria-hidden="true">${marks.map((x) => {
      // The last label ends at the edge, so that it is not cut off.
      const edge = (x - low) / (high - low) > 0.94;
      return html`<text x=${edge ? "100%" : at(x)} y="12" text-anchor=${edge ? "end" : "middle"}>${x ? "+1" : "0"}</text>`;
    })}</svg>`;
}

/** A section of a view with a heading; while `busy`, it shows previous content. */
export function Section({ title, id, note, busy, children }) {
  return html`<section class="part" aria-labelledby=${id} aria-busy=${busy}>
    <h2 id=${id}>${title}</h2>${note && html`<p class="note">${note}</p>`}${children}
  </section>`;
}
