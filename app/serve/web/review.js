// Review: matches or positions dropped on the page, and their decisions by cost.
// @ts-check

import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { address } from "./api.js";
import { useGet, useNews } from "./asking.js";
import { Decision } from "./decided.js";
import { EXAMPLES } from "./example.js";
import { Found, judgedSaid, selected, useChosen } from "./found.js";
import { begin, stop, useKeeps, useReview } from "./reviewing.js";
import { wishOwn } from "./sets.js";
import { Keeping } from "./taking.js";
import { Choice, Section, Sentence, Term, announce, counted } from "./ui.js";
import { Upload } from "./upload.js";

const hrefOf = (one) => `#/review/${one.number}`;

const COSTLIEST = "costliest"; // Part of the address that stands for the costliest decision.

export function View({ path }) {
  const review = useReview();
  const [problem, setProblem] = useState(null);
  const [thorough, setThorough] = useState("0.01");
  const [alone, setAlone] = useState(false); // Whether only races are judged.
  const [deep, setDeep] = useState(false);
  const [keep, setKeep] = useKeeps();
  // A server for several users has no library, so the review cannot be stored.
  const { data: about, error: absent } = useGet("/library", {}, useNews("library"));
  const { status, found, error, trouble } = review;
  const [wish, setWish] = useChosen(found?.decisions ?? [], about?.names ?? []);
  const send = (files, positions, kept = keep) => {
    setProblem(null);
    if (path[0]) location.hash = "#/review";
    begin({ files, positions, keep: kept, error: thorough ? Number(thorough) : null, races_only: alone, deep: deep && !alone });
  };
  const example = () => {
    send(EXAMPLES, "", false);
    location.hash = `#/review/${COSTLIEST}`;
  };
  const running = status === "running";
  useEffect(() => {
    if (status === "done") announce(`${counted(found.decisions.length, "decision")} judged`);
  }, [status]);
  const rows = found ? selected(found.decisions, wish) : [];
  const chosen = path[0] === COSTLIEST ? costliest(found?.decisions ?? [])
    : found?.decisions.find((one) => one.number === Number(path[0]));
  return html`<h1 class="hidden">Review</h1>
    <${Upload} folded=${found !== null} onFiles=${(files) => send(files, "")} onText=${(text) => send([], text)} onProblem=${setProblem}>
      <${Choice} label="Races that no table contains" name="thorough" value=${thorough} onChange=${setThorough}
        options=${[["0.01", "Rollouts"], ["", "Fast model"]]} />
      <label class="check"><input type="checkbox" checked=${alone} onChange=${(event) => setAlone(event.target.checked)} />Judge only races</label>
      <label class="check"><input type="checkbox" checked=${deep} disabled=${alone} onChange=${(event) => setDeep(event.target.checked)} />Search deeper in close decisions</label>
      ${!absent && html`<label class="check"><input type="checkbox" checked=${keep}
        onChange=${(event) => setKeep(event.target.checked)} />Keep in the library</label>`}
    </${Upload}>
    ${running && html`<${Going} ...${review} />`}
    <${Sentence}>${problem ?? error ?? trouble}</${Sentence}>
    ${status === "none" && html`<${Empty} onExample=${example} />`}
    ${found && html`
      ${chosen && html`<${Decision} one=${chosen} rows=${rows} hrefOf=${hrefOf}>
        ${about && chosen.in_race && html`<${Keeping} key=${chosen.number} xgid=${chosen.xgid} />`}</${Decision}>`}
      ${found.problems.length > 0 && html`<${Section} title="Problems" id="problems">
        <ul>${found.problems.map((text) => html`<li>${text}</li>`)}</ul></${Section}>`}
      <${Kept} found=${found} player=${wish.player} />
      <${Found} ...${found} rows=${rows} chosen=${chosen} wish=${wish} setWish=${setWish} hrefOf=${hrefOf}
        running=${running} note=${noted(found, running, wish)} />`}`;
}

/** Return the costliest decision so far. */
const costliest = (decisions) => [...decisions].sort((a, b) => b.cost - a.cost)[0];

/** Progress of a running review; the decisions judged so far are listed below. */
function Going({ done, decisions }) {
  return html`<p class="playing"><progress max=${decisions || 1} value=${done} aria-label="Final judgements of decisions" />
    <span>${decisions ? `${done} of ${counted(decisions, "decision")} finally judged` : "Reading"}</span>
    <button type="button" class="small" onClick=${stop}>Stop</button></p>`;
}

/** Text shown before the first review. */
function Empty({ onExample }) {
  return html`<${Section} title="What you get" id="empty">
    <ul class="gets">
      <li>Every double, take and play, the costliest first, with the equity of each alternative: exact in races, estimated by a search before them.</li>
      <li>A rating (<${Term} id="pr">PR</${Term}>) and the losses of each player, by kind of decision, and the decisions in which the recommended formula would have been wrong.</li>
      <li>Results while the review runs: first from the fast model, then exact values and rollouts. Meanwhile you can use other views.</li>
    </ul>
    <p><button type="button" onClick=${onExample}>Open an example</button>
      <span class="note"> A game that GNU Backgammon recorded, and five decisions with mistakes.</span></p>
  </${Section}>`;
}

/**
 * Links to the stored matches, and to the mistakes of a player ("" for all) as flashcards.
 * @param {{ found: import("./types").ReviewOut, player: string }} given
 */
function Kept({ found: { kept, decisions }, player }) {
  if (!kept.length) return null;
  const wrong = decisions.filter((one) => one.mistake && one.in_race && (!player || one.player === player)).length;
  const cards = (number) => address("/library/decisions.apkg", { match: number, mistakes: true, player });
  return html`<div class="row kept"><p class="note">Kept in the library as ${kept.map((number, i) => html`${i > 0 && ", "}<a
      href=${`#/library/${number}`}>${number}</a>`)}</p>
    ${wrong > 0 && kept.map((number) => html`<a class="button small" href=${cards(number)} download>Flashcards of ${player ? `${player}’s` : "all"} mistakes in races${kept.length > 1 && ` in ${number}`}</a>`)}
    ${wrong > 0 && html`<button type="button" class="small" onClick=${() => train(player)}>Train them</button>`}</div>`;
}

/** Make the trainer ask about the mistakes of a player. */
function train(player) {
  wishOwn(player);
  location.hash = "#/trainer";
}

/**
 * @param {import("./types").ReviewOut} found
 * @param {boolean} running
 * @param {import("./found.js").Wish} wish
 */
function noted({ decisions, skipped, estimates }, running, wish) {
  const files = [...new Set(decisions.map((one) => one.source))];
  const parts = [
    `Of ${files.slice(0, 3).join(", ")}${files.length > 3 ? ` and ${files.length - 3} more` : ""}: ${judgedSaid(decisions, wish)}`,
    skipped > 0 && `Skipped: ${counted(skipped, "turn")} before the race.`,
    !wish.races && decisions.some((one) => !one.in_race) && `≈ marks estimates of decisions before the race, by a search one roll ahead. Its plays lose ${estimates.play_lost.toFixed(4)} on average, and its close cube decisions ${estimates.cube_lost.toFixed(4)}.`,
    "Costs are in EMG: points divided by the current value of the cube.",
    running && "Preliminary: decisions without a final judgement are judged by the fast model.",
  ];
  return parts.filter(Boolean).join(" ");
}
