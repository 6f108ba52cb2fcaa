// Sets of questions: their settings, the current set, and its end.
// @ts-check

import { useEffect, useState } from "./vendor/htm-preact.js";

/**
 * Settings of the questions. `set`: the day's ten, a number (`size`), a time (`minutes`),
 * only due questions, or endless; `numbers`: typed, or chosen among four; `seconds`: time per
 * question, 0 for no limit; `player`: whose mistakes, "" for all, null for the user's.
 * @typedef {{ kinds: string[], level: string, set: string, size: number, minutes: number,
 *   numbers: string, seconds: number, player: string | null }} Wish
 */
/**
 * A set in progress. `since` is its start by the server's clock, or null for the whole day;
 * `until` is its end by this machine's clock.
 * @typedef {{ set: string, size: number, since: string | null, until: number | null }} Run
 */

const WISH = "bearoff.trainer";
const RUN = "bearoff.trainer.set";
const MINUTE = 60000;

/** @type {Wish} */
const START = {
  kinds: [], level: "fitting", set: "day", size: 20, minutes: 10, numbers: "type", seconds: 0, player: null,
};

/** The settings, which the browser stores. @returns {[Wish, (wish: Wish) => void]} */
export function useWish() {
  const [wish, setWish] = useState(() => ({ ...START, ...read(localStorage, WISH) }));
  const kept = JSON.stringify(wish);
  useEffect(() => localStorage.setItem(WISH, kept), [kept]);
  return [wish, setWish];
}

/**
 * Player whose decisions are shown, chosen in the trainer or the library; "" for the player
 * with the most decisions.
 */
export function whose() {
  return read(localStorage, WISH)?.player ?? "";
}

/** @param {string | null} player Null for oneself. */
export function choose(player) {
  localStorage.setItem(WISH, JSON.stringify({ ...START, ...read(localStorage, WISH), player }));
}

/**
 * Make the trainer ask only about mistakes when it is opened next; by default about the
 * user's own.
 * @param {string | null} player
 */
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

/** The set in progress in this tab, if it fits the settings. @param {Wish} wish */
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

/** Number of answers after which a set ends; null if the number does not matter. */
export function goalOf(run, summary) {
  return run.set === "day" ? summary.standing.a_day : run.set === "number" ? run.size : null;
}

/** Reason why a set is over, as a sentence, or null. */
export function ended(run, summary) {
  const goal = goalOf(run, summary);
  if (goal !== null && summary.answers >= goal) {
    return praise(summary.right, goal, run.set === "day" ? "today's" : "this set's");
  }
  return run.until !== null && Date.now() >= run.until ? "The time is up." : null;
}

/** Encouraging sentence on the result of a set. */
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
