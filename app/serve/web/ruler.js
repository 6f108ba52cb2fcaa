// Scale of win probabilities, with the doubling window of this roller and the race's own
// value.
// @ts-check

import { html } from "./vendor/htm-preact.js";
import { percent, useNarrow } from "./ui.js";

const [LETTER, NARROW, WIDE] = [8, 320, 400]; // Width of a letter, and minimum widths on a phone and beside a board, in pixels.

/**
 * `window` has the win probabilities at which the right action changes. Each is a range,
 * because the right action at a win probability depends on the opponent's position. While
 * `busy` is true, the window is that of the previous race. After a short wait `old` is true
 * as well, and the distances from the window are not shown.
 */
export function Ruler({ chance, window, action, owned, busy, old }) {
  const { first_double: wait, last_no_double: doubled, first_pass: taken, last_take: passed } = window;
  const low = chance < 0.45 ? 0 : 0.4;
  const at = (x) => `${(100 * (Math.min(1, Math.max(low, x)) - low)) / (1 - low)}%`;
  const bands = [
    [low, edge(wait, doubled, 1)[0], "none", "No double"],
    [edge(wait, doubled, 1)[1], edge(taken, passed, 1)[0], "double", owned ? "Redouble" : "Double"],
    [edge(taken, passed, 1)[1], 1, "pass", "Pass"],
  ].filter(([from, to]) => to > from);
  const mixed = [edge(wait, doubled, null), edge(taken, passed, null)].filter(
    ([from, to]) => from != null && to > from,
  );
  const narrow = useNarrow();
  const all = narrow ? [0, 0.2, 0.4, 0.6, 0.8, 1] : [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
  const ticks = all.filter((x, i) => x >= low && (low || i % 2 === 0));
  const near = chance - low < 0.12 * (1 - low) ? "start" : chance > 0.95 ? "end" : "middle";
  const told = old ? "Computing where doubling and passing begin …" : distances(chance, window, action);
  return html`<figure class="ruler" aria-busy=${busy}>
    <svg width="100%" height="74" role="img" aria-label=${told}>
      <defs><pattern id="either" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="6" height="6" class="ground" /><rect width="2.5" height="6" class="stripe" /></pattern></defs>
      ${bands.map(([from, to, kind]) => html`<rect class=${kind} x=${at(from)} y="24" height="26"
        width=${`${(100 * (to - from)) / (1 - low)}%`} />`)}
      ${mixed.map(([from, to]) => html`<rect fill="url(#either)" x=${at(from)} y="24" height="26"
        width=${`${(100 * (to - Math.max(from, low))) / (1 - low)}%`} />`)}
      ${bands.map(([from, to, kind, text]) => {
        const place = placeOf(kind, from, to, (text.length * LETTER + 20) * ((1 - low) / (narrow ? NARROW : WIDE)), chance);
        return place && html`<text class=${`band ${kind}`} x=${at(place.x)} y="42" text-anchor=${place.anchor}
          dx=${{ start: 8, middle: 0, end: -8 }[place.anchor]}>${text}</text>`;
      })}
      ${ticks.map((x) => html`<text class="tick" x=${at(x)} y="68"
        text-anchor=${x === low ? "start" : x === 1 ? "end" : "middle"}>${percent(x, 0)}</text>`)}
      <line class="place" x1=${at(chance)} x2=${at(chance)} y1="19" y2="55" />
      <text class="here" x=${at(chance)} y="14" text-anchor=${near}>${percent(chance)}</text>
    </svg>
    <figcaption class="note">${told}${
      !old && mixed.length > 0 && " Hatched: the correct action depends on the opponent's position."}${
      !old && window.by_model && " These limits are estimates by the fast model."}</figcaption>
  </figure>`;
}

/**
 * Position of a label on the scale, `wide` units long, so that the marker at `chance` does
 * not cover it; null if there is no room.
 */
function placeOf(kind, from, to, wide, chance) {
  if (to - from < wide) return null;
  const middle = (from + to) / 2;
  const places = {
    start: { x: from, anchor: "start", left: from },
    middle: { x: middle, anchor: "middle", left: middle - wide / 2 },
    end: { x: to, anchor: "end", left: to - wide },
  };
  const order = { none: ["start", "end"], pass: ["end", "start"] }[kind] ?? ["middle", "start", "end"];
  return order.map((name) => places[name]).find(({ left }) => chance < left || chance > left + wide) ?? null;
}

/**
 * Describe how far the win probability is from the doubling point and the cash point, and
 * whether the right action in this race is different.
 */
function distances(chance, window, action) {
  const points = [
    ["doubling begins", window.first_double, window.last_no_double, /double, /.test(action)],
    ["passing begins", window.first_pass, window.last_take, action.endsWith(", pass")],
  ].filter(([, from, to]) => from != null || to != null);
  const told = points.map(([what, from, to, is]) => {
    const [low, high] = edge(from, to, null);
    const where = `where ${what} (${range(low, high)})`;
    if (chance < low) return `${away(low - chance)} below ${where}${is ? ", but correct in this position" : ""}`;
    if (chance > high) return `${away(chance - high)} above ${where}`;
    return `within the range ${where}`;
  });
  if (!told.length) return `You win ${percent(chance)} without the cube.`;
  return `You win ${percent(chance)} without the cube: ${told.join(", ")}.`;
}

function away(x) {
  return `${(100 * x).toFixed(1)} points`;
}

function range(low, high) {
  const [from, to] = [percent(low, 1), percent(high, 1)];
  return from === to ? from : `${from.replace("%", "")} to ${to}`;
}

/**
 * Both ends of a limit of the window, in ascending order; `none` if the action never
 * changes.
 */
function edge(one, two, none) {
  const ends = [one ?? two ?? none, two ?? one ?? none];
  return ends[0] <= ends[1] ? ends : [ends[1], ends[0]];
}
