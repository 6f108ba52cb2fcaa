// Progress over time: ratings, errors in races compared with other players, and luck.
// @ts-check

import { html, useState } from "./vendor/htm-preact.js";
import { useGet, useNews } from "./asking.js";
import { choose, whose } from "./sets.js";
import { Section, Select, Sentence, Table, Term, Typed, counted, percent, signed, ticksTo, useNarrow, usePointed } from "./ui.js";

/** @typedef {import("./types").ProgressOut} ProgressOut */
/** @typedef {import("./types").GroupOut} GroupOut */
/** @typedef {import("./types").MeanOut} MeanOut */

const NAMES = { all: "All", kind: "Kind", stakes: "Stakes", length: "Length", gaps: "Gaps", stack: "Tallest stack", crossovers: "Crossovers", opponents: "Opponents" };

let chosenBefore = { since: "", until: "" };

/** @param {{ about: import("./types").LibraryOut, place: import("./library.js").Place }} given */
export function Improving({ about, place }) {
  const [wish, setWish] = useState({ ...chosenBefore, player: place.example ? "" : whose() });
  const change = (name, value) => {
    const { player, ...days } = { ...wish, [name]: value };
    if (name === "player" && !place.example) choose(player || null);
    chosenBefore = days;
    setWish({ ...days, player });
  };
  const named = about.names.length > 0;
  const known = about.players.some(({ name }) => name === wish.player);
  const { data, error, trouble, waiting } = useGet("/library/progress", { ...wish, player: known ? wish.player : "", ...place.query }, useNews("library"));
  const day = (name, label) => html`<${Typed} label=${label} hint="As 2026, 2026-05 or 2026-05-17." size="12" maxlength="20"
    value=${wish[name]} onChange=${(value) => change(name, value)} />`;
  return html`<div class="part"><div class="row filters">
      <${Select} label="Of" value=${known ? wish.player : named ? "" : about.mine[0]} onChange=${(player) => change("player", player)}
        options=${[...(named ? [["", `Mine: ${about.mine.join(", ")}`]] : []), ...about.players.slice(0, 200).map(({ name, decisions }) => [name, `${name}, ${counted(decisions, "decision")}`])]} />
      ${day("since", "Played since")}${day("until", "Played until")}</div>
    ${!place.example && !named && html`<p class="note">Enter your names in the <a href="#/settings">settings</a>; until then, the page assumes that you are ${about.mine[0]}, who made the most decisions.</p>`}
    <${Sentence}>${error ?? trouble}</${Sentence}></div>
    ${data && html`<div aria-busy=${waiting}><${Shown} found=${data} /></div>`}`;
}

