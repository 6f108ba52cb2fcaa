// Requests to the server of this page. A refusal carries the program's own sentence.

import { useEffect, useState } from "./vendor/htm-preact.js";

const ROOT = "/api/v1";

const BUSY = "The games could not be played: others are being played, or the program stopped.";

/** A request that was refused or failed; `message` is one sentence to show. */
export class ApiError extends Error {
  constructor(sentence, status) {
    super(sentence);
    this.status = status;
  }
}

/** Return what `GET path` answers; `query` has parameters, an object or a list of pairs. */
export function get(path, query = {}, { signal } = {}) {
  return ask(path + asQuery(query), { signal });
}

/** Return what `POST path` answers; `body` is JSON, or a FormData to upload files. */
export function post(path, body, { signal } = {}) {
  if (body instanceof FormData) return ask(path, { method: "POST", body, signal });
  const headers = { "content-type": "application/json" };
  return ask(path, { method: "POST", headers, body: JSON.stringify(body), signal });
}

/** Return the address of `path` with parameters, to link to or to stream from. */
export function address(path, query = {}) {
  return ROOT + path + asQuery(query);
}

/**
 * Read a stream of server-sent events: `on` has a function for each kind of event, such as
 * `progress`. Return what stops it; it stops by itself after `last` kinds of event.
 */
export function stream(path, query, on, last = ["result", "failed"]) {
  const source = new EventSource(address(path, query));
  for (const [kind, heard] of Object.entries(on)) {
    source.addEventListener(kind, (event) => {
      if (last.includes(kind)) source.close();
      if (event.data) heard(JSON.parse(event.data));
    });
  }
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) on.failed?.({ error: BUSY });
    source.close(); // A browser would ask again, and play the same games twice.
  };
  return () => source.close();
}

/**
 * Ask again whenever `body` changes (null: nothing to ask), and keep the answer of before
 * until the next is there.
 *
 * Return { data, error, waiting }: `error` is a sentence or null.
 */
export function useAnswer(path, body) {
  const [state, setState] = useState({ data: null, error: null, waiting: false });
  const key = body && JSON.stringify(body);
  useEffect(() => {
    if (!body) {
      setState({ data: null, error: null, waiting: false });
      return undefined;
    }
    const control = new AbortController();
    setState((before) => ({ ...before, waiting: true }));
    post(path, body, { signal: control.signal }).then(
      (data) => setState({ data, error: null, waiting: false }),
      (error) => {
        if (error.name === "AbortError") return;
        setState({ data: null, error: error.message, waiting: false });
      },
    );
    return () => control.abort();
  }, [path, key]);
  return state;
}

async function ask(path, options) {
  let response;
  try {
    response = await fetch(ROOT + path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("The program does not answer. Is bearoff serve still running?", 0);
  }
  const json = response.headers.get("content-type")?.includes("json");
  const answer = json ? await response.json() : null;
  if (response.ok) return answer;
  const sentence = answer?.error ?? `The program answered ${response.status}.`;
  throw new ApiError(sentence, response.status);
}

function asQuery(query) {
  const pairs = Array.isArray(query) ? query : Object.entries(query);
  const given = pairs.filter(([, value]) => value != null);
  return given.length ? `?${new URLSearchParams(given)}` : "";
}
