// Requests to the server of this page, or to the page itself where files alone are served.
// A refusal carries the program's own sentence.
// @ts-check

/** @typedef {import("./types").Answers} Answers */
/** @typedef {import("./types").Bodies} Bodies */
/**
 * @template {string} P
 * @typedef {P extends keyof Answers ? Answers[P] : any} Answer
 */
/**
 * A path that is posted to; those of a match have its key.
 * @typedef {(keyof Bodies & keyof Answers) | `/play/matches/${string}` | `/play/no-chance/games/${string}`} Posted
 */
/**
 * @template {string} P
 * @typedef {P extends keyof Bodies ? Bodies[P] : any} Body
 */
/** @typedef {Record<string, unknown> | [string, unknown][]} Query */
/**
 * How something is asked: `signal` ends it, `told` hears of each time it has to be asked again.
 * @typedef {{ signal?: AbortSignal, told?: (error: ApiError) => void }} How
 */

const ROOT = "/api/v1";

/** Whether a program answers, which can solve, play and keep; else the page itself does. */
export const served = document.documentElement.dataset.answers !== "page";

const GONE = served ? "The program does not answer. Is bearoff serve still running?"
  : "A part of the table is needed that is not on this device, and the network does not answer.";
const AWAY = 0; // Instead of a status where nothing answers.
const SOON = 250; // Milliseconds after which a request is made again; then twice as many.
const LATE = 2000; // Of them, at most.
const TRIES = 5; // Of what somebody clicked, before its refusal is told.

/** A request that was refused or failed; `message` is one sentence to show. */
export class ApiError extends Error {
  /**
   * @param {string} sentence
   * @param {number} status
   */
  constructor(sentence, status) {
    super(sentence);
    this.status = status;
  }

  /** Whether the program has too much to do at the moment. */
  get busy() {
    return this.status === 429 || this.status === 503;
  }

  /** Whether it may be answered a moment later: the program is busy, or being started. */
  get passes() {
    return this.busy || this.status === AWAY;
  }
}

/**
 * Return what `GET path` answers; `query` has parameters, an object or a list of pairs.
 *
 * @template {string} P
 * @param {P} path
 * @param {Query} [query]
 * @param {How} [how]
 * @returns {Promise<Answer<P>>}
 */
export function get(path, query = {}, { signal } = {}) {
  return ask(path + asQuery(query), { signal });
}

/**
 * Return what `POST path` answers; `body` is JSON.
 *
 * @template {Posted} P
 * @param {P} path
 * @param {Body<P>} body
 * @param {How} [how]
 * @returns {Promise<Answer<P>>}
 */
export function post(path, body, { signal } = {}) {
  const headers = { "content-type": "application/json" };
  return ask(path, { method: "POST", headers, body: JSON.stringify(body), signal });
}

/** Return what `DELETE path` answers. */
export function drop(path) {
  return ask(path, { method: "DELETE" });
}

/**
 * `post` for what was clicked, and is done once: a program that is busy is asked again.
 *
 * @template {Posted} P
 * @param {P} path
 * @param {Body<P>} body
 */
export function send(path, body) {
  // One that is busy has done nothing yet; one that went away may have.
  return persist(() => post(path, body), { tries: TRIES, passes: (error) => error.busy });
}

/** Have the file at an address of the program made, which the browser then has at hand. */
export async function prepare(place) {
  const asks = async () => {
    const response = await answered(place.slice(ROOT.length), {});
    if (!response.ok) throw await refused(response);
    await response.blob();
  };
  // What takes too long goes on, and is there when it is asked for again.
  return persist(asks, { tries: TRIES, passes: (error) => error.passes || error.status === 504 });
}

/** Return the address of `path` with parameters, to link to or to stream from. */
export function address(path, query = {}) {
  return ROOT + path + asQuery(query);
}

/**
 * Read the stream of events that answers `GET path`: `on` has a function for each kind of
 * event, such as `progress`. One that is broken off is asked for again, until a kind of
 * `last` has come; see `persist`.
 *
 * @param {string} path
 * @param {Query} query
 * @param {Record<string, (data: any) => void>} on
 * @param {How & { last?: string[] }} [how]
 */
export function stream(path, query, on, { signal, told, last = ["result", "failed"] } = {}) {
  const asks = async () => {
    const response = await answered(path + asQuery(query), { signal });
    if (!response.ok) throw await refused(response);
    for await (const [kind, data] of events(response.body, signal)) {
      on[kind]?.(data);
      if (last.includes(kind)) return;
    }
    throw new ApiError(GONE, AWAY);
  };
  return persist(asks, { signal, told });
}

/**
 * The events of a body as they come: their kinds, and their data.
 *
 * @param {ReadableStream<Uint8Array>} body
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<[string, any]>}
 */
async function* events(body, signal) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      signal?.throwIfAborted();
      throw new ApiError(GONE, AWAY);
    });
    if (done) return;
    const blocks = (text + value).split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const [, kind, data] = /^event: (\w+)\ndata: (.*)$/s.exec(block) ?? [];
      if (kind) yield [kind, JSON.parse(data)];
    }
  }
}

/**
 * Call `asks` until it is answered, or refused for good. While the program is busy or away
 * it is called again after a while.
 *
 * @template T
 * @param {() => Promise<T>} asks
 * @param {How & { tries?: number, passes?: (error: ApiError) => boolean }} [how]
 * @returns {Promise<T>}
 */
export async function persist(asks, { signal, told = () => {}, tries = Infinity, passes = (error) => error.passes } = {}) {
  for (let tried = 1; ; tried += 1) {
    try {
      return await asks();
    } catch (error) {
      if (!passes(error) || tried >= tries) throw error;
      told(error);
      await pause(Math.min(LATE, SOON * 2 ** (tried - 1)), signal);
    }
  }
}

/**
 * Wait; a signal that aborts ends the wait as it would a request.
 *
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

async function ask(path, options) {
  const response = await answered(path, options);
  if (!response.ok) throw await refused(response);
  return isJson(response) ? response.json() : null;
}

async function answered(path, options) {
  try {
    if (!served) return await (await import("./local/page.js")).answer(path, options);
    return await fetch(ROOT + path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(GONE, AWAY);
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
