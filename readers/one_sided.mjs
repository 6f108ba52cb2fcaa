// Mean rolls and roll distribution of positions, from a one-sided table.
//
//   node one_sided.mjs FOLDER 3,3,2,0,2,1 ...
//
// Each line: number, mean rolls, and the chances to need exactly 0, 1, ... rolls.
// docs/api/file-formats.md describes the files. The machine must be little endian.

import { closeSync, existsSync, openSync, readSync } from "node:fs";

const TYPES = { "<f8": Float64Array, "<u2": Uint16Array, "|u1": Uint8Array,
                "<u4": Uint32Array, "<u8": BigUint64Array };

// Read `count` elements from element `first` on, of an .npy file of version 1.
// `choose` gets the header's shape and returns [first, count].
function take(path, choose) {
  const file = openSync(path, "r");
  const read = (position, bytes) => {
    const buffer = new Uint8Array(bytes);
    if (readSync(file, buffer, 0, bytes, position) !== bytes) throw Error(`${path} is too short`);
    return buffer;
  };
  const start = read(0, 10);
  const length = start[8] + 256 * start[9];
  const head = new TextDecoder("latin1").decode(read(10, length));
  const [, kind] = /'descr': '(...)'/.exec(head);
  const [, text] = /'shape': \(([^)]*)\)/.exec(head);
  const shape = text.split(",").filter((part) => part.trim()).map(Number);
  const [first, count] = choose(shape);
  const Type = TYPES[kind];
  const bytes = read(10 + length + first * Type.BYTES_PER_ELEMENT, count * Type.BYTES_PER_ELEMENT);
  closeSync(file);
  return Array.from(new Type(bytes.buffer), Number);
}

// C(n, k), exact: each product is one before it is divided.
function choose(n, k) {
  let result = 1n;
  for (let i = 1n; i <= k; i++) result = (result * (BigInt(n - k) + i)) / i;
  return Number(result);
}

// Number of the position with counts[0] checkers on the ace, ... (docs/positions.md).
function rank(counts) {
  let number = 0, above = 0;
  counts.toReversed().forEach((count, beyond) => {
    above += count;
    number += choose(above + beyond, beyond + 1);
  });
  return number;
}

// Chances of a table stored in full: a row. Of a coded one: differences of the codes.
function distribution(folder, number) {
  const file = (name) => `${folder}/${name}.npy`;
  if (existsSync(file("distribution"))) {
    return take(file("distribution"), ([, columns]) => [number * columns, columns]);
  }
  const place = number % 16;
  const group = take(file("lengths"), () => [number - place, place + 1]);
  const [start] = take(file("starts"), () => [Math.floor(number / 16), 1]);
  const [first] = take(file("firsts"), () => [number, 1]);
  const length = group.pop();
  const at = group.reduce((sum, one) => sum + one, start);
  const within = take(file("codes"), () => [at, length]).map((code) => code / 65536);
  const chances = [...within, 1].map((chance, k) => chance - (k ? within[k - 1] : 0));
  return [...new Array(first).fill(0), ...chances];
}

const [folder, ...positions] = process.argv.slice(2);
for (const position of positions) {
  const number = rank(position.split(",").map(Number));
  const [mean] = take(`${folder}/mean_rolls.npy`, () => [number, 1]);
  console.log(number, mean, ...distribution(folder, number));
}
