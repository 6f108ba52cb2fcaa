// The calculator: a position on the board, with the right decision and other answers.
// @ts-check

import { html, useLayoutEffect, useRef, useState } from "./vendor/htm-preact.js";
import { send, served } from "./api.js";
import { ofRace, useAnswer, useLate } from "./asking.js";
import { Board } from "./board.js";
import { Controls, Notation } from "./controls.js";
import { Decision, PATIENCE, REST, useRollout } from "./decision.js";
import { Distribution } from "./distribution.js";
import { Estimate } from "./estimate.js";
import { Formula } from "./formula.js";
import { Rolls } from "./rolls.js";
import { useRace, useUndoKeys } from "./held.js";
import { asRequest, fromXgid, hasContact, isHome, off, pastedText, toXgid } from "./race.js";
import { Sentence, announce, useNarrow } from "./ui.js";

// Error message of a static site, which cannot search positions with contact.
const CONTACT = "This position has contact, but this page answers only races, in which the sides have passed each other. bearoff serve estimates positions with contact.";

export function View({ path }) {
  const { race, set: setRace, undo, redo } = useRace(path[0]);
  useUndoKeys({ undo, redo });
  const [refusal, setRefusal] = useState(null); // Error message, and the race that was on the board at that time.
  const [told, setTold] = useState(""); // Message about the last action on the board.
  const narrow = useNarrow();
  const [whole, setWhole] = useState(false);

  const change = (more) => {
    setRefusal(null);
    setTold("");
    setRace({ ...race, ...more });
  };
  const say = (sentence) => {
    setTold(sentence);
    if (sentence) announce(sentence);
  };
  const latest = useRef(race);
  latest.current = race;
  const reading = useRef(0); // Number of texts that the user has entered.
  const read = async (text) => {
    const shown = toXgid(race);
    const number = (reading.current += 1);
    const isLatest = () => number === reading.current && toXgid(latest.current) === shown;
    try {
      const { xgid } = await send("/position", { position: pastedText(text) });
      if (isLatest()) change(fromXgid(xgid));
    } catch (error) {
      if (isLatest()) setRefusal({ sentence: /has no contact/.test(error.message) ? CONTACT : error.message, shown });
    }
  };
  usePaste(read);
  useLayoutEffect(() => {
    setRefusal(null); // A message about the previous address is removed.
    // The address may be written by other programs, with a position ID for example.
    if (path[0] && !fromXgid(path[0])) read(path[0]);
  }, [path[0]]);

  // A message disappears when its race is no longer on the board.
  const refused = refusal?.shown === toXgid(race) ? refusal.sentence : null;
  const body = asRequest(race);
  const before = asRequest({ ...race, dice: null });
  const over = !race.roller.some(Boolean) || !race.opponent.some(Boolean);
  const contact = hasContact(race);
  const none = over || (contact && !served);
  const [stopped, setStopped] = useState(null); // Key of the computation that the user stopped.
  const waits = stopped !== body.position;
  const answer = useBest(race, none ? null : body, waits);
  const exact = answer.data?.kind === "exact";
  const rollout = useRollout(none ? null : body, answer, waits);
  const wait = { waits, stop: () => setStopped(body.position), goOn: () => setStopped(null) };
  const stale = useLate(answer.waiting);
  const known = Boolean(answer.data ?? rollout.result);
  const home = narrow && !whole && isHome(race);
  return html`<h1 class="hidden">Calculator</h1>
    <div class="calculator">
      <div class="set"><${Notation} race=${race} read=${read} refused=${refused} forget=${() => setRefusal(null)} />
        <${Board} ...${race} home=${home} onChange=${change} onSay=${say} onCube=${() => change(turnedOn(race))} />
        <p class="note told">${told}</p></div>
      <${Controls} race=${race} change=${change} said=${summary(race)}
        undo=${undo} redo=${redo} narrow=${narrow} whole=${narrow && isHome(race) ? !home : null} setWhole=${setWhole} />
      <p class="printed">${summary(race)}. XGID=${toXgid(race)}</p>
      <div class="verdicts" aria-busy=${answer.waiting}>
        ${over && html`<p>${ended(race)}</p>`}
        ${none && !over && html`<${Sentence}>${CONTACT}</${Sentence}>`}
        ${!none && contact && html`<${Estimate} race=${race} answer=${answer} stale=${stale} change=${change} />`}
        ${!none && !contact && html`<${Decision} race=${race} body=${body} answer=${{ ...answer, data: ofRace(answer.data) }}
          rollout=${rollout} wait=${wait} stale=${stale} change=${change} />`}
      </div>
    </div>
    ${known && !none && !contact && html`<div class="calculator" aria-busy=${answer.waiting}>
      <${Rolls} body=${{ ...before, patience: exact ? PATIENCE : 0 }} dice=${race.dice} change=${change} />
      <div><${Distribution} body=${before} /><${Formula}
        body=${{ ...before, patience: exact && !race.away ? PATIENCE : 0 }} score=${race.away} /></div>
    </div>`}`;
}

/**
 * A click on the cube moves it to the player on roll, to the opponent, and to the middle in
 * turn.
 */
function turnedOn({ cube, cubeValue }) {
  const next = /** @type {const} */ ({ centred: "owned", owned: "opponent", opponent: "centred" })[cube];
  return { cube: next, cubeValue: next === "centred" ? 1 : Math.max(2, cubeValue) };
}

/**
 * Return the immediate answer. If the race can be solved and the user `waits`, the exact
 * answer follows.
 */
function useBest(race, body, waits) {
  const quick = useAnswer("/race", body && { ...body, patience: 0 });
  // If a table contains the race, or it was solved before at this score, the first answer
  // is already exact.
  const open = !quick.waiting && quick.data && quick.data.kind !== "exact";
  const may = served && body && open && isHome(race);
  const solved = useAnswer("/race", may && waits ? { ...body, patience: PATIENCE } : null, REST);
  const better = may && waits && !solved.waiting && solved.data;
  if (better) return { ...solved, solving: false };
  const solving = Boolean(may) && waits && (solved.waiting || quick.waiting);
  return { ...quick, solving };
}

/**
 * Describe the settings of the controls in words, for printing and while the controls are
 * folded.
 * @param {import("./race.js").Race} race
 */
function summary(race) {
  const { away, crawford, jacoby, beavers, cube, cubeValue } = race;
  const where = { centred: "centred", owned: "yours", opponent: "the opponent's" }[cube];
  const play = away
    ? `${away[0]} away, ${away[1]} away${crawford ? ", Crawford game" : ""}`
    : `money play${jacoby ? ", Jacoby rule" : ""}${beavers ? ", beavers" : ""}`;
  return `Cube ${where}${cubeValue > 1 ? ` at ${cubeValue}` : ""}; ${play}`;
}

function ended(race) {
  const mine = off(race.roller) === 15;
  if (mine && off(race.opponent) === 15) return "Click on points to put checkers there.";
  return mine ? "You have borne off all checkers." : "The opponent has borne off all checkers.";
}

/** Text that is pasted outside a field is read as a position. */
function usePaste(read) {
  const latest = useRef(read);
  latest.current = read;
  useLayoutEffect(() => {
    const pasted = (event) => {
      if (event.target.closest("input, textarea, select")) return;
      const text = event.clipboardData.getData("text").trim();
      if (text) latest.current(text);
    };
    addEventListener("paste", pasted);
    return () => removeEventListener("paste", pasted);
  }, []);
}
