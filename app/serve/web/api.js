// Requests to the server of this page or, on a static site, to the page's own modules. Each
// error has a message for the user.
// @ts-check

/** @typedef {import("./types").Answers} Answers */
/** @typedef {import("./types").Bodies} Bodies */
/**
 * @template {string} P
 * @typedef {P extends keyof Answers ? Answers[P] : any} Answer
 */
/**
 * Paths for POST requests; paths of matches contain a key.
 * @typedef {(keyof Bodies & keyof Answers) | `/play/matches/${string}` | `/play/no-chance/games/${string}`} Posted
 */
/**
 * @template {string} P
 * @typedef {P extends keyof Bodies ? Bodies[P] : any} Body
 */
/** @typedef {Record<string, unknown> | [string, unknown][]} Query */
/**
 * Options of a request: `signal` cancels it, and `told` is called with the error before
 * each repetition.
 * @typedef {{ signal?: AbortSignal, told?: (error: ApiError) => void }} How
 */

const ROOT = "/api/v1";

/**
 * Whether the page has a server, which can solve, play and store. Otherwise the page
 * computes the answers.
 */
export const served = document.documentElement.dataset.answers !== "page";

const GONE = served ? "The program does not respond. Is bearoff serve still running?"
  : "Part of the table is not stored on this device, and the network does not respond.";
const AWAY = 0; // Status of an error without a response.
const SOON = 250; // Milliseconds before a request is repeated for the first time; doubled each time.
const LATE = 2000; // Maximum number of milliseconds before a request is repeated.
const TRIES = 5; // Number of attempts of a user's action before its error is shown.

/** Error of a request that was rejected or failed; `message` is one sentence for the user. */
export class ApiError extends Error {
  /**
   * @param {string} sentence
   * @param {number} status
   */
  constructor(sentence, status) {
    super(sentence);
    this.status = status;
  }

  /** Whether the server is too busy at the moment. */
  get busy() {
    return this.status === 429 || this.status === 503;
  }

  /** Whether a repeated request may succeed, because the server is busy or starting. */
  get passes() {
    return this.busy || this.status === AWAY;
  }
}

/**
 * Return the response to `GET path`; `query` contains parameters, as an object or a list of
 * pairs.
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
 * Return the response to `POST path` with a JSON body.
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

/** Return the response to `DELETE path`. */
export function drop(path) {
  return ask(path, { method: "DELETE" });
}

/**
 * Send a user's action by POST, and repeat it while the server is busy.
 *
 * @template {Posted} P
 * @param {P} path
 * @param {Body<P>} body
 */
export function send(path, body) {
  // A busy server has not executed the action, but a server that cannot be reached may
  // have.
  return persist(() => post(path, body), { tries: TRIES, passes: (error) => error.busy });
}

/** Let the server prepare a file before the browser downloads it. */
export async function prepare(place) {
  const asks = async () => {
    const response = await answered(place.slice(ROOT.length), {});
    if (!response.ok) throw await refused(response);
    await response.blob();
  };
  // If the request exceeds the time limit, the server continues, and the repeated request
  // gets the result.
  return persist(asks, { tries: TRIES, passes: (error) => error.passes || error.status === 504 });
}

/** Return the address of `path` with parameters, for links and streams. */
export function address(path, query = {}) {
  return ROOT + path + asQuery(query);
}

/**
 * Read the stream of events from `GET path`. `on` has a function for each type of event,
 * such as `progress`. If the stream is interrupted, it is requested again until an event of
 * a type in `last` arrives; see `persist`.
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
 * Yield the events of a response body: type and data.
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
 * Call `asks` until it succeeds or fails for good. While the server is busy or cannot be
 * reached, it is called again after a pause.
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
 * Wait for some milliseconds; if the signal is aborted, throw an error as a request would.
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
  const sentence = answer?.error ?? `The program failed with status ${response.status}.`;
  return new ApiError(sentence, response.status);
}

const isJson = (response) => response.headers.get("content-type")?.includes("json");

function asQuery(query) {
  const pairs = Array.isArray(query) ? query : Object.entries(query);
  const given = pairs.filter(([, value]) => value != null);
  return given.length ? `?${new URLSearchParams(given)}` : "";
}
