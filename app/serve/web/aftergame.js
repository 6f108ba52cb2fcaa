// After a game: the chance to win over time, what each decision cost, luck and skill, the dice.
// @ts-check

import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { address, get, persist, post, send } from "./api.js";
import { checkedDice } from "./dicecheck.js";
import { begin } from "./reviewing.js";
import { sentence } from "./match.js";
import { wishOwn } from "./sets.js";
import { Section, Sentence, Table, capital, counted, isSeen, percent, signed, useNarrow } from "./ui.js";

const WIDE = 640;
const NARROW = 340; // Of a phone.
const HIGH = 160;
const EDGE = 36;
const DIGITS = 3; // Of a cost that is told.

const FROM = { exact: "exact", model: "fast model", search: "search, an estimate" };

/** `look(moment)` shows a moment of the game on the board; `looked` is the one shown. */
export function After({ game, look, looked }) {
  const [found, setFound] = useState(null);
  const [problem, setProblem] = useState(null);
  const failed = (error) => setProblem(error.message);
  useEffect(() => {
    setFound(null);
    look(null);
    // What takes too long is known as far as it came, and goes on when it is asked again.
    const asks = () => get(`/play/matches/${game.key}/analysis`);
    persist(asks, { tries: 8, passes: (error) => error.passes || error.status === 504 }).then(setFound, failed);
  }, [game.key, game.number, game.version]);
  const review = async () => {
    try {
      const text = await (await fetch(`/api/v1/play/matches/${game.key}/match.mat`)).text();
      begin({ files: [{ name: `${game.key}.mat`, text }], positions: "", error: null });
      location.hash = "#/review";
    } catch (error) {
      failed(error);
    }
  };
  const again = async () => {
    const { length, opponent, crawford, jacoby, beavers, seed } = game;
    try {
      const match = await send("/play/matches", { length, opponent, crawford, jacoby, beavers, seed });
      location.hash = `#/play/${match.key}`;
    } catch (error) {
      failed(error);
    }
  };
  const train = async ({ place }) => {
    try {
      await post(`/play/matches/${game.key}/trainer`, { place });
      wishOwn();
      location.hash = "#/trainer";
    } catch (error) {
      failed(error);
    }
  };
  const mistakes = found?.moments.filter((moment) => moment.player === 0 && isSeen(moment.cost, DIGITS)).sort((a, b) => b.cost - a.cost);
  return html`<${Section} title="The game" id="after" note="Chances by the net, before the roll and without the cube; luck by it at the score and with the cube; costs of races from the laboratory, before them by a search one roll ahead, which is an estimate; its ± is how far it was from GNU Backgammon two plies ahead, root mean square.">
    <${Sentence}>${problem}</${Sentence}>
    ${!found && !problem && html`<p aria-live="polite">The game is gone through…</p>`}
    ${found && html`${found.moments.length > 1 && html`<${Course} moments=${found.moments} look=${look} looked=${looked} />`}
      ${looked && html`<p role="status">${said(looked, game)}</p>`}
      <${Table} caption="Skill and luck" columns=${[
        { head: "Player", scope: true, cell: (row) => row.name },
        { head: "Decisions", cell: (row) => row.decisions },
        { head: "Mistakes", cell: (row) => row.mistakes },
        { head: "Open", cell: (row) => row.open },
        { head: "Lost by both", cell: (row) => row.lost.toFixed(3) },
        { head: "Luck", cell: (row) => signed(row.luck, 3) },
      ]} rows=${found.totals.map((total, i) => ({ ...total, name: i ? game.opponent_title : "You" }))} />
      <p class="note">${helped(game)}</p>
      ${mistakes.length ? html`<${Table} caption="Your mistakes, the costliest first; open: costs no more than its error" columns=${[
        { head: "What you did", scope: true, cell: (moment) => html`<button type="button" class="roll" onClick=${() => look(moment)}>${moment.dice && moment.decided === moment.text ? `${moment.dice.join("-")}: ` : ""}${moment.decided}</button>
          <${Along} game=${game} moment=${moment} train=${train} />` },
        { head: "Best", align: "left", cell: (moment) => html`${moment.best}${moment.reason && html`<span class="note reason">${moment.reason}</span>`}` },
        { head: "Cost", cell: (moment) => html`${moment.cost <= moment.error && html`<span class="note">open </span>`}<span class="cost">${moment.cost.toFixed(DIGITS)}</span>` },
        { head: "±", wide: true, cell: (moment) => (moment.error ? moment.error.toFixed(3) : "") },
        { head: "From", wide: true, align: "left", cell: (moment) => FROM[moment.source] },
      ]} rows=${mistakes} />` : html`<p>No mistake of yours was found.</p>`}`}
    <p class="row">${mistakes?.some(({ cost, error }) => cost > error && isSeen(cost, DIGITS)) && html`<a class="button" href=${cards(game)} title="Those that cost more than their error" download>Flashcards of your mistakes</a>`}
      <button type="button" onClick=${review}>Review the match's races</button>
      ${game.seed && html`<button type="button" onClick=${again}>Play again with the same dice</button>`}</p>
    ${game.seed && !game.by_hand && html`<${Dice} game=${game} />`}
  </${Section}>`;
}