/** @param {{ found: ProgressOut }} given */
function Shown({ found }) {
  const { whole, course, groups, opponents, luck, findings, tests, fewest, ratings } = found;
  const most = Math.max(...[whole, ...groups, ...opponents].map(({ errors }) => errors.high ?? errors.value), 1e-9);
  return html`
    <${Section} title="Rating" id="rating" note="Rating in successive blocks of matches. Vertical lines are 95% intervals, which treat the decisions of a match as one cluster. Ratings of whole matches include decisions before the race, which are estimated.">
      ${ratings.map((one) => html`<${Rated} key=${one.of} rating=${one} />`)}
      ${!ratings.length && html`<p>There are no decisions that count for a rating.</p>`}
    </${Section}>
    ${whole.errors.decisions > 0 && html`
    <${Section} title="Races over time" id="time" note="Mean loss per decision in races, in EMG, in successive blocks of matches. Everything below is about races too.">
      <p class="result"><strong>${whole.errors.value.toFixed(4)}</strong> a decision${between(whole.errors)}; ${counted(whole.mistakes, "mistake")} in ${counted(whole.errors.decisions, "decision")} of ${counted(whole.errors.matches, "match", "matches")}.</p>
      <${Course} course=${course.map(({ name, errors }) => ({ since: name, mean: errors }))} />
    </${Section}>
    <${Section} title="Comparison in races" id="beside">
      ${opponents.length > 0 && html`<${Groups} caption="Your opponents in races of the same matches" groups=${opponents} most=${most} />
        <p>Mean error of ${found.player} minus that of all opponents: ${difference(found.beside_opponents)}.</p>`}
      ${found.formula.decisions > 0 && html`<p>Cube decisions by the recommended formula lose ${found.formula.value.toFixed(4)} each${between(found.formula)}; mean error of ${found.player} minus that of the formula: ${difference(found.beside_formula)}.</p>`}
      ${found.formula_with_gammons.decisions > 0 && html`<p>In races with gammons, which the formula ignores, the formula loses ${found.formula_with_gammons.value.toFixed(4)} each${between(found.formula_with_gammons)}, in ${counted(found.formula_with_gammons.decisions, "decision")}.</p>`}
    </${Section}>
    <${Section} title="What misleads you" id="findings">
      ${!tests && html`<p>No tests yet: they require at least ${counted(fewest, "match", "matches")}.</p>`}
      ${tests > 0 && !findings.length && html`<p>No effect beyond chance was found in ${counted(tests, "test")}.</p>`}
      ${findings.length > 0 && html`<ul class="findings">${findings.map(({ text, low, high, probability, matches }) => html`<li><strong>${text}</strong>
        <span class="note"> Between ${signed(low)} and ${signed(high)}; by chance alone in ${asChance(probability)} of cases, corrected for ${counted(tests, "test")}; ${counted(matches, "match", "matches")}.</span></li>`)}</ul>`}
    </${Section}>
    <${Section} title="Where equity is lost" id="groups"><${Groups} caption="By kind, stakes, length and features" groups=${groups} most=${most} /></${Section}>
    ${luck.length > 0 && html`<${Section} title="Luck" id="luck" note="Races played to the end: the expected result when contact ended, minus your errors, plus the opponent's, plus luck.">
      <${Table} caption="Races and luck" hideCaption rows=${luck} columns=${[
        { head: "In", scope: true, cell: (row) => (row.unit === "points" ? "Points in total" : "Match-winning chance per race") },
        { head: "Races", cell: (row) => row.races },
        { head: "Result", cell: (row) => level(row, row.result) },
        { head: "Worth", wide: true, cell: (row) => level(row, row.start) },
        { head: "Own errors", wide: true, cell: (row) => lucky(row, -row.lost) },
        { head: "Theirs", wide: true, cell: (row) => lucky(row, row.their_lost) },
        { head: "Luck", cell: (row) => lucky(row, row.luck) },
        { head: "Without luck", cell: (row) => level(row, row.fair) },
      ]} /></${Section}>`}`}`;
}

/**
 * Format luck or costs: a sum in points, or the mean change of the match-winning chance.
 * @param {import("./types").LuckOut} row
 */
function lucky({ unit, races }, value) {
  return unit === "points" ? signed(value, 2) : `${signed((100 * value) / races, 1)}%`;
}

/**
 * Format a value of races: a sum in points, or the mean match-winning chance.
 * @param {import("./types").LuckOut} row
 */
const level = (row, value) => (row.unit === "points" ? lucky(row, value) : percent(value / row.races, 1));

/**
 * A rating and its development over time.
 * @param {{ rating: import("./types").RatingOut }} given
 */
function Rated({ rating: { of, rating, course } }) {
  return html`<p class="result"><${Term} id="pr">PR</${Term}> <strong>${rating.value.toFixed(1)}</strong> in ${of}${between(rating, 1)}; ${counted(rating.decisions, "decision")} of ${counted(rating.matches, "match", "matches")} ${rating.decisions === 1 ? "counts" : "count"}.</p>
    ${course.length > 1 && html`<${Course} course=${course.map(({ since, rating: mean }) => ({ since, mean }))} digits=${1} least=${1} />`}`;
}

/** @param {{ caption: string, groups: GroupOut[], most: number }} given */
function Groups({ caption, groups, most }) {
  return html`<${Table} caption=${caption} rows=${groups} columns=${[
    { head: "Decisions", scope: true, cell: (row) => html`${row.by !== "opponents" && html`<span class="note">${NAMES[row.by] ?? row.by}: </span>`}${row.name}` },
    { head: "Made", cell: (row) => row.errors.decisions },
    { head: "Matches", wide: true, cell: (row) => row.errors.matches },
    { head: "Wrong", cell: (row) => row.mistakes },
    { head: "Mean loss", cell: (row) => row.errors.value.toFixed(4) },
    { head: "95% interval", wide: true, cell: (row) => interval(row.errors) },
    { head: html`<span class="hidden">On a scale from 0 to ${most.toFixed(3)}</span>`, cell: (row) => html`<${Span} errors=${row.errors} most=${most} />` },
  ]} />`;
}

