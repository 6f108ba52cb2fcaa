// A doubling chart: leads at which the action turns, by the roller's count.

import { html } from "./vendor/htm-preact.js";
import { useNarrow } from "./ui.js";

const [LEFT, RIGHT, TOP, BOTTOM] = [34, 16, 8, 46];

const KINDS = ["none", "double", "redouble", "pass"];

/** `chart` is that of the server; `place` the race's own count and lead, or null. */
export function DoublingChart({ chart, place }) {
  const narrow = useNarrow();
  const [WIDTH, HEIGHT] = narrow ? [330, 340] : [720, 440];
  const { counts, formula } = chart;
  const lines = [chart.double, chart.redouble, chart.last_take];
  const leads = [...lines, ...(formula ? [formula.double, formula.last_take] : [])]
    .flat().filter((lead) => lead != null);
  const [first, last] = [counts[0], counts.at(-1)];
  const shown = place && place[0] >= first && place[0] <= last ? place : null;
  const low = Math.floor(Math.min(-2, ...leads)) - 1;
  const high = Math.ceil(Math.max(...leads)) + 3;
  const x = (count) => LEFT + ((WIDTH - LEFT - RIGHT) * (count - first)) / (last - first);
  const y = (lead) => TOP + ((HEIGHT - TOP - BOTTOM) * (high - Math.min(high, Math.max(low, lead)))) / (high - low);
  const within = (count) => x(Math.min(last, Math.max(first, count)));
  // A count's lead holds from half a step before it to half a step behind.
  const half = (counts[1] - counts[0]) / 2;
  const points = (xs, ys) => xs.flatMap((count, i) =>
    ys[i] == null ? [] : [-half, half].map((by) => `${within(count + by)} ${y(ys[i])}`));
  const line = (xs, ys) => `M${points(xs, ys).join("L")}`;
  const between = (over, under) =>
    `${line(counts, over)}L${points(counts, under).reverse().join("L")}z`;
  const top = counts.map(() => high);
  const bottom = counts.map(() => low);
  const edges = [bottom, ...lines, top];
  const names = ["No double", "Double", "Redouble", "Pass"].flatMap((text, i) => {
    const outer = i === 0 || i === 3;
    const ends = outer ? [0.7, 0.7] : [0.6, 0.9]; // Between lines a name follows them.
    const [from, to] = ends.map((share) => along(edges[i], edges[i + 1], counts, share));
    if (!from || !to || y(from.low) - y(from.high) < 17) return [];
    const [x1, x2, y1, y2] = [x(from.count), x(to.count), y(from.middle), y(to.middle)];
    const turn = outer ? 0 : (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
    const at = `${(x1 + x2) / 2} ${(y1 + y2) / 2}`;
    return [{ text, kind: KINDS[i], move: `translate(${at}) rotate(${turn})` }];
  });
  return html`<figure class="chart">
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"
      aria-label="Leads at which to double, to redouble and to pass, by the roller's count">
      <path class="fill none" d=${between(chart.double, bottom)} />
      <path class="fill double" d=${between(chart.redouble, chart.double)} />
      <path class="fill redouble" d=${between(chart.last_take, chart.redouble)} />
      <path class="fill pass" d=${between(top, chart.last_take)} />
      ${steps(low, high, 5).map((lead) => html`<g class="axis">
        <path d=${`M${LEFT} ${y(lead)}H${WIDTH - RIGHT}`} class=${lead ? "" : "zero"} />
        <text x=${LEFT - 8} y=${y(lead) + 4} text-anchor="end">${lead}</text></g>`)}
      ${steps(first, last, narrow ? 20 : 10).map((count) => html`<text class="axis" x=${x(count)}
        y=${HEIGHT - BOTTOM + 18} text-anchor="middle">${count}</text>`)}
      <text class="axis" x=${(LEFT + WIDTH - RIGHT) / 2} y=${HEIGHT - 6} text-anchor="middle">your count; upwards, the opponent's less yours</text>
      ${lines.map((ys) => html`<path class="turn" d=${line(counts, ys)} />`)}
      ${formula && ["double", "redouble", "last_take"].map((name) => formula[name] &&
        html`<path class="formula" d=${line(formula.counts, formula[name])} />`)}
      ${names.map(({ text, kind, move }) => html`<text text-anchor="middle" dy="5"
        class=${`name ${kind}`} transform=${move}>${text}</text>`)}
      ${shown && html`<circle class="place" cx=${x(shown[0])} cy=${y(shown[1])} r="7" />`}
    </svg>
    ${formula && html`<figcaption class="note">Dashed: ${formula.name}.</figcaption>`}
  </figure>`;
}

function steps(low, high, by) {
  const first = Math.ceil(low / by);
  return Array.from({ length: Math.floor(high / by) - first + 1 }, (_, i) => (first + i) * by);
}

/** Between two lines, at a share of the way along the counts. */
function along(under, over, counts, share) {
  const i = Math.round(share * (counts.length - 1));
  const [low, high] = [under[i], over[i]];
  return low == null || high == null ? null : { count: counts[i], low, high, middle: (low + high) / 2 };
}
