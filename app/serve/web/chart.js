// A doubling chart: leads at which the action turns, by the roller's count.

import { html } from "./vendor/htm-preact.js";
import { useNarrow } from "./ui.js";

const [LEFT, RIGHT, TOP, BOTTOM] = [34, 16, 8, 46];

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
  const points = (xs, ys) => xs.flatMap((count, i) => (ys[i] == null ? [] : [`${x(count)} ${y(ys[i])}`]));
  const line = (xs, ys) => `M${points(xs, ys).join("L")}`;
  const between = (over, under) =>
    `${line(counts, over)}L${points(counts, under).reverse().join("L")}z`;
  const top = counts.map(() => high);
  const bottom = counts.map(() => low);
  const ends = [low, ...lines.map((ys) => ys.findLast((lead) => lead != null) ?? low), high];
  const names = ["No double", "Double", "Redouble", "Pass"].map((text, i) => ({
    text,
    kind: ["none", "double", "redouble", "pass"][i],
    lead: (ends[i] + ends[i + 1]) / 2,
    room: y(ends[i]) - y(ends[i + 1]),
  }));
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
      ${names.map(({ text, kind, lead, room }) => room > 15 && html`<text text-anchor="end"
        class=${`name ${kind}`} x=${WIDTH - RIGHT - 8} y=${y(lead) + 5}>${text}</text>`)}
      ${shown && html`<circle class="place" cx=${x(shown[0])} cy=${y(shown[1])} r="7" />`}
    </svg>
    ${formula && html`<figcaption class="note">Dashed: ${formula.name}.</figcaption>`}
  </figure>`;
}

function steps(low, high, by) {
  const first = Math.ceil(low / by);
  return Array.from({ length: Math.floor(high / by) - first + 1 }, (_, i) => (first + i) * by);
}
