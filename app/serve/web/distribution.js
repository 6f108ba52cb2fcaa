// Number of rolls that each side needs, as two histograms.
// @ts-check

import { html, useEffect, useRef, useState } from "./vendor/htm-preact.js";
import { useAnswer } from "./asking.js";
import { Section, Sentence, Table, number, percent, ticksTo } from "./ui.js";

const SEEN = 0.0005; // Smallest probability that is drawn.
const HIGH = 92;
const TOP = 28; // Room above the bars for the side's name and the highest probability.
const BETWEEN = 22;
const BELOW = 34;
const ROOM = 22; // Minimum distance of two numbers on the axis, in pixels.
const AXIS = 11; // Width of the axis in the middle, in percent.

export function Distribution({ body }) {
  const { data, error, waiting } = useAnswer("/distribution", body);
  return html`<${Section} title="Rolls to bear off" id="distribution" busy=${waiting} note=${data && said(data)}>
    <${Sentence}>${error}</${Sentence}>${data && html`<${Histograms} ...${data} />`}
  </${Section}>`;
}

function said({ roller, opponent }) {
  const one = (name, side) => `${name} ${number(side.mean_rolls)} ± ${number(side.std_rolls)}`;
  const kind = roller.kind === "exact" && opponent.kind === "exact" ? "Exact" : "Estimated";
  return `${one("You", roller)}, ${one("opponent", opponent)} rolls. ${kind}; each side minimises its number of rolls.`;
}

/** @param {import("./types").DistributionsOut} both */
function Histograms({ roller, opponent }) {
  const seen = [roller, opponent].flatMap(({ chances }) =>
    chances.flatMap((chance, rolls) => (chance > SEEN ? [rolls] : [])));
  const [first, last] = [Math.min(...seen), Math.max(...seen)];
  const rolls = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const svg = useRef(null);
  const width = useWidth(svg);
  const most = Math.max(...roller.chances, ...opponent.chances);
  const step = (100 - AXIS) / rolls.length;
  const x = (i) => `${AXIS + i * step}%`;
  const every = Math.ceil(ROOM / ((width * step) / 100));
  const named = (n) => n % every === 0; // Narrow bars have no room for a number at each bar.
  const ticks = ticksTo(most).map(({ value }) => value).filter((chance) => chance > 0 && chance <= most);
  const high = (chance) => (HIGH * chance) / most;
  const axis = (up) => {
    const y = (chance) => (up ? TOP + HIGH - high(chance) : TOP + HIGH + BETWEEN + high(chance));
    return html`<path class="base" d=${`M0.5 ${y(0)}V${y(most)}`} /><line class="base" x1="0" x2="100%" y1=${y(0)} y2=${y(0)} />
      ${ticks.map((chance) => html`<line class="base" x1="0" x2="6" y1=${y(chance)} y2=${y(chance)} />
        <text class="axis" x="9" y=${y(chance) + 4}>${percent(chance, 0)}</text>`)}`;
  };
  const bar = (side, up) => (n, i) => {
    const chance = side.chances[n] ?? 0;
    const y = up ? TOP + HIGH - high(chance) : TOP + HIGH + BETWEEN;
    return html`<g><rect class=${up ? "mine" : "theirs"} x=${x(i + 0.12)} y=${y}
        width=${`${0.76 * step}%`} height=${high(chance)} />
      ${chance > 0.03 && named(n) && html`<text x=${x(i + 0.5)} y=${up ? y - 4 : y + high(chance) + 14}>${(100 * chance).toFixed(0)}</text>`}</g>`;
  };
  const columns = [
    { head: "Rolls", scope: true, cell: (n) => n },
    { head: "You", cell: (n) => percent(roller.chances[n] ?? 0) },
    { head: "Opponent", cell: (n) => percent(opponent.chances[n] ?? 0) },
  ];
  return html`<figure class="histograms">
    <svg ref=${svg} width="100%" height=${TOP + 2 * HIGH + BETWEEN + BELOW} role="img" aria-label="Probability of each number of rolls, in percent; the table below has all of them">
      ${axis(true)}${axis(false)}${rolls.map(bar(roller, true))}${rolls.map(bar(opponent, false))}
      ${rolls.map((n, i) => named(n) && html`<text class="tick" x=${x(i + 0.5)} y=${TOP + HIGH + 16}>${n}</text>`)}
      <text class="side" x="0" y="11">You, %</text>
      <text class="side" x="0" y=${TOP + 2 * HIGH + BETWEEN + BELOW - 3}>Opponent, %</text>
    </svg>
    <details><summary>As a table</summary>
      <${Table} caption="Probability of each number of rolls" hideCaption columns=${columns} rows=${rolls} /></details>
  </figure>`;
}

/** Width of an element, in pixels. */
function useWidth(element) {
  const [width, setWidth] = useState(600); // Width before the element is measured.
  useEffect(() => {
    const observer = new ResizeObserver(([{ contentRect }]) => setWidth(contentRect.width));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return width;
}
