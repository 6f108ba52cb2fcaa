// The trainer: one question after the other, marked and explained. Type, Enter, Enter.

import { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor/htm-preact.js";
import { get, persist, send } from "./api.js";
import { useGet } from "./asking.js";
import { Board } from "./board.js";
import { usePressed } from "./keys.js";
import { Progress } from "./progress.js";
import { Choice, Section, Sentence, Table, announce, capital, signed, useNarrow } from "./ui.js";

const KEPT = "bearoff.trainer";
const BUTTONS = 9; // More choices than keys are typed.
const START = { kinds: [], level: "medium" };

export function View({ path }) {
  return html`<h1 class="hidden">Trainer</h1>
    <nav class="row" aria-label="Trainer">
      <a href="#/trainer" aria-current=${path[0] ? undefined : "page"}>Questions</a>
      <a href="#/trainer/progress" aria-current=${path[0] ? "page" : undefined}>Your errors</a>
    </nav>
    ${path[0] === "progress" ? html`<${Progress} />` : html`<${Session} />`}`;
}

function Session() {
  const [offer, setOffer] = useState({ drills: [], levels: [], due: 0, answered: null });
  const [wish, setWish] = useState(wished);
  const [question, setQuestion] = useState(null);
  const [marked, setMarked] = useState(null);
  const [problem, setProblem] = useState(null);
  const [done, setDone] = useState([]);
  const asked = useRef(0);
  const control = useRef(new AbortController()); // Of the question on its way.
  const wishes = JSON.stringify(wish);

  const told = (error) => setProblem(error.message);
  // Something else is asked for now, or the view is left.
  const renewed = () => {
    control.current.abort();
    control.current = new AbortController();
    setProblem(null);
    return control.current.signal;
  };
  useEffect(() => () => control.current.abort(), []);
  const next = (last = question?.key ?? "") => {
    const signal = renewed();
    const ask = () => get("/training/question", queried(wish, last), { signal });
    persist(ask, { signal, told }).then(
      (found) => {
        asked.current = performance.now();
        setProblem(null);
        setMarked(null);
        setQuestion(found);
      },
      (error) => signal.aborted || told(error),
    );
  };
  useEffect(() => {
    const left = new AbortController();
    const { signal } = left;
    const ask = () => get("/training/drills", {}, { signal });
    persist(ask, { signal, told }).then(setOffer, (error) => signal.aborted || told(error));
    return () => left.abort();
  }, [done.length]);
  useEffect(() => {
    localStorage.setItem(KEPT, wishes);
    if (!marked) next();
  }, [wishes]);

  const answer = (given) => {
    const seconds = (performance.now() - asked.current) / 1000;
    renewed(); // A question on its way comes too late.
    send("/training/answers", { key: question.key, given, seconds }).then((found) => {
      setMarked(found);
      setDone([...done, { right: found.right, seconds }]);
      announce(`${found.right ? "Right:" : "Wrong, right is"} ${found.answer}${inUnit(question.unit, found.answer)}`);
    }, told);
  };
  const toggle = (name) => {
    const kinds = wish.kinds.includes(name)
      ? wish.kinds.filter((kind) => kind !== name)
      : [...wish.kinds, name];
    setWish({ ...wish, kinds });
  };
  return html`<div class="trainer">
    <${Wishes}>
      <fieldset class="choice"><legend>Questions${wish.kinds.length ? "" : ": all kinds"}</legend>
        <div class="kinds">${offer.drills.map(({ name, title, text }) => html`
          <label key=${name} title=${text}><input type="checkbox"
            checked=${wish.kinds.includes(name)} onChange=${() => toggle(name)} /><span>${title}</span></label>`)}
        </div></fieldset>
      <${Choice} label="New ones" name="level" value=${wish.level}
        options=${offer.levels.map((level) => [level, level])}
        onChange=${(level) => setWish({ ...wish, level })} />
    </${Wishes}>
    <${Sentence}>${problem}</${Sentence}>
    ${question && html`<${Asked} key=${question.key} question=${question} marked=${marked}
      since=${asked} onAnswer=${answer} onNext=${() => next()} />`}
    <${Score} done=${done} due=${offer.due} />
    ${offer.answered === 0 && html`<${First} drills=${offer.drills} />`}
  </div>`;
}

/** What one gets, before anything was answered. */
function First({ drills }) {
  const [open, setOpen] = useState(false);
  const { data, error } = useGet(open ? "/training/example" : null);
  return html`<${Section} title="What you get" id="first">
    <ul class="gets">
      <li>${drills.length} kinds of questions, from positions really met; choose those you want above.</li>
      <li>Each answer is marked, worked out in steps, and compared with what every choice is worth.</li>
      <li>Mistakes are asked again after a while, and <a href="#/trainer/progress">your errors</a> shows what leads you astray.</li>
    </ul>
    <p><button type="button" aria-expanded=${open} onClick=${() => setOpen(!open)}>${open ? "Close the example" : "Open an answered example"}</button></p>
    <${Sentence}>${error}</${Sentence}>
    ${data && html`<section class="question" aria-labelledby="example">
      <${Board} ...${boardOf(data.question)} />
      <div class="ask"><p class="note">An example: ${data.question.title}</p><h3 id="example">${data.question.text}</h3>
        <${Solution} question=${data.question} marked=${data.marked} /></div>
    </section>`}
  </${Section}>`;
}

/** What is asked, folded away on a phone. */
function Wishes({ children }) {
  const narrow = useNarrow();
  if (!narrow) return html`<div class="wishes">${children}</div>`;
  return html`<details><summary>What is asked</summary><div class="wishes">${children}</div></details>`;
}

function Asked({ question, marked, since, onAnswer, onNext }) {
  const { roller, xgid } = question;
  return html`<section class=${`question ${roller ? "" : "alone"}`} aria-labelledby="asked">
    ${roller && html`<div><${Board} ...${boardOf(question)} />
      ${marked && xgid && html`<p class="note"><a href=${`#/calculator/${xgid}`}>Open in the calculator</a></p>`}
    </div>`}
    <div class="ask">
      <p class="note">${question.title}${question.again && ", asked again"}
        ${!marked && html` · <${Clock} since=${since} />`}</p>
      <h2 id="asked">${question.text}</h2>
      ${marked
        ? html`<${Solution} question=${question} marked=${marked} onNext=${onNext} />`
        : html`<${Form} question=${question} onAnswer=${onAnswer} />`}
    </div>
  </section>`;
}

/** The board of a question: who is asked sits below, whoever is on roll. */
function boardOf({ roller, opponent, kind, cube, cube_value: cubeValue, dice }) {
  return kind === "take"
    ? { roller: opponent, opponent: roller, cube: "centred", cubeValue, dice }
    : { roller, opponent, cube, cubeValue, dice };
}

function Form({ question, onAnswer }) {
  const first = useRef(null);
  const { choices, form, unit, within } = question;
  const buttons = form === "choice" && choices.length <= BUTTONS;
  useLayoutEffect(() => {
    // Who is choosing kinds is left there.
    if (!document.activeElement?.closest(".wishes")) first.current?.focus({ preventScroll: true });
  }, []);
  usePressed((event) => {
    const choice = buttons && choices[Number(event.key) - 1];
    if (choice) onAnswer(choice);
  });
  if (buttons) {
    return html`<div class="choices">${choices.map((choice, i) => html`
      <button key=${choice} type="button" ref=${i ? undefined : first}
        onClick=${() => onAnswer(choice)}><kbd>${i + 1}</kbd> ${choice}</button>`)}</div>`;
  }
  const send = (event) => {
    event.preventDefault();
    const given = first.current.value.trim();
    if (given) onAnswer(given);
  };
  const hint = form === "choice" ? "As players write it, such as 6/off 4/1"
    : within ? `Right within ${within}${inUnit(unit, within)}` : "To the pip";
  return html`<form class="row" onSubmit=${send}>
    <label class="field"><span class="label">Your answer${unit && `, in ${unit}`}</span>
      <input ref=${first} type="text" name="answer" autocomplete="off" aria-describedby="answer-hint"
        inputmode=${form === "number" ? "decimal" : "text"} list="plays" size="14" /></label>
    ${form === "choice" && html`<datalist id="plays">${choices.map((c) => html`<option value=${c} />`)}</datalist>`}
    <button class="first">Answer</button>
    <p class="hint" id="answer-hint">${hint}</p>
  </form>`;
}

function Solution({ question, marked, onNext }) {
  const button = useRef(null);
  useLayoutEffect(() => button.current?.focus({ preventScroll: true }), []);
  const { right, answer, error, cost, steps, options, method, due, given } = marked;
  const { unit } = question;
  return html`<div class="solution">
    <p class=${`marked ${right ? "good" : "cost"}`}>${right ? "Right:" : "Wrong, right is"} ${answer}${inUnit(unit, answer)}</p>
    <p>${lesson(marked, unit)} <span class="note">${capital(method)}.${
      due && ` Asked again ${inWords(new Date(due) - Date.now())}.`}</span></p>
    ${onNext && html`<p><button type="button" class="first" ref=${button} onClick=${onNext}>Next</button></p>`}
    ${options.length > 0 && html`<${Table} caption=${`What each is worth to the side on roll, in points; you chose ${given}`}
      rows=${options} mark=${(row) => row.cost === 0 && row.name === answer ? "best" : ""} columns=${[
        { head: "Choice", cell: (row) => row.name, scope: true },
        { head: "Equity", cell: (row) => signed(row.equity) },
        { head: "Costs", cell: (row) => (row.cost ? html`<span class="cost">${row.cost.toFixed(4)}</span>` : "–") },
      ]} />`}
    <h3>Worked out</h3>
    <ol class="steps">${steps.map(({ words, arithmetic }) => html`<li>
      <span>${words}</span><span class="arithmetic">${arithmetic}</span></li>`)}</ol>
  </div>`;
}

/** What the error teaches, in a sentence. */
function lesson({ error, cost, given, right }, unit) {
  if (error != null) {
    if (!error) return "To the point.";
    const size = Math.abs(error).toFixed(1).replace(".0", "");
    return `You said ${given}: ${size}${inUnit(unit, size)} too ${error > 0 ? "high" : "low"}.`;
  }
  return right ? "" : `You said ${given}, which costs ${cost.toFixed(4)} points.`;
}

function Clock({ since }) {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((now - since.current) / 1000));
  return html`<span role="timer">${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}</span>`;
}

function Score({ done, due }) {
  const right = done.filter((one) => one.right).length;
  const mean = done.reduce((sum, one) => sum + one.seconds, 0) / done.length;
  return html`<p class="note score">${done.length
    ? `This session: ${right} of ${done.length} right, ${mean.toFixed(0)} seconds an answer. `
    : "Answers stay on this machine. Mistakes are asked again after a while. "}${
    due > 0 && `${due} ${due === 1 ? "question is" : "questions are"} due again.`}</p>`;
}

/** A unit as it stands behind a number. */
const inUnit = (unit, size) => (unit === "pips" ? (Number(size) === 1 ? " pip" : " pips") : unit);

function inWords(milliseconds) {
  const minutes = Math.max(1, Math.round(milliseconds / 60000));
  if (minutes < 90) return `in ${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
  const hours = Math.round(minutes / 60);
  return hours < 36 ? `in ${hours} hours` : `in ${Math.round(hours / 24)} days`;
}

function wished() {
  try {
    return { ...START, ...JSON.parse(localStorage.getItem(KEPT)) };
  } catch {
    return START;
  }
}

function queried({ kinds, level }, last) {
  return [["level", level], ["last", last], ...kinds.map((kind) => ["kinds", kind])];
}
