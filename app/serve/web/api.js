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
 * Post and read the stream of events that answers: `on` has a function for each kind of
 * event. A stream that breaks off throws.
 */
export async function postStream(path, body, on, { signal } = {}) {
  const headers = { "content-type": "application/json" };
  const response = await answered(path, { method: "POST", headers, body: JSON.stringify(body), signal });
  if (!response.ok) throw await refused(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (text + value).split("\n\n");
    text = events.pop();
    for (const event of events) {
      const [, kind, data] = /^event: (\w+)\ndata: (.*)$/s.exec(event) ?? [];
      if (kind) on[kind]?.(JSON.parse(data));
    }
  }
}

/**
 * Ask again whenever `body` changes (null: nothing to ask), `rest` milliseconds after the
 * last change, and keep the answer of before until the next is there.
 *
 * Return { data, error, waiting }: `error` is a sentence or null; while it is waiting, they
 * are those of before.
 */
export function useAnswer(path, body, rest = 0) {
  const [state, setState] = useState({ key: null, data: null, error: null });
  const key = body && path + JSON.stringify(body);
  useEffect(() => {
    if (!body) {
      setState({ key, data: null, error: null });
      return undefined;
    }
    const control = new AbortController();
    const ask = () => post(path, body, { signal: control.signal }).then(
      (data) => setState({ key, data, error: null }),
      (error) => error.name === "AbortError" || setState({ key, data: null, error: error.message }),
    );
    const timer = rest ? setTimeout(ask, rest) : ask();
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [key]);
  return { data: state.data, error: state.error, waiting: state.key !== key };
}

async function ask(path, options) {
  const response = await answered(path, options);
  if (!response.ok) throw await refused(response);
  return isJson(response) ? response.json() : null;
}

async function answered(path, options) {
  try {
    return await fetch(ROOT + path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("The program does not answer. Is bearoff serve still running?", 0);
  }
}

async function refused(response) {
  const answer = isJson(response) ? await response.json() : null;
  const sentence = answer?.error ?? `The program answered ${response.status}.`;
  return new ApiError(sentence, response.status);
}

const isJson = (response) => response.headers.get("content-type")?.includes("json");

function asQuery(query) {
  const pairs = Array.isArray(query) ? query : Object.entries(query);
  const given = pairs.filter(([, value]) => value != null);
  return given.length ? `?${new URLSearchParams(given)}` : "";
}
