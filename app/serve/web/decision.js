// The right decision and the cost of each alternative: plays of a roll, or cube actions
// before it.
// @ts-check

import { html, useEffect, useLayoutEffect, useState } from "./vendor/htm-preact.js";
import { served, stream } from "./api.js";
import { ofRace, useAnswer, useLate } from "./asking.js";
import { Plays, isOpen } from "./rolls.js";
import { Ruler } from "./ruler.js";
import { Cost, ErrorBar, Scale, Section, Sentence, Table, Term, Verdict, announce, capital, counted, isSeen, markOf, number, percent, signed } from "./ui.js";

export const REST = 700; // Milliseconds without a change before a long computation starts.
export const PATIENCE = 20; // Maximum time for solving, in seconds.
const GOAL = 0.002; // Standard error at which a rollout ends.

/**
 * `answer` is the answer to the race, and `rollout` is the result of `useRollout`, which
 * replaces it. `wait` says whether the user waits for a long computation, and can end it.
 * While `stale` is true, the answer shown belongs to a previous race. `change` sets other
 * dice.
 */
export function Decision({ race, body, answer: { data: answer, error, trouble, solving }, rollout, wait, stale, change }) {
  const { progress, result, problem } = rollout;
  const market = useAnswer("/race", answer?.action && !answer.cube_dead
    ? { ...body, market: true, patience: answer.kind === "exact" ? PATIENCE : 0 } : null);
  const old = useLate(market.waiting);
  const shown = result ?? live(answer, progress);
  const rolled = answer?.dice ? result ?? answer : null; // A rollout rates plays only at its end.
  const now = rolled ?? shown;
  // The verdict is announced once per race. A rollout reports many times a second; only
  // later changes are announced.
  const told = shown && !stale ? `${headline(now)}. ${source(now)}` : "";
  useEffect(() => {
    if (told) announce(told);
  }, [told, answer]);
  if (!shown) return html`<${Sentence}>${error ?? trouble}</${Sentence}>`;
  const open = served && !result && shown.kind === "model";
  const window = ofRace(market.data)?.window;
  const before = html`
    ${market.waiting && !market.data && html`<div class="ruler" />`}
    ${window && html`<${Ruler} chance=${shown.win_probability} action=${shown.action ?? ""}
      window=${window} owned=${race.cube === "owned"} busy=${market.waiting} old=${old} />`}
    ${shown.thresholds?.cash != null && !shown.cube_dead && html`<${TakePoints} ...${shown.thresholds} />`}
    ${shown.action ? html`<${Alternatives} answer=${shown} />` : html`<${Worth} answer=${shown} />`}
    <${Sides} answer=${shown} />`;
  return html`
    <${Sentence}>${trouble}</${Sentence}>
    <${Verdict} action=${headline(now)} close=${!stale && closeSaid(now, open && wait.waits && !problem)}>${stale
      ? "This is the previous race's answer; the new answer is being computed." : source(now)}</${Verdict}>
    <div class="waits">${open && !stale && html`<${Progress} key=${body.position} ...${progress} solving=${solving} problem=${problem} wait=${wait} />`}</div>
    ${rolled ? html`<${Plays} answer=${rolled} change=${change} />
      <${Section} title="Before the roll" id="before" note=${`${cubeSaid(shown)}.${shown === rolled ? "" : ` ${source(shown)}`}`}>${before}</${Section}>` : before}`;
}

/**
 * Return a note if the decision is too close to call; `yet` means that a better answer is
 * being computed.
 */
function closeSaid({ dice, plays, decisions, too_close: close, error: all }, yet) {
  const [next] = decisions.filter(({ cost }) => cost > 0).sort((a, b) => a.cost - b.cost);
  const error = dice ? plays.slice(1).find(isOpen)?.error : close && (next?.error ?? all);
  return error && `Too close to call${yet ? " yet" : ""}, error ${error.toFixed(3)}.`;
}

/**
 * The right decision. After the roll it is a play, because doubling is no longer possible.
 */
const headline = (answer) => (answer.dice ? answer.plays[0].name : cubeSaid(answer));

const cubeSaid = (answer) => capital(verdict(answer) ?? "no cube decision");

