// Analysis after a game: win probability over time, costs of decisions, luck and skill, and
// the dice.
// @ts-check

import { html, useLayoutEffect, useRef, useState } from "./vendor/htm-preact.js";
import { DIGITS, FROM, Mistakes } from "./aftermistakes.js";
import { get, persist, send } from "./api.js";
import { checkedDice } from "./dicecheck.js";
import { begin, keeps } from "./reviewing.js";
import { sentence } from "./match.js";
import { Section, Select, Sentence, Table, capital, counted, percent, signed, useNarrow } from "./ui.js";

const WIDE = 640;
const NARROW = 340; // Width of the chart on a phone.
const HIGH = 160;
const EDGE = 36;

/**
 * `look(moment)` shows a moment of the game on the board, and `looked` is the moment that
 * is shown.
 */
export function After({ game, look, looked }) {
  const [number, choose] = useState(game.games.at(-1).number);
  const { found, sums, problem, failed, all, going } = useAnalysis(game, number, look);
  const review = async () => {
    try {
      const text = await (await fetch(`/api/v1/play/matches/${game.key}/match.mat`)).text();
      begin({ files: [{ name: `${game.key}.mat`, text }], positions: "", keep: keeps(), error: null, races_only: false, deep: false });
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
  const many = game.games.length > 1;
  return html`<${Section} title=${many ? "The games" : "The game"} id="after" note="Your chances, before each roll and without the cube, are estimates by a neural network. Luck takes the score and the cube into account. Costs in races are those of the calculator; costs before the race are estimates by a search one roll ahead. ± is the root mean square difference of these estimates from GNU Backgammon at two plies.">
    ${many && html`<div class="row"><${Select} label="Game" value=${String(number)} options=${game.games.map((one) => [String(one.number), named(one, game)])} onChange=${(value) => choose(Number(value))} /></div>`}
    <${Sentence}>${problem}</${Sentence}>
    ${!found && !problem && html`<p aria-live="polite">The game is being analysed…</p>`}
    ${found && html`${found.moments.length > 1 && html`<${Course} moments=${found.moments} look=${look} looked=${looked} />`}
      ${looked && html`<p role="status">${said(looked, game)}</p>`}
      <${Sums} game=${game} found=${found} sums=${sums} all=${all} going=${going} />
      <p class="note">${helped(game)}</p>
      <${Mistakes} game=${game} found=${found} look=${look} failed=${failed} />`}
    <p class="row"><button type="button" onClick=${review}>Review the match</button>
      ${game.seed && html`<button type="button" onClick=${again}>Play again with the same dice</button>`}</p>
    ${found && game.seed && !game.by_hand && html`<${Dice} key=${found.number} game=${{ ...game, number: found.number, actions: found.moments }} />`}
  </${Section}>`;
}

/**
 * Analysis of one game, and totals of the match so far: { found, sums, problem, failed,
 * all, going }. `all()` analyses the other games, one after another.
 */
function useAnalysis(game, number, look) {
  const [found, setFound] = useState(null);
  const [sums, setSums] = useState(null);
  const [problem, setProblem] = useState(null);
  const [going, setGoing] = useState(false);
  const life = useRef(null);
  const failed = (error) => setProblem(error.message);
  const ask = async (of, signal) => {
    // If the analysis exceeds the time limit, repeating the request continues it.
    const asks = () => get(`/play/matches/${game.key}/analysis`, { game: of }, { signal });
    const answer = await persist(asks, { signal, tries: 8, passes: (error) => error.passes || error.status === 504 });
    setSums(answer.match);
    return answer;
  };
  const all = async () => {
    const { signal } = life.current;
    setGoing(true);
    try {
      for (const one of game.games) if (!sums.games.includes(one.number)) await ask(one.number, signal);
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
    setGoing(false);
  };
  useLayoutEffect(() => {
    life.current = new AbortController();
    return () => life.current.abort();
  }, []);
  useLayoutEffect(() => {
    const here = new AbortController();
    setFound(null);
    setProblem(null);
    look(null);
    ask(number, here.signal).then(setFound, (error) => here.signal.aborted || failed(error));
    return () => here.abort();
  }, [game.key, number, game.version]);
  return { found, sums, problem, failed, all, going };
}

/** Return the list entry of a game: the score before the game, and the result. */
function named({ number, won, winner, points }, game) {
  const who = winner ? game.opponent_title : "you";
  const end = winner === null ? "not finished" : `${who} won ${counted(points, "point")}`;
  return `Game ${number}, at ${won[0]}–${won[1]}: ${end}`;
}

/**
 * Losses and luck of both players: in the game and, if there are several games, in the
 * match so far.
 */
function Sums({ game, found, sums, all, going }) {
  const digits = useNarrow() ? 2 : DIGITS; // With fewer decimals, all columns fit on a phone.
  const who = ["You", game.opponent_title];
  const rows = found.totals.map((total, i) => ({ ...total, name: who[i] }));
  const [gone, many] = [sums.games.length, game.games.length];
  if (many > 1) rows.push(...sums.totals.map((total, i) => ({ ...total, name: `${who[i]}, ${gone === many ? "the match" : `${gone} of ${many} games`}` })));
  return html`<${Table} caption="Skill and luck" columns=${[
    { head: "Player", scope: true, cell: (row) => row.name },
    { head: "Decisions", cell: (row) => row.decisions },
    { head: "Mistakes", cell: (row) => html`${row.mistakes}<span class="note reason">${row.open} uncertain</span>` },
    { head: "Lost", cell: (row) => row.lost.toFixed(digits) },
    { head: "PR", cell: (row) => (row.rating == null ? "–" : row.rating.toFixed(1)) },
    { head: "Luck", cell: (row) => signed(row.luck, digits) },
  ]} rows=${rows} />
  <p class="note">PR: 500 times the mean loss per decision, over the decisions that eXtreme Gammon counts; 0 is perfect.</p>
  ${gone < many && html`<p><button type="button" disabled=${going} onClick=${all}>${going ? "Analysing all games…" : "Analyse all games"}</button></p>`}`;
}

/** Chart of the win probability by action; a mouse or the keyboard selects an action. */
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
  return html`<svg class="winning" viewBox="0 0 ${wide} ${HIGH}" role="slider" tabindex="0" aria-label="Your chance of winning, action by action"
      aria-valuemin="1" aria-valuemax=${moments.length} aria-valuenow=${at + 1} aria-valuetext=${`Action ${at + 1}: ${percent(moments[at]?.chance, 0)}`}
      onKeyDown=${typed} onClick=${clicked}>
    ${[0, 0.5, 1].map((chance) => html`<path class="base" d="M${EDGE} ${y(chance)}H${wide - 8}" /><text x="0" y=${y(chance) + 4}>${100 * chance}%</text>`)}
    <polyline class="line" points=${points.join(" ")} />
    ${moments.map((moment, i) => moment.player === 0 && moment.decision?.cost > 0.02 && html`<circle class="miss" cx=${x(i)} cy=${y(moment.chance)} r="4" />`)}
    ${looked && html`<path class="place" d="M${x(at)} 4V${HIGH - 4}" />`}
  </svg>`;
}

/** Sentence on the hints and undone decisions of the user. */
export function helped({ hints, undone }) {
  const many = hints.reduce((sum, each) => sum + each, 0);
  const kinds = ["whether your play is the best", "which checkers to move", "all plays or the cube"];
  const by = kinds.map((kind, i) => `${hints[i]} ${kind}`).filter((_, i) => hints[i]).join(", ");
  return `Help in the match so far: ${counted(many, "hint")}${by && ` (${by})`}, ${counted(undone, "decision")} taken back.`;
}

function said(moment, game) {
  const one = moment.decision;
  const what = one?.kind === "play" ? "It" : capital(one?.decided || "it");
  const cost = one?.seen ? ` ${what} costs ${one.cost.toFixed(one.digits)} (${FROM[one.method]}); best is ${one.best}. ${one.reason}` : "";
  const luck = moment.luck === null ? "" : ` Luck of the roll ${signed(moment.luck, 3)}.`;
  return `Turn ${moment.turn_number}. ${sentence(moment, game)} Your chance before the roll ${percent(moment.chance, 0)}.${luck}${cost}`;
}

/** The dice of the game, computed from the seed in this browser. */
function Dice({ game }) {
  const [told, setTold] = useState(null);
  const check = () => checkedDice(game).then(setTold, (error) => setTold(error.message));
  return html`<p><button type="button" class="small" onClick=${check}>Check the dice</button> <span role="status">${told}</span></p>`;
}