/**
 * A mean with its confidence interval, on a scale from 0.
 * @param {{ errors: MeanOut, most: number }} given
 */
function Span({ errors, most }) {
  const at = (value) => (100 * Math.min(Math.max(value, 0), most)) / most;
  const { value, low, high } = errors;
  const [from, to] = [at(low ?? value), at(high ?? value)];
  return html`<svg class="errorbar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <path class="base" d="M0 5H100" /><path class="zero" d="M0 1V9" />
    <rect class="span" x=${from} y="2" width=${Math.max(to - from, 0.4)} height="6" />
    <rect class="value" x=${Math.max(at(value) - 0.6, 0)} y="0.5" width="1.2" height="9" /></svg>`;
}

const [HIGH, LEFT, RIGHT, TOP, LOW] = [190, 52, 12, 14, 24];
const [WIDE, NARROW] = [640, 328]; // A narrow chart has letters of the same size on a phone.

/**
 * Chart of the means of consecutive blocks of matches; the scale ends at `least` or higher.
 * @param {{ course: { since: string, mean: MeanOut }[], digits?: number, least?: number }} given
 */
function Course({ course, digits = 4, least = 0.001 }) {
  const narrow = useNarrow();
  const wide = narrow ? NARROW : WIDE;
  const ticks = ticksTo(Math.max(...course.map(({ mean }) => mean.high ?? mean.value), least));
  const most = ticks.at(-1).value;
  const step = (wide - LEFT - RIGHT) / course.length;
  const x = (i) => LEFT + (i + 0.5) * step;
  const y = (value) => HIGH - LOW - (HIGH - LOW - TOP) * (Math.max(value, 0) / most);
  const said = course.map(({ since, mean }) => `From ${since}: ${mean.value.toFixed(digits)}${between(mean, digits)}, ${counted(mean.decisions, "decision")}`);
  const every = Math.ceil(course.length / (narrow ? 3 : 6));
  const { at, pointing } = usePointed(course.map((_, i) => x(i)), wide);
  return html`<figure class="course improving"><svg viewBox="0 0 ${wide} ${HIGH}" role="img" aria-label=${said.join(". ")} ...${pointing}>
    ${ticks.map(({ value, text }) => html`<path class="base" fill="none" d="M${LEFT} ${y(value)}H${wide - RIGHT}" />
      <text x=${LEFT - 6} y=${y(value) + 4} text-anchor="end">${text}</text>`)}
    ${course.length > 1 && html`<polyline class="line" points=${course.map(({ mean }, i) => `${x(i)},${y(mean.value)}`).join(" ")} />`}
    ${at != null && html`<path class="pointed" d="M${x(at)} ${TOP}V${HIGH - LOW}" />`}
    ${course.map(({ mean, since }, i) => html`<g>
      ${mean.low != null && html`<path class="whisker" d="M${x(i)} ${y(mean.low)}V${y(mean.high)}M${x(i) - 6} ${y(mean.low)}h12M${x(i) - 6} ${y(mean.high)}h12" />`}
      <circle class="dot" cx=${x(i)} cy=${y(mean.value)} r="4" />
      ${i % every === 0 && html`<text x=${x(i)} y=${HIGH - 6} text-anchor="middle">${since}</text>`}</g>`)}
  </svg><p class="note values" aria-hidden="true">${at == null ? "Point at the chart for its values." : `${said[at]}.`}</p></figure>`;
}

/** @param {MeanOut} one */
const interval = ({ low, high }, digits = 4) => (low == null ? "–" : `${Math.max(low, 0).toFixed(digits)} to ${high.toFixed(digits)}`);

/** @param {MeanOut} one */
const between = (one, digits = 4) => (one.low == null ? "" : ` (${interval(one, digits)})`);

/** @param {MeanOut} one */
const difference = ({ value, low, high }) => `${signed(value)}${low == null ? "" : ` (${signed(low)} to ${signed(high)})`}`;

const asChance = (p) => (p < 0.0001 ? "less than 0.01%" : percent(p, 2));
