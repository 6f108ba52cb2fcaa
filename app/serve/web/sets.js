// Sets of questions: what is wished for, which set goes on, and when it is over.
// @ts-check

import { useEffect, useState } from "./vendor/htm-preact.js";

/**
 * What is asked. `set`: the day's ten, so many (`size`), so long (`minutes`), only what is
 * due, or no end; `numbers`: typed, or chosen among four; `seconds` a question, 0 for any;
 * `player`: whose mistakes, "" for all, null for whose library it is.
 * @typedef {{ kinds: string[], level: string, set: string, size: number, minutes: number,
 *   numbers: string, seconds: number, player: string | null }} Wish
 */
/**
 * A set that goes on: `since` as the server's clock has it, null for the whole day; `until`
 * as this machine's has it.
 * @typedef {{ set: string, size: number, since: string | null, until: number | null }} Run
 */

const WISH = "bearoff.trainer";
const RUN = "bearoff.trainer.set";
const MINUTE = 60000;

/** @type {Wish} */
const START = {
  kinds: [], level: "fitting", set: "day", size: 20, minutes: 10, numbers: "type", seconds: 0, player: null,
};

/** What is wished for, kept by the browser. @returns {[Wish, (wish: Wish) => void]} */
export function useWish() {
  const [wish, setWish] = useState(() => ({ ...START, ...read(localStorage, WISH) }));
  const kept = JSON.stringify(wish);
  useEffect(() => localStorage.setItem(WISH, kept), [kept]);
  return [wish, setWish];
}

/** Whose decisions one looks at, chosen in the trainer or the library; "" for whoever made most. */
export function whose() {
  return read(localStorage, WISH)?.player ?? "";
}

/** @param {string | null} player Null for oneself. */
export function choose(player) {
  localStorage.setItem(WISH, JSON.stringify({ ...START, ...read(localStorage, WISH), player }));
}

/** Have only mistakes asked when the trainer is opened next, by default one's own. @param {string | null} player */
export function wishOwn(player = null) {
  localStorage.setItem(WISH, JSON.stringify({ ...START, ...read(localStorage, WISH), kinds: ["own"], player }));
}

/** @param {Wish} wish @param {string} now @returns {Run} */
export function begun({ set, size, minutes }, now) {
  return {
    set,
    size: set === "minutes" ? minutes : size,
    since: set === "day" ? null : now,
    until: set === "minutes" ? Date.now() + minutes * MINUTE : null,
  };
}

/** The set that this tab was at, if it is still the one wished for. @param {Wish} wish */
export function runOf(wish) {
  const run = /** @type {Run | null} */ (read(sessionStorage, RUN));
  const { set, size } = begun(wish, "");
  return run?.set === set && run.size === size ? run : null;
}

/** @param {Run} run */
export function keepRun(run) {
  sessionStorage.setItem(RUN, JSON.stringify(run));
}

export function forgetRun() {
  sessionStorage.removeItem(RUN);
}

/** How many answers end a set; null where something else does. */
export function goalOf(run, summary) {
  return run.set === "day" ? summary.standing.a_day : run.set === "number" ? run.size : null;
}

/** Why a set is over, a sentence, or null. */
export function ended(run, summary) {
  const goal = goalOf(run, summary);
  if (goal !== null && summary.answers >= goal) {
    return praise(summary.right, goal, run.set === "day" ? "today's" : "this set's");
  }
  return run.until !== null && Date.now() >= run.until ? "The time is over." : null;
}

/** What one likes to read at the end of a set. */
function praise(right, goal, whose) {
  if (right >= goal) return `All ${goal} right. Well played!`;
  if (right >= 0.7 * goal) return `Well done: ${right} of ${whose} ${goal} are right.`;
  return `You have answered ${whose} ${goal}. Questions that you answered wrong are asked again until you know them.`;
}

function read(storage, key) {
  try {
    return JSON.parse(storage.getItem(key));
  } catch {
    return null;
  }
}
