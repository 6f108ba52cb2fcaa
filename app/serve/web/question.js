// A question of the trainer: its board, the form for the answer, hints, and the clock.
// @ts-check

import { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor/htm-preact.js";
import { send } from "./api.js";
import { Board } from "./board.js";
import { useKeys, usePressed } from "./keys.js";
import { Keeping } from "./taking.js";
import { Sentence, announce } from "./ui.js";

const BUTTONS = 9; // Maximum number of choices that are shown as buttons; with more choices, the answer is typed.
const SOON = 10; // Number of remaining seconds at which screen readers announce the time.

/**
 * A question. When it is `done`, its solution follows as children. `choose`: whether a
 * number is chosen among four; `seconds`: time limit, 0 for none; `since`: reference to the
 * start time; `busy`: whether the next question is being loaded; `onUndo`: null if there is
 * nothing to undo.
 */
export function Asked({ question, choose, seconds, since, busy, done, onAnswer, onSkip, onUndo, children }) {
  const { roller, xgid } = question;
  const [hints, setHints] = useState([]);
  const [problem, setProblem] = useState(null);
  const hint = () => {
    if (done || hints.length >= question.hints) return;
    send("/training/hint", { id: question.id, number: hints.length + 1 }).then(
      ({ text }) => setHints((now) => (now.includes(text) ? now : [...now, text])),
      (error) => setProblem(error.message),
    );
  };
  useKeys({ hint });
  const given = (text) => onAnswer(text, hints.length);
  return html`<section class=${`question ${roller ? "" : "alone"}`} aria-labelledby="asked" aria-busy=${busy}>
    ${roller && html`<div><${Board} ...${boardOf(question)} />
      ${done && xgid && html`<div class="row onwards"><a href=${`#/calculator/${xgid}`}>Open in the calculator</a><${Keeping} xgid=${xgid} /></div>`}
    </div>`}
    <div class="ask">
      <p class="note">${question.title}${question.again && ", asked again"}
        ${!done && html` · <${Clock} since=${since} seconds=${seconds} onOver=${() => given("")} />`}</p>
      <h2 id="asked">${question.text}</h2>
      ${!done && html`<${Form} question=${question} choose=${choose} onAnswer=${given} />
        <p class="row">
          ${question.hints > 0 && html`<button type="button" disabled=${hints.length >= question.hints}
            onClick=${hint}>Hint ${Math.min(hints.length + 1, question.hints)} of ${question.hints}</button>`}
          <button type="button" onClick=${onSkip}>Skip</button>
          ${onUndo && html`<button type="button" onClick=${onUndo}>Undo the last answer</button>`}</p>`}
      <${Sentence}>${problem}</${Sentence}>
      <ol class="hints" aria-live="polite" aria-label="Hints">${hints.map((text) => html`<li key=${text}>${text}</li>`)}</ol>
      ${children}
    </div>
  </section>`;
}

/**
 * The board of a question, seen from the player who is asked, even if the opponent is on
 * roll.
 * @param {import("./types").DrillQuestion} question
 */
export function boardOf({ roller, opponent, kind, of, cube, cube_value: cubeValue, dice }) {
  return (of || kind) === "take"
    ? { roller: opponent, opponent: roller, cube: cube === "owned" ? "opponent" : "centred", cubeValue, dice }
    : { roller, opponent, cube, cubeValue, dice };
}

function Form({ question, choose, onAnswer }) {
  const first = useRef(null);
  const { choices, form, unit, within } = question;
  const buttons = (choose || form === "choice") && choices.length <= BUTTONS;
  useLayoutEffect(() => {
    // The focus stays in the settings while the user changes the kinds of questions.
    if (!document.activeElement?.closest(".wishes")) first.current?.focus({ preventScroll: true });
  }, []);
  usePressed((event) => {
    const choice = buttons && choices[Number(event.key) - 1];
    if (choice) onAnswer(choice);
  });
  if (buttons) {
    return html`<div class="choices">${choices.map((choice, i) => html`
      <button key=${choice} type="button" ref=${i ? undefined : first}
        onClick=${() => onAnswer(choice)}><kbd>${i + 1}</kbd> ${withUnit(choice, unit)}</button>`)}</div>`;
  }
  const send = (event) => {
    event.preventDefault();
    const given = first.current.value.trim();
    if (given) onAnswer(given);
  };
  const hint = form === "choice" ? "A play such as 6/off 4/1"
    : within ? `Correct within ${withUnit(within, unit)}` : "The exact number of pips";
  return html`<form class="row" onSubmit=${send}>
    <label class="field"><span class="label">Your answer${unit && `, in ${unit}`}</span>
      <input ref=${first} type="text" name="answer" autocomplete="off" aria-describedby="answer-hint"
        inputmode=${form === "number" ? "decimal" : "text"} size="14" /></label>
    <button class="first">Answer</button>
    <p class="hint" id="answer-hint">${hint}</p>
  </form>`;
}

/**
 * Elapsed time; with `seconds`, remaining time, which is announced once when little is
 * left.
 */
function Clock({ since, seconds, onOver }) {
  const gone = Math.max(0, (useSeconds(true) - since.current) / 1000);
  const left = seconds - gone;
  const over = seconds > 0 && left <= 0;
  const soon = seconds > SOON && left <= SOON;
  useEffect(() => {
    if (soon && !over) announce(`${SOON} seconds left`);
  }, [soon]);
  useEffect(() => {
    if (over) onOver();
  }, [over]);
  return html`<span role="timer" aria-live="off" class=${soon ? "cost" : undefined}>${
    seconds ? `${asClock(Math.ceil(Math.max(left, 0)))} left` : asClock(Math.floor(gone))}</span>`;
}

/** Time in milliseconds, updated twice a second while `goes` is true. */
export function useSeconds(goes) {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    if (!goes) return undefined;
    const timer = setInterval(() => setNow(performance.now()), 500);
    return () => clearInterval(timer);
  }, [goes]);
  return now;
}

/** Format seconds, such as 1:05. */
export function asClock(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** A number followed by its unit, if it has one. */
export function withUnit(size, unit) {
  if (unit === "pips") return `${size}${Number(size) === 1 ? " pip" : " pips"}`;
  return `${size}${unit}`;
}
