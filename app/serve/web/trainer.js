// The trainer asks one question after another, marks each answer and explains it.
// @ts-check

import { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor/htm-preact.js";
import { get, persist, send } from "./api.js";
import { tell, useGet, useTold } from "./asking.js";
import { Board } from "./board.js";
import { useKeys } from "./keys.js";
import { Asked, boardOf, useSeconds, withUnit } from "./question.js";
import { Progress } from "./progress.js";
import { begun, ended, forgetRun, keepRun, runOf, useWish } from "./sets.js";
import { Solution } from "./solution.js";
import { Ended, Standing } from "./summary.js";
import { Section, Sentence, announce } from "./ui.js";
import { Wishes } from "./wishes.js";

export function View({ path }) {
  return html`<h1 class="hidden">Trainer</h1>
    <nav class="row" aria-label="Trainer">
      <a href="#/trainer" aria-current=${path[0] ? undefined : "page"}>Questions</a>
      <a href="#/trainer/progress" aria-current=${path[0] ? "page" : undefined}>Your errors</a>
    </nav>
    ${path[0] === "progress" ? html`<${Progress} />` : html`<${Session} />`}`;
}

function Session() {
  const { data: offer } = useGet("/training/drills");
  const [wish, setWish] = useWish();
  const [run, setRun] = useState(/** @type {import("./sets.js").Run | null} */ (null));
  const [summary, setSummary] = useState(null);
  const [question, setQuestion] = useState(null);
  const [marked, setMarked] = useState(null);
  const [over, setOver] = useState(null); // { why, more }: a sentence on why the set has ended, and whether it can be continued.
  const [problem, setProblem] = useState(null);
  const [skipped, setSkipped] = useState([]);
  const [last, setLast] = useState(null); // Id of the latest answer, which can be undone.
  const asked = useRef(0);
  const sending = useRef(false);
  const regretted = useRef(false); // Whether to undo the answer that is being sent, once it is stored.
  const control = useRef(new AbortController()); // Controller that cancels the request for the next question.
  const counting = useRef(new AbortController()); // Controller that cancels the request for a summary.
  const counts = useRef(0); // Number of summaries requested so far.
  const [drawing, setDrawing] = useState(false); // Whether the next question has already been requested.
  const wished = useRef(wish); // Settings at the time of a request; they may have changed since the set began.
  wished.current = wish;

  const told = (error) => setProblem(error.message);
  // The settings have changed, or the view has been closed.
  const renewed = (one = control) => {
    one.current.abort();
    one.current = new AbortController();
    return one.current.signal;
  };
  useEffect(() => () => [control, counting].forEach((one) => one.current.abort()), []);

  const show = (found) => {
    setDrawing(false);
    asked.current = performance.now();
    setMarked(null);
    setOver(null);
    setQuestion(found);
  };
  const counted = async (signal, since) => {
    const number = (counts.current += 1);
    const found = await persist(() => get("/training/summary", since ? { since } : {}, { signal }), { signal, told });
    if (number === counts.current) setSummary(found); // Otherwise, a newer summary has been requested.
    return found;
  };
  const next = async (at = run, passed = skipped, sentence = null) => {
    const signal = renewed();
    renewed(counting);
    setDrawing(true);
    try {
      const found = await counted(signal, at.since);
      const why = ended(at, found);
      if (why) return finish(why);
      const query = queried(wished.current, at, [question?.id, ...passed]);
      const drawn = await persist(() => get("/training/question", query, { signal }), { signal, told });
      setProblem(sentence);
      show(drawn);
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error.status === 404) return finish(error.message, at.set === "due");
      setDrawing(false);
      told(error);
    }
    return undefined;
  };
  const finish = (why, more = true) => {
    setDrawing(false);
    setProblem(null);
    setQuestion(null);
    setMarked(null);
    setOver({ why, more });
  };
  /** Start a set, or continue a set that was interrupted by a reload. */
  const begin = async (set, fresh = true) => {
    const signal = renewed();
    renewed(counting);
    setSkipped([]);
    setDrawing(true);
    try {
      if (fresh) forgetRun();
      const today = await counted(signal, null);
      const at = (!fresh && runOf(set)) || begun(set, today.standing.now);
      keepRun(at);
      setRun(at);
      await next(at, []);
    } catch (error) {
      if (signal.aborted) return;
      setDrawing(false);
      told(error);
    }
  };
  const more = (set) => (wish.set === set.set && wish.size === set.size ? begin(set) : setWish({ ...wish, ...set }));
  // This runs before the next input, which would otherwise answer a question of the
  // previous settings.
  useLayoutEffect(() => {
    begin(wish, false);
  }, [wish.set, wish.size, wish.minutes]);
  const others = JSON.stringify([wish.kinds, wish.level, wish.player]);
  useLayoutEffect(() => {
    if (!run || marked) return;
    if (over) more({ set: "number", size: 10 }); // After a set has ended, new settings start another set.
    else next();
  }, [others]);

  const recount = () => {
    const signal = renewed(counting);
    counted(signal, run.since).catch((error) => signal.aborted || told(error));
  };
  /**
   * Run one change of answers at a time; `work` returns the id of the answer that can be
   * undone afterwards.
   */
  const change = async (work) => {
    if (sending.current) return;
    let id = null;
    sending.current = true;
    regretted.current = false;
    try {
      id = await work();
      tell("training");
    } catch (error) {
      // Another tab has answered this question first, so it is outdated here.
      if (error.status === 409) await next(run, skipped, error.message);
      else told(error);
    } finally {
      sending.current = false;
    }
    if (regretted.current && id) await undoOf(id);
  };
  const answer = (given, hints) => change(async () => {
    const seconds = (performance.now() - asked.current) / 1000;
    const found = await send("/training/answers", { id: question.id, given, seconds, hints });
    setProblem(null);
    setMarked(found);
    setLast(found.id);
    announce(`${found.right ? "Right:" : given ? "Wrong. The answer is" : "Time is up. The answer is"} ${withUnit(found.answer, question.unit)}.`);
    recount();
    return found.id;
  });
  const knew = () => change(async () => {
    setMarked(await send("/training/answers/knew", { id: marked.id }));
    announce("Counted as known");
    recount();
    return marked.id;
  });
  const undoOf = (id) => change(async () => {
    const found = await send("/training/answers/undo", { id });
    setLast(null);
    setProblem(null);
    show(found);
    announce("The last answer is undone; its question is asked again");
    recount();
  });
  // The question stays on the page. If another tab has answered it, the user learns this
  // when answering here.
  useTold("training", () => run && recount());
  const undo = () => undoOf(last);
  const skip = () => {
    const passed = [...skipped, question.id];
    setSkipped(passed);
    next(run, passed);
  };
  useKeys({
    back: () => {
      if (sending.current) regretted.current = true;
      else if (last) undo();
    },
    skip: () => question && !marked && !sending.current && skip(),
    knew: () => marked && !marked.right && knew(),
  });
  const left = useSeconds(run?.until != null && !over);
  return html`<div class="trainer">
    <${Wishes} offer=${offer} wish=${wish} onChange=${setWish} />
    ${summary && run && html`<${Standing} summary=${summary} run=${run} now=${left} />`}
    <${Sentence}>${problem}</${Sentence}>
    ${over && summary && html`<${Ended} why=${over.why} summary=${summary} day=${run?.set === "day"}
      onMore=${over.more ? () => more({ set: "number", size: 10 }) : null} onDue=${() => more({ set: "due" })}
      onUndo=${last && undo} />`}
    ${question && html`<${Asked} key=${question.id} question=${question} choose=${wish.numbers === "choose"}
      seconds=${marked ? 0 : wish.seconds} since=${asked} busy=${drawing} done=${marked != null} onAnswer=${answer} onSkip=${skip}
      onUndo=${last && undo}>
      ${marked && html`<${Solution} question=${question} marked=${marked}
        onNext=${() => next()} onKnew=${knew} onUndo=${undo} />`}
    </${Asked}>`}
    ${summary?.standing.answered === 0 && html`<${First} drills=${offer?.drills ?? []} />`}
  </div>`;
}

/** Text shown before anything was answered. */
function First({ drills }) {
  const [open, setOpen] = useState(false);
  const { data, error } = useGet(open ? "/training/example" : null);
  return html`<${Section} title="What you get" id="first">
    <ul class="gets">
      <li>Ten questions a day, of ${drills.length} kinds, from positions of real games; choose the kinds above.</li>
      <li>Each answer is marked, explained step by step, and compared with the value of every choice.</li>
      <li>Questions with mistakes are repeated later. <a href="#/trainer/progress">Your errors</a> shows which kinds of positions mislead you.</li>
      <li>Answers stay on this machine.</li>
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

/**
 * @param {import("./sets.js").Wish} wish
 * @param {import("./sets.js").Run} run
 * @param {(string | undefined)[]} passed
 */
function queried({ kinds, level, player }, run, passed) {
  /** @type {[string, unknown][]} */
  const query = [["level", level], ["due", run.set === "due"], ["player", player]];
  for (const id of passed) if (id) query.push(["passed", id]);
  return [...query, ...kinds.map((kind) => /** @type {[string, unknown]} */ (["kinds", kind]))];
}