/** Return the right cube action, or a note that turning the cube changes nothing. */
function verdict({ action, cube_dead: dead, wrong_double: cost }) {
  return action && dead && !cost ? "the cube is dead: turning it changes nothing" : action;
}

/** Sentence on the win probabilities that the opponent needs to take at a match score. */
function TakePoints({ cash, live_cash: live }) {
  return html`<p class="note">At this score the opponent needs ${percent(1 - cash, 1)} to take before the last
    roll${live != null && `, or ${percent(1 - live, 1)} if the cube stays fully live`}.</p>`;
}

/** The source of the numbers, and their accuracy. */
export function source(answer) {
  const left = (answer.left_out ?? []).map((rule) => ` The answer ignores ${rule}.`).join("");
  const units = (answer.chance_per_equity != null
    ? ` Equities and costs are in EMG: 1 is ${percent(answer.chance_per_equity)} of the match.`
    : answer.cube_value > 1 ? ` Equities and costs are in EMG: 1 is ${answer.cube_value} points.` : "") + left;
  if (answer.kind === "exact") {
    const table = answer.table ? `the table of ${counted(answer.table.checkers, "checker")}` : "a solution computed just now";
    const within = isSeen(answer.error) ? ` within ${answer.error.toFixed(4)}` : "";
    return `Exact${within}, from ${table}.${units}`;
  }
  if (answer.kind === "rollout") {
    const games = answer.games ? `${counted(answer.games, "game")}` : "games";
    return `Rolled out, ${games}. ± includes chance and the errors of the simulated players.${units}`;
  }
  if (answer.part) return `From the games so far; ± is the standard error.${units}`;
  return `From the fast model; about 2% of races have errors larger than ±.${units}`;
}

/** Replace the model's values in an answer by those of the rollout in progress. */
function live(answer, progress) {
  return answer?.kind !== "model" || progress?.no_double == null ? answer : { ...answer, ...progress };
}

/** The equity of the race, shown if there is no decision. */
function Worth({ answer }) {
  const error = answer.kind === "exact" ? "" : ` ± ${answer.error.toFixed(3)}`;
  const match = answer.match_chance == null ? "" : `, ${percent(answer.match_chance)} of the match`;
  return html`<p>Equity ${signed(answer.equity)}${error}${match}.</p>`;
}

/**
 * Roll out the race if only the model has evaluated it and the user `waits`; return {
 * progress, result, problem }.
 */
export function useRollout(body, { data, waiting, solving }, waits) {
  const [state, setState] = useState(/** @type {{ progress?: any, result?: any, problem?: string }} */ ({}));
  const needed = served && Boolean(body) && !waiting && !solving && data?.kind === "model";
  const going = needed && waits && !state.result;
  useLayoutEffect(() => setState({}), [body?.position, needed]);
  useEffect(() => {
    if (!going) return undefined;
    const control = new AbortController();
    const { signal } = control;
    const timer = setTimeout(() => {
      stream("/rollout", { ...body, error: GOAL }, {
        progress: (progress) => setState({ progress }),
        result: (result) => setState({ result }),
        failed: ({ error }) => setState({ problem: error }),
      }, { signal }).catch((error) => signal.aborted || setState({ problem: error.message }));
    }, REST);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [body?.position, going]);
  return state;
}

/** Progress of exact solving or of a rollout, with a button that stops it. */
function Progress({ part, games, needed, error, goal, solving, problem, wait }) {
  const seconds = useSeconds(solving);
  if (problem) return html`<p class="note">${problem}</p>`;
  const button = html`<button type="button" class="small" onClick=${wait.waits ? wait.stop : wait.goOn}>${wait.waits ? "Stop" : "Continue"}</button>`;
  if (!wait.waits) {
    const said = games ? `Stopped after ${counted(games, "game")}.` : "Stopped: this is the fast model's answer.";
    return html`<p class="note playing">${said} ${button}</p>`;
  }
  if (solving) {
    return html`<p class="note playing"><progress aria-label="Solving the race" />
      Solving exactly, ${seconds} s so far; a rollout starts after 20 s. ${button}</p>`;
  }
  if (!games) return html`<p class="note playing"><progress aria-label="Games played" /> Rollout starting … ${button}</p>`;
  if (part === "plays") {
    return html`<p class="note playing"><progress aria-label="Games played to compare the plays" />
      ${counted(games, "game")}; now comparing plays ${button}</p>`;
  }
  return html`<p class="note playing">
    <progress value=${Math.min(games, needed)} max=${needed} aria-label="Games played, out of the games needed" />
    ${counted(games, "game")} of about ${needed.toLocaleString("en")}${error && `: error ${error.toFixed(4)} (target ${goal.toFixed(4)})`}
    ${button}</p>`;
}

/** Number of whole seconds since the start. */
function useSeconds(going) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    setSeconds(0);
    if (!going) return undefined;
    const timer = setInterval(() => setSeconds((now) => now + 1), 1000);
    return () => clearInterval(timer);
  }, [going]);
  return seconds;
}

