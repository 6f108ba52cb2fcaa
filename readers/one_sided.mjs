// Mean rolls and roll distribution of positions, from a one-sided table.
//
//   node one_sided.mjs FOLDER 3,3,2,0,2,1 ...
//
// Each line: number, mean rolls, and the chances to need exactly 0, 1, ... rolls.
// readers/README.md describes the files. Checksums are not compared.

import { existsSync } from "node:fs";
import { take } from "../app/serve/web/local/npy.js";
import { rank } from "../app/serve/web/local/numbering.js";
import { filesOf } from "./files.mjs";

const [folder, ...positions] = process.argv.slice(2);
const read = filesOf(folder);
const from = async (name, choose) => Array.from(await take(read, `${name}.npy`, choose), Number);

// Chances of a table stored in full: a row. Of a coded one: differences of the codes.
async function distribution(number) {
  if (existsSync(`${folder}/distribution.npy`)) {
    return from("distribution", ([, columns]) => [number * columns, columns]);
  }
  const place = number % 16;
  const group = await from("lengths", () => [number - place, place + 1]);
  const [start] = await from("starts", () => [Math.floor(number / 16), 1]);
  const [first] = await from("firsts", () => [number, 1]);
  const length = group.pop();
  const at = group.reduce((sum, one) => sum + one, start);
  const within = (await from("codes", () => [at, length])).map((code) => code / 65536);
  const chances = [...within, 1].map((chance, k) => chance - (k ? within[k - 1] : 0));
  return [...new Array(first).fill(0), ...chances];
}

for (const position of positions) {
  const number = rank(position.split(",").map(Number));
  const [mean] = await from("mean_rolls", () => [number, 1]);
  console.log(number, mean, ...await distribution(number));
}
