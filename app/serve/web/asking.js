// Requests of a view, which are sent when the question changes and repeated until there is
// an answer.
// @ts-check

import { useEffect, useLayoutEffect, useRef, useState } from "./vendor/htm-preact.js";
import { get, persist, post } from "./api.js";

/**
 * @template T
 * @typedef {{ data: T | null, error: string | null, waiting: boolean, trouble: string | null }} Asked
 */

const PAUSE = 150; // Milliseconds without a change after which a series of changes has ended.
const LATE = 80; // Milliseconds after which the user is told about a wait.

/**
 * Send a request whenever `body` changes (null for no request), and keep the previous
 * answer until the next one arrives. The first of several changes is sent at once, and the
 * last one when there has been no change for `rest` milliseconds. Outdated requests are
 * cancelled.
 *
 * Return { data, error, waiting, trouble }: `error` is a sentence or null. While waiting,
 * `data` and `error` are those of the previous request, and `trouble` says whether the
 * server is busy or cannot be reached.
 *
 * @template {import("./api.js").Posted} P
 * @param {P} path
 * @param {import("./api.js").Body<P> | null} body
 * @param {number} [rest]
 * @returns {Asked<import("./api.js").Answer<P>>}
 */
export function useAnswer(path, body, rest = 0) {
  const key = body && path + JSON.stringify(body);
  return useAsked(key, (signal) => post(path, body, { signal }), rest);
}

/**
 * Return `data` if it is an answer about a race; null if the position has contact.
 * @param {import("./types").AnswerOut | import("./types").ContactOut | null | undefined} data
 * @returns {import("./types").AnswerOut | null}
 */
export const ofRace = (data) => (data && data.kind !== "search" ? data : null);

/**
 * Like `useAnswer`, but for `GET path`; if `path` is null, no request is sent. The request
 * is sent again when `news` changes.
 *
 * @template {string} P
 * @param {P | null} path
 * @param {import("./api.js").Query} [query]
 * @param {number} [news]
 * @returns {Asked<import("./api.js").Answer<P>>}
 */
export function useGet(path, query, news = 0) {
  const key = path && `${path}${JSON.stringify(query ?? {})} ${news}`;
  return useAsked(key, (signal) => get(path, query, { signal }));
}

/**
 * @param {string | null} key
 * @param {(signal: AbortSignal) => Promise<any>} asks
 */
function useAsked(key, asks, rest = 0) {
  const [state, setState] = useState({ key: null, data: null, error: null, trouble: null });
  const changed = useRef(-Infinity);
  useEffect(() => {
    if (!key) {
      setState({ key, data: null, error: null, trouble: null });
      return undefined;
    }
    const control = new AbortController();
    const { signal } = control;
    const told = ({ message }) => setState((now) => ({ ...now, trouble: message }));
    const ask = () => persist(() => asks(signal), { signal, told }).then(
      (data) => signal.aborted || setState({ key, data, error: null, trouble: null }),
      (error) => signal.aborted || setState({ key, data: null, error: error.message, trouble: null }),
    );
    const now = performance.now();
    const wait = Math.max(rest, now - changed.current < PAUSE ? PAUSE : 0);
    changed.current = now;
    const timer = wait ? setTimeout(ask, wait) : void ask();
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [key]);
  const { data, error, trouble } = state;
  const waiting = state.key !== key;
  return { data, error, waiting, trouble: waiting ? trouble : null };
}

// A change made in one tab is announced to all other tabs, by a path or by the name of the
// changed data.
const tabs = new BroadcastChannel("bearoff");

const here = new EventTarget();

/** Announce a change to all other tabs, and to `useNews` in this one. @param {string} what */
export function tell(what) {
  tabs.postMessage(what);
  here.dispatchEvent(new Event(what));
}

/**
 * Call `act` whenever another tab has changed something.
 * @param {string} what
 * @param {() => unknown} act
 */
export function useTold(what, act) {
  const latest = useRef(act);
  latest.current = act;
  useLayoutEffect(() => {
    const heard = ({ data }) => data === what && latest.current();
    tabs.addEventListener("message", heard);
    return () => tabs.removeEventListener("message", heard);
  }, [what]);
}

/** Number of changes announced so far, in any tab. @param {string} what */
export function useNews(what) {
  const [news, setNews] = useState(0);
  const more = () => setNews((now) => now + 1);
  useTold(what, more);
  useLayoutEffect(() => {
    here.addEventListener(what, more);
    return () => here.removeEventListener(what, more);
  }, [what]);
  return news;
}

/** Whether a wait has lasted so long that the page should mention it. */
export function useLate(waiting) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (!waiting) return undefined;
    const timer = setTimeout(() => setLate(true), LATE);
    return () => clearTimeout(timer);
  }, [waiting]);
  return waiting && late;
}