/** Equities of all decisions on one scale, with their costs. */
function Alternatives({ answer }) {
  const { chance_per_equity: unit } = answer;
  const rows = answer.decisions;
  const values = rows.flatMap(({ equity, error }) => [equity - error, equity + error]);
  const low = Math.min(0, ...values) - 0.05;
  const high = Math.max(1, ...values) + 0.05;
  const unsure = answer.kind !== "exact";
  const digits = answer.kind === "model" ? 3 : 4;
  // The equity after a pass is certain: the value of the cube.
  const off = (row) => (row.name === "pass" ? 0 : row.error);
  const spread = (row) => `Equity ${signed(row.equity)}${unsure && off(row) > 0 ? `, error ${off(row).toFixed(3)}` : ""}`;
  const columns = [
    { head: "Decision", scope: true, cell: (row) => row.name },
    { head: "Equity", cell: (row) => signed(row.equity, digits) },
    { head: "Cost", cell: (row) => html`<${Cost} of=${row.cost} digits=${digits} />` },
    ...(unsure ? [{ head: "±", cell: (row) => off(row) > 0 && off(row).toFixed(off(row) < 0.01 ? 4 : digits) }] : []),
    ...(unit == null ? [] : [
      { head: "Match", wide: true, cell: (row) => percent(answer.match_chance + unit * (row.equity - answer.equity)) },
      { head: "Lost", wide: true, cell: (row) => (isSeen(row.cost, digits) ? percent(unit * row.cost) : "") },
    ]),
    { head: html`<${Scale} low=${low} high=${high} />`, cell: (row) => html`<${ErrorBar} value=${row.equity}
      error=${unsure ? off(row) : 0} low=${low} high=${high} label=${spread(row)} />` },
  ];
  return html`<${Table} caption="Equity and cost of each decision" hideCaption
    columns=${columns} rows=${rows} mark=${(row) => markOf(row.cost, digits)} />`;
}

/**
 * Pip counts, EPCs and other numbers of both sides.
 * @param {{ answer: import("./types").AnswerOut }} given
 */
function Sides({ answer }) {
  const { roller, opponent, win_probability: wins } = answer;
  const [mine, theirs] = [answer.gammons_won, answer.gammons_lost];
  const epc = (side) =>
    `${number(side.epc)}${side.epc_error ? ` ± ${number(side.epc_error)}` : ""}`;
  const rows = [
    ["Pips", roller.pips, opponent.pips],
    [html`<${Term} id="epc">EPC</${Term}>`, epc(roller), epc(opponent)],
    [html`<${Term} id="wastage">Wastage</${Term}>`, number(roller.wastage), number(opponent.wastage)],
    ["Rolls to bear off", rolls(roller), rolls(opponent)],
    ["Wins", percent(wins), percent(1 - wins)],
    ["Wins a gammon", percent(mine), percent(theirs)],
  ];
  const exact = !roller.epc_error && !opponent.epc_error;
  const columns = [
    { head: html`<span class="hidden">Count or chance</span>`, scope: true, cell: ([name]) => name },
    { head: "You", cell: ([, value]) => value },
    { head: "Opponent", cell: ([, , value]) => value },
  ];
  return html`<div><${Table} caption="Both sides" hideCaption columns=${columns} rows=${rows} />
    <p class="note">${exact ? "EPC is exact." : "± after an EPC is its root mean square error; EPCs without ± are exact."} Chances are without the cube.</p></div>`;
}

function rolls(side) {
  return `${number(side.mean_rolls)} ± ${number(side.std_rolls)}`;
}