const cards = (game) => address(`/play/matches/${game.key}/mistakes.apkg`);

/** Where a mistake is taken along to: the calculator and the trainer ask of races alone. */
function Along({ game, moment, train }) {
  const race = moment.source !== "search";
  return html`<span class="along">${race && html`<a href=${`#/calculator/${moment.xgid.replace("XGID=", "")}`}>Calculator</a>
    ${!["take", "pass"].includes(moment.kind) && html`<button type="button" class="roll" onClick=${() => train(moment)}>Trainer</button>`}`}
    <a href=${`${cards(game)}?place=${moment.place}`} download>Flashcard</a></span>`;
}

/** The chance to win, action by action; each can be clicked on, and reached by the keyboard. */
function Course({ moments, look, looked }) {
  const wide = useNarrow() ? NARROW : WIDE;
  const x = (i) => EDGE + (i * (wide - EDGE - 8)) / Math.max(1, moments.length - 1);
  const y = (chance) => 8 + (1 - chance) * (HIGH - 16);
  const points = moments.map((moment, i) => `${x(i)},${y(moment.chance)}`);
  const at = looked ? looked.place : moments.length - 1;
  const typed = (event) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: moments.length - 1 }[event.key];
    if (!moments[to]) return;
    event.preventDefault();
    look(moments[to]);
  };
  const clicked = (event) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const place = ((event.clientX - left) / width) * wide;
    const step = (wide - EDGE - 8) / Math.max(1, moments.length - 1);
    look(moments[Math.max(0, Math.min(moments.length - 1, Math.round((place - EDGE) / step)))]);
  };
  return html`<svg class="winning" viewBox="0 0 ${wide} ${HIGH}" role="slider" tabindex="0" aria-label="Your chance to win, action by action"
      aria-valuemin="1" aria-valuemax=${moments.length} aria-valuenow=${at + 1} aria-valuetext=${`Action ${at + 1}: ${percent(moments[at]?.chance, 0)}`}
      onKeyDown=${typed} onClick=${clicked}>
    ${[0, 0.5, 1].map((chance) => html`<path class="base" d="M${EDGE} ${y(chance)}H${wide - 8}" /><text x="0" y=${y(chance) + 4}>${100 * chance}%</text>`)}
    <polyline class="line" points=${points.join(" ")} />
    ${moments.map((moment, i) => moment.player === 0 && moment.cost > 0.02 && html`<circle class="miss" cx=${x(i)} cy=${y(moment.chance)} r="4" />`)}
    ${looked && html`<path class="place" d="M${x(at)} 4V${HIGH - 4}" />`}
  </svg>`;
}

/** How much of the match was one's own. */
function helped({ hints, undone }) {
  const many = hints.reduce((sum, each) => sum + each, 0);
  const by = many ? ` (${hints[0]} whether something is better, ${hints[1]} which checkers, ${hints[2]} all plays or the cube)` : "";
  return `Help in the match so far: ${counted(many, "hint")}${by}, ${undone} taken back.`;
}

function said(moment, game) {
  const what = moment.decided === moment.text ? "It" : capital(moment.decided ?? "");
  const cost = isSeen(moment.cost, DIGITS) ? ` ${what} costs ${moment.cost.toFixed(DIGITS)} (${FROM[moment.source]}); best is ${moment.best}. ${moment.reason}` : "";
  const luck = moment.luck === null ? "" : ` Luck of the roll ${signed(moment.luck, 3)}.`;
  return `${sentence(moment, game)} Your chance before the roll ${percent(moment.chance, 0)}.${luck}${cost}`;
}

/** The dice of the game, worked out from the seed in this browser. */
function Dice({ game }) {
  const [told, setTold] = useState(null);
  const check = () => checkedDice(game).then(setTold, (error) => setTold(error.message));
  return html`<p><button type="button" class="small" onClick=${check}>Check the dice</button> <span role="status">${told}</span></p>`;
}
