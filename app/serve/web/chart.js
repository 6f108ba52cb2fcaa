// Doubling chart: the leads at which the cube action changes, by the roller's count.
// @ts-check

import { html } from "./vendor/htm-preact.js";
import { MINUS, number, useNarrow, usePointed } from "./ui.js";

const [LEFT, RIGHT, TOP, BOTTOM] = [34, 16, 24, 46];
const NAMES = { double: "double", redouble: "redouble", last_take: "pass" };
const ROOM = 16; // Minimum distance between the names of two lines, in pixels.

const KINDS = ["none", "double", "redouble", "pass"];

/**
 * `chart` is the server's response; `place` is the count and lead of the race, or null.
 * @param {{ chart: import("./types").ChartOut, place: [number, number] | null }} given
 */
export function DoublingChart({ chart, place }) {
  const narrow = useNarrow();
  const { formula } = chart;
  const [width, height] = narrow ? [330, 340] : [720, 440];
  const turns = turnsOf(chart);
  const rules = formula ? turnsOf(formula) : null;
  const { counts } = chart;
  const [first, last] = [counts[0], counts.at(-1)];
  const leads = [turns, rules ?? {}].flatMap(Object.values).flat().filter((lead) => lead != null);
  const low = Math.floor(Math.min(-2, ...leads)) - 1;
  const high = Math.ceil(Math.max(5, ...leads)) + 3;
  const right = rules ? 74 : RIGHT; // Room for the names of the lines of a formula.
  const x = (count) => LEFT + ((width - LEFT - right) * (count - first)) / (last - first);
  const y = (lead) => TOP + ((height - TOP - BOTTOM) * (high - Math.min(high, Math.max(low, lead)))) / (high - low);
  const within = (count) => Math.min(last, Math.max(first, count));
  // The leads for a count are drawn from half a step before the count to half a step after
  // it.
  const half = (counts[1] - counts[0]) / 2;
  const points = (xs, ys) => xs.flatMap((count, i) =>
    ys[i] == null ? [] : [-half, half].map((by) => `${x(within(count + by))} ${y(ys[i])}`));
  const line = (xs, ys) => (ys.some((lead) => lead != null) ? `M${points(xs, ys).join("L")}` : "");
  const between = (over, under) => {
    const both = [...points(counts, over), ...points(counts, under).reverse()];
    return both.length ? `M${both.join("L")}z` : "";
  };
  const edges = edgesOf(turns, counts, low, high);
  const { at, pointing } = usePointed(counts.map(x), width);
  return html`<figure class="chart">
    <svg viewBox="0 0 ${width} ${height}" role="img" ...${pointing}
      aria-label="Leads at which to double, to redouble and to pass, by the roller's count">
      ${KINDS.map((kind, i) => html`<path class=${`fill ${kind}`} d=${between(edges[i + 1], edges[i])} />`)}
      ${steps(low, high, 5).map((lead) => html`<g class="axis">
        <path d=${`M${LEFT} ${y(lead)}H${width - right}`} class=${lead ? "" : "zero"} />
        <text x=${LEFT - 8} y=${y(lead) + 4} text-anchor="end">${String(lead).replace("-", MINUS)}</text></g>`)}
      ${steps(first, last, narrow ? 20 : 10).map((count) => html`<g class="axis"><text x=${x(count)}
        y=${height - BOTTOM + 18} text-anchor="middle">${count}</text>
        <path class="tick" d=${`M${x(count)} ${height - BOTTOM}v5`} /></g>`)}
      <path class="frame" d=${`M${LEFT} ${TOP}V${height - BOTTOM}H${width - right}`} />
      <text class="axis" x=${(LEFT + width - right) / 2} y=${height - 6} text-anchor="middle">Your count</text>
      <text class="axis" x="0" y="14">Your lead</text>
      ${Object.values(turns).map((ys) => html`<path class="turn" d=${line(counts, ys)} />`)}
      ${rules && ["casing", "formula"].map((layer) => Object.entries(rules).map(([name, ys]) =>
        html`<path class=${`${layer} ${name}`} d=${middles(formula.counts, ys, x, y)} />`))}
      ${rules && named(rules, y).map(({ name, at }) => html`<text class="formula-name" x=${width - right + 5}
        y=${at + 4}>${NAMES[name]}</text>`)}
      ${areas(edges, namesOf(turns), counts, x, y).map(({ text, kind, move }) => html`<text text-anchor="middle" dy="5"
        class=${`name ${kind}`} transform=${move}>${text}</text>`)}
      ${at != null && html`<path class="pointed" d=${`M${x(counts[at])} ${TOP}V${height - BOTTOM}`} />`}
      ${place && html`<${Place} place=${place} x=${x} y=${y} counts=${[first, last]} leads=${[low, high]} />`}
    </svg>
    <p class="note values">${at == null ? "Point at the chart for its values." : valuesAt(counts[at], turns, at)}</p>
    ${formula && html`<figcaption class="note">Dashed lines: leads at which ${formula.name} doubles, redoubles and passes, by its own count.</figcaption>`}
  </figure>`;
}

/** Describe in words the leads at which the action changes, for one count. */
function valuesAt(count, turns, at) {
  const leads = Object.entries(turns).flatMap(([name, ys]) =>
    ys[at] == null ? [] : [name === "last_take" ? `pass beyond ${number(ys[at], 1)}` : `${NAMES[name]} from ${number(ys[at], 1)}`]);
  return `Count ${number(count, Number.isInteger(count) ? 0 : 1)}, lead: ${leads.join(", ") || "no double at any lead"}.`;
}

