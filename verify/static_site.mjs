// Answers questions with the page's own modules: `node static_site.mjs FOLDER` of a site, a
// line of JSON for each question, [path, body], and one for its answer. For tests and trials.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const { answering } = await import(pathToFileURL(`${folder}/local/answer.js`).href);
const filesOf = (name) => async (file, first = 0, count = undefined) => {
  const bytes = whole(`${folder}/${name}/${file}`);
  return count === undefined ? bytes : bytes.subarray(first, first + count);
};
const kept = new Map();
function whole(path) {
  if (!kept.has(path)) kept.set(path, new Uint8Array(readFileSync(path)));
  return kept.get(path);
}
const { ask } = answering(filesOf, JSON.parse(readFileSync(`${folder}/data/site.json`, "utf8")));
for await (const line of createInterface({ input: process.stdin })) {
  const [path, body] = JSON.parse(line);
  const answer = await ask(path, body).catch((error) => ({ error: error.message, name: error.constructor.name }));
  console.log(JSON.stringify(answer));
}
