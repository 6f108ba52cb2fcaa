// Answers to the page's requests in place of a server; see ../api.js.
// @ts-check

import { Refusal, TableError, answering } from "./answer.js";
import { Unreachable, filesAt } from "./hosted.js";

const SITE = new URL("../", import.meta.url);

const ready = filesAt(SITE)("data/site.json").then((bytes) => {
  const contents = JSON.parse(new TextDecoder().decode(bytes));
  return answering((folder) => filesAt(new URL(`${folder}/`, SITE)), contents);
});

/**
 * Answer a request as the server would; throw an error if a file cannot be loaded, as `fetch`
 * does.
 * @param {string} path Below /api/v1.
 * @param {RequestInit} options
 */
export async function answer(path, options) {
  try {
    const found = await (await ready).ask(path, options.body && JSON.parse(String(options.body)));
    options.signal?.throwIfAborted();
    return Response.json(found);
  } catch (error) {
    if (error instanceof Refusal) return Response.json({ error: error.message }, { status: 400 });
    if (error instanceof Unreachable || error.name === "AbortError") throw error;
    if (!(error instanceof TableError)) console.error(error);
    return Response.json({ error: error.message }, { status: 500 });
  }
}
