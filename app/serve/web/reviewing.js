// A review that runs in the background on the server. It continues if the user changes the
// view or reloads the page.
// @ts-check

import { useLayoutEffect, useState } from "./vendor/htm-preact.js";
import { ApiError, drop, get, pause, persist, send } from "./api.js";
import { tell } from "./asking.js";

const KEPT = "bearoff.review"; // Key in this tab's storage for the id of the review and the files sent.
const DECLINED = "bearoff.unkept"; // Key in this browser's storage, set if reviews are not to be stored.
const EVERY = 400; // Minimum number of milliseconds between two requests for progress.
/** @type {{ status: "none" | import("./types").GoingOut["status"], done: number, decisions: number, found: import("./types").ReviewOut | null, error: string | null, trouble: string | null }} */
const NONE = { status: "none", done: 0, decisions: 0, found: null, error: null, trouble: null };

let state = NONE;
let control = new AbortController(); // Controller that cancels the requests for progress.
const heard = new Set();

/**
 * State of the review: { status, done, decisions, found, error, trouble }. `status` is none,
 * running, done, stopped or failed; `found` contains the results so far, or null.
 */
export function useReview() {
  const [, show] = useState(state);
  useLayoutEffect(() => {
    heard.add(show);
    if (state === NONE) resume();
    return () => heard.delete(show);
  }, []);
  return state;
}

/** Whether reviews are stored in the library, as last chosen in this browser. */
export const keeps = () => localStorage.getItem(DECLINED) === null;

/**
 * The setting for storing reviews in the library, with its setter.
 * @returns {[boolean, (keep: boolean) => void]}
 */
export function useKeeps() {
  const [keep, set] = useState(keeps);
  const choose = (next) => {
    if (next) localStorage.removeItem(DECLINED);
    else localStorage.setItem(DECLINED, "1");
    set(next);
  };
  return [keep, choose];
}

/** Send matches or positions for review, and drop the previous results. */
export async function begin(body) {
  if (state.status === "running") stop();
  control.abort();
  control = new AbortController();
  const { signal } = control;
  set({ ...NONE, status: "running" });
  try {
    const { id } = await send("/reviews", body);
    if (signal.aborted) return;
    keep({ id, body });
    await watch(id, body, signal);
  } catch (error) {
    if (!signal.aborted) set({ status: "failed", error: error.message, trouble: null });
  }
}

/** Stop the review; its results so far remain. */
export function stop() {
  const { id } = kept();
  if (id) drop(`/reviews/${id}`).catch(() => {}); // Without requests for its progress, the server stops the review anyway.
}

async function resume() {
  const { id, body } = kept();
  if (!id) return;
  const { signal } = control;
  set({ status: "running" });
  await watch(id, body, signal).catch((error) => {
    if (!signal.aborted) set({ status: "failed", error: error.message, trouble: null });
  });
}

/**
 * Request progress until the review has ended. If the server was restarted, the matches are
 * sent again.
 */
async function watch(id, body, signal) {
  const told = ({ message }) => set({ trouble: message });
  for (let news = -1; ; ) {
    const began = performance.now();
    const look = () => get(`/reviews/${id}`, { news }, { signal });
    /** @type {import("./types").GoingOut} */
    const going = await persist(look, { signal, told }).catch((error) => {
      if (body && error instanceof ApiError && error.status === 404) return null;
      throw error;
    });
    if (!going) return begin(body);
    news = going.news;
    const { status, done, decisions, error } = going;
    set({ status, done, decisions, error, trouble: null, found: merged(state.found, going) });
    if (status !== "running") return tell("library"); // The review may have stored matches in the library.
    // Large results are requested at longer intervals.
    await pause(Math.max(EVERY, 4 * (performance.now() - began)), signal);
  }
}

/**
 * Merge the results so far with the changes that the server reports.
 * @param {import("./types").ReviewOut | null} before
 * @param {import("./types").GoingOut} going
 */
function merged(before, { found, known }) {
  if (!found) return before;
  const fresh = new Set(found.decisions.map((one) => one.number));
  const old = (before?.decisions ?? []).filter((one) => one.number <= known && !fresh.has(one.number));
  const decisions = [...old, ...found.decisions].sort((a, b) => b.cost - a.cost || a.number - b.number);
  return { ...found, decisions };
}

function set(more) {
  state = { ...state, ...more };
  heard.forEach((show) => show(state));
}

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}

function keep({ id, body }) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ id, body }));
  } catch {
    sessionStorage.setItem(KEPT, JSON.stringify({ id })); // The data are too large for the tab's storage.
  }
}
