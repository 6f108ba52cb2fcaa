// Statistics of the trainer: errors by drill, development over time, and misleading
// features.
// @ts-check

import { html } from "./vendor/htm-preact.js";
import { address } from "./api.js";
import { useGet } from "./asking.js";
import { STATISTICS } from "./example.js";
import { AT_MOST } from "./summary.js";
import { Section, Sentence, Table, counted, percent, signed, ticksTo, usePointed } from "./ui.js";

export function Progress() {
  const { data: found, error, trouble } = useGet("/training/statistics");
  if (!found) return html`<${Sentence}>${error ?? trouble}</${Sentence}>`;
  if (found.answers) return html`<${Shown} found=${found} /><${Export} />`;
  return html`<div class="part"><p>No questions have been answered yet. <a href="#/trainer">Answer a question</a>.
      The example shows what you will see here, for a player whose counts of stacks are too low:</p></div>
    <${Shown} found=${STATISTICS} />`;
}

/**
 * Statistics of errors: misleading features, errors by drill, and development over time.
 * @param {{ found: import("./types").Statistics }} given
 */
function Shown({ found }) {
  return html`
    <${Section} title="What misleads you" id="findings"
      note="Tests use the first answer to each question. An effect is shown if chance alone would produce an effect of this size in fewer than 1 of 20 cases, corrected for the number of tests.">
      ${found.findings.length
        ? html`<ul class="findings">${found.findings.map(({ text, low, high, probability }) => html`<li>
            <strong>${text}</strong> <span class="note">${low != null && `Between ${signed(low, 2)} and ${signed(high, 2)}. `}By chance alone: ${asChance(probability)}.</span></li>`)}</ul>`
        : html`<p>No effect beyond chance yet. A test needs about 30 to 40 answers of a kind.</p>`}
    </${Section}>
    <${Section} title="By kind" id="kinds" note=${`${counted(found.answers, "answer")}${found.again ? `, ${found.again} of them to repeated questions, which do not count here` : ""}. ${AT_MOST}`}>
      <${Table} caption="First answers by kind" hideCaption rows=${found.totals} columns=${[
        { head: "Kind", cell: (row) => row.title, scope: true },
        { head: "Answers", cell: (row) => row.whole.answers },
        { head: "Mistakes", cell: (row) => percent(row.whole.mistakes / row.whole.answers, 0) },
        { head: "Error", cell: (row) => measure(row, row.whole) },
        { head: "Too high or low", wide: true, cell: (row) => (row.whole.error == null ? "–" : signed(row.whole.error, 1)) },
        { head: "Seconds", wide: true, cell: (row) => row.whole.seconds.toFixed(0) },
      ]} />
    </${Section}>
    <${Section} title="Over time" id="time" note="Successive blocks of answers: bars show the share of mistakes (left scale), the line shows the mean absolute error (right scale).">
      <div class="courses">${found.totals.map((total) => html`<${Course} key=${total.kind} total=${total} />`)}</div>
    </${Section}>`;
}

function Export() {
  return html`<${Section} title="Export" id="export"><p class="row">
      <a class="button" href=${address("/training/answers.csv")} download>All answers as CSV</a>
      <a class="button" href=${address("/training/mistakes.apkg")} download>Mistakes for Anki</a></p>
    </${Section}>`;
}

const [HIGH, WIDE, LEFT, RIGHT, TOP] = [104, 270, 34, 30, 12];

/**
 * Chart of a drill over time: mistakes as bars (left scale), and the mean error as a line
 * (right scale).
 * @param {{ total: import("./types").KindTotal }} given
 */
function Course({ total }) {
  const { blocks, title } = total;
  const sizes = blocks.map((block) => block.off ?? block.cost);
  const top = ticksTo(Math.max(...sizes, blocks[0].off == null ? 0.001 : 1)).at(-1);
  const step = Math.min((WIDE - LEFT - RIGHT) / blocks.length, 40);
  const end = LEFT + step * blocks.length;
  const x = (i) => LEFT + (i + 0.5) * step;
  const y = (share) => HIGH - 4 - (HIGH - 4 - TOP) * share;
  const said = blocks.map((block) =>
    `${block.since.slice(0, 10)}: ${block.mistakes} of ${block.answers} wrong, error ${measure(total, block)}`);
  const last = blocks.at(-1);
  const { at, pointing } = usePointed(blocks.map((_, i) => x(i)), WIDE);
  return html`<figure class="course"><figcaption><h3>${title}</h3>
      <span class="note">${measure(total, blocks[0])}${blocks.length > 1 ? ` at first, ${measure(total, last)} lately` : ""}</span></figcaption>
    <svg viewBox="0 0 ${WIDE} ${HIGH}" role="img" aria-label=${`${title}. ${said.join(". ")}`} ...${pointing}>
      <path class="base" fill="none" d="M${LEFT} ${y(1)}V${y(0)}H${end}V${y(1)}" />
      <text x=${LEFT - 4} y=${y(1) + 4} text-anchor="end">100%</text><text x=${LEFT - 4} y=${y(0)} text-anchor="end">0</text>
      <text x=${end + 4} y=${y(1) + 4}>${top.text}</text><text x=${end + 4} y=${y(0)}>0</text>
      ${blocks.map((block, i) => html`<rect class="bar" x=${x(i) - step * 0.35} width=${step * 0.7}
        y=${y(block.mistakes / block.answers)} height=${y(0) - y(block.mistakes / block.answers)} />`)}
      <polyline class="line" points=${sizes.map((size, i) => `${x(i)},${y(size / top.value)}`).join(" ")} />
      ${sizes.map((size, i) => html`<circle class="dot" cx=${x(i)} cy=${y(size / top.value)} r=${i === at ? 5 : 3} />`)}
    </svg><p class="note values" aria-hidden="true">${at == null ? "Point at the chart for its values." : `${said[at]}.`}</p></figure>`;
}

function measure({ unit }, block) {
  if (block.off == null) return `${block.cost.toFixed(3)} EMG`;
  return `${block.off.toFixed(1)}${unit === "%" ? "%" : ` ${unit}`}`;
}

const asChance = (p) => (p < 0.0001 ? "less than 0.01%" : percent(p, 2));