/**
 * Mark the count and lead of the race. If they are outside the chart, an arrow at the edge
 * shows the numbers.
 */
function Place({ place: [count, lead], x, y, counts, leads }) {
  const inside = (value, [from, to]) => Math.min(to, Math.max(from, value));
  const [cx, cy] = [x(inside(count, counts)), y(inside(lead, leads))];
  const [right, up] = [count - inside(count, counts), lead - inside(lead, leads)];
  if (!right && !up) return html`<circle class="place" cx=${cx} cy=${cy} r="7" />`;
  const turn = (Math.atan2(-Math.sign(up), Math.sign(right)) * 180) / Math.PI;
  const middle = (counts[0] + counts[1]) / 2;
  const [anchor, dx] = count < middle ? ["start", 14] : ["end", -14];
  const said = up ? `lead ${Math.round(lead)}` : `count ${Math.round(count)}`;
  return html`<g class="beyond"><path class="place" d="M9 0L-7 -8V8z" transform=${`translate(${cx} ${cy}) rotate(${turn}) translate(-10 0)`} />
    <text class="here" x=${cx + dx} y=${cy + (up < 0 ? -8 : 14)} text-anchor=${anchor}>${said.replace("-", MINUS)}, beyond the chart</text></g>`;
}

/**
 * Boundaries between actions: half a step below the first lead of an action, and half a
 * step above the last take.
 * @param {import("./types").ChartOut | import("./types").RuleOut} lines
 */
function turnsOf({ step, double, redouble, last_take }) {
  const moved = (leads, by) => leads.map((lead) => (lead == null ? null : lead + by));
  return {
    double: moved(double, -step / 2),
    redouble: moved(redouble, -step / 2),
    last_take: moved(last_take, step / 2),
  };
}

/**
 * Line of a formula through the middles of its steps. Drawn as steps, the lines of several
 * formulas would overlap.
 */
function middles(counts, ys, x, y) {
  const starts = counts.flatMap((_, i) => (ys[i] != null && ys[i] !== ys[i - 1] ? [i] : []));
  const points = starts.map((i) => {
    const end = ys.findIndex((lead, j) => j > i && lead !== ys[i]);
    const last = end < 0 ? counts.length - 1 : end - 1;
    return { from: counts[i], to: counts[last], lead: ys[i] };
  });
  const line = points.map(({ from, to, lead }, i) => {
    const at = i === 0 ? from : i === points.length - 1 ? to : (from + to) / 2;
    return `${x(at)} ${y(lead)}`;
  });
  return line.length ? `M${line.join("L")}` : "";
}

/**
 * Boundaries of the areas, from the bottom up. If no lead reaches an action, its boundary
 * is at the top.
 */
function edgesOf(turns, counts, low, high) {
  const lines = counts.map((_, i) =>
    Object.values(turns).map((ys) => ys[i] ?? high).sort((a, b) => a - b));
  return [counts.map(() => low), ...[0, 1, 2].map((k) => lines.map((leads) => leads[k])), counts.map(() => high)];
}

/**
 * Actions in the areas, from the bottom up. At some scores, redoubles begin at smaller
 * leads than doubles.
 */
function namesOf({ double, redouble }) {
  const sooner = double.filter((lead, i) => (redouble[i] ?? Infinity) < (lead ?? Infinity)).length;
  return 2 * sooner > double.length
    ? ["No double", "Redouble only", "Double, redouble", "Pass"]
    : ["No double", "Double", "Double, redouble", "Pass"];
}

/** Vertical positions of the names at the right ends of the lines, without overlaps. */
function named(lines, y) {
  const ends = Object.entries(lines).flatMap(([name, ys]) => {
    const end = ys.findLast((lead) => lead != null);
    return end == null ? [] : [{ name, at: y(end) }];
  });
  ends.sort((a, b) => b.at - a.at);
  ends.forEach((one, i) => {
    if (i) one.at = Math.min(one.at, ends[i - 1].at - ROOM);
  });
  return ends;
}

/** Names of the areas, each in the middle of its area if there is room. */
function areas(edges, names, counts, x, y) {
  return names.flatMap((text, i) => {
    const outer = i === 0 || i === 3;
    const ends = outer ? [0.7, 0.7] : [0.6, 0.9]; // A name between two lines follows their slope.
    const [from, to] = ends.map((share) => along(edges[i], edges[i + 1], counts, share));
    if (y(from.low) - y(from.high) < 17) return [];
    const [x1, x2, y1, y2] = [x(from.count), x(to.count), y(from.middle), y(to.middle)];
    const turn = outer ? 0 : (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
    const at = `${(x1 + x2) / 2} ${(y1 + y2) / 2}`;
    return [{ text, kind: KINDS[i], move: `translate(${at}) rotate(${turn})` }];
  });
}

function steps(low, high, by) {
  const first = Math.ceil(low / by);
  return Array.from({ length: Math.floor(high / by) - first + 1 }, (_, i) => (first + i) * by);
}

/** Interpolate between the ends of a line, at a fraction of the range of counts. */
function along(under, over, counts, share) {
  const i = Math.round(share * (counts.length - 1));
  return { count: counts[i], low: under[i], high: over[i], middle: (under[i] + over[i]) / 2 };
}
