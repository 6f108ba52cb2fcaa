// Exact values of pairs of positions, from a two-sided table.
//
//   node two_sided.mjs FOLDER ROLLER OPPONENT ...      (positions as 3,3,2,0,2,1)
//
// Each line: the numbers of roller and opponent, then name and value of every plane.
// docs/api/file-formats.md describes the files. Checksums are not compared.

import { closeSync, existsSync, openSync, readFileSync, readSync } from "node:fs";

const ONE = 65535; // Codes of a point.

// C(n, k), exact: each product is one before it is divided.
function choose(n, k) {
  let result = 1;
  for (let i = 1; i <= k; i++) result = (result * (n - k + i)) / i;
  return result;
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

// The inverse of `rank`: pips and checkers of the position with this number.
function pipsAndCheckers(number, points) {
  let pips = 0, checkers = 0;
  for (let i = 1; i <= points; i++) {
    let above = 0;
    while (choose(above + 1 + points - i, points - i + 1) <= number) above++;
    number -= choose(above + points - i, points - i + 1);
    pips += above;
    checkers = Math.max(checkers, above);
  }
  return [pips, checkers];
}

// First slot of each level, its slots being a multiple of 16, and the slot of each number.
function slotsOf({ points, checkers, start }) {
  const groups = [], sizes = [];
  for (let number = 0; number < choose(points + checkers, points); number++) {
    const [pips, on] = pipsAndCheckers(number, points);
    const group = 2 * ((pips + 1) >> 1) + (on === start ? 1 : 0);
    groups.push([group, sizes[group] ?? 0]);
    sizes[group] = (sizes[group] ?? 0) + 1;
  }
  const firsts = [0];
  const last = sizes.length + (sizes.length % 2);
  for (let g = 0; g < last; g++) firsts.push(firsts[g] + Math.ceil((sizes[g] ?? 0) / 16) * 16);
  const slots = groups.map(([group, before]) => firsts[group] + before);
  return [firsts.filter((_, g) => g % 2 === 0), slots];
}

// First block of each band of rollers: at most 64 blocks of 16, all of one level.
function bandsOf(levels) {
  const bands = [0];
  for (let l = 0; l + 1 < levels.length; l++) {
    const blocks = (levels[l + 1] - levels[l]) / 16, parts = Math.ceil(blocks / 64);
    for (let k = 1; k <= parts; k++) {
      bands.push(levels[l] / 16 + Math.floor((blocks * k) / parts));
    }
  }
  return bands;
}

const findLast = (starts, at) => starts.findLastIndex((start) => start <= at);

// Code of roller slot x against opponent slot y.
function code(path, levels, x, y) {
  const bands = bandsOf(levels);
  const band = findLast(bands, Math.floor(x / 16)), level = findLast(levels, y);
  const place = (band * (levels.length - 1) + level) * 16;
  const index = readFileSync(`${path}.index`);
  const at = Number(index.readBigInt64LE(place)), rank = Number(index.readBigInt64LE(place + 8));
  if (at === 0) return 0;
  const file = openSync(`${path}.plane`, "r");
  const words = (first, count) => {
    const bytes = Buffer.alloc(2 * count);
    readSync(file, bytes, 0, 2 * count, 2 * first);
    return bytes;
  };
  const blocks = bands[band + 1] - bands[band], tiles = (levels[level + 1] - levels[level]) / 16;
  const roller = x - 16 * bands[band], opponent = y - levels[level];
  const u = words(at + roller * rank, rank), v = words(at + (16 * blocks + opponent) * rank, rank);
  let product = 2048;
  for (let k = 0; k < rank; k++) product += Math.imul(u.readInt16LE(2 * k), v.readInt16LE(2 * k));
  const directory = at + 16 * (blocks + tiles) * rank;
  const tile = Math.floor(roller / 16) * tiles + Math.floor(opponent / 16);
  const head = words(directory + 6 * tile, 6);
  const step = 1 + (head.readUInt32LE(0) >>> 31);
  const width = (row) => ((head[4 + (row >> 1)] >> (4 * (row % 2))) & 15) * step;
  let first = directory + 6 * blocks * tiles + (head.readUInt32LE(0) & 0x7fffffff);
  for (let row = 0; row < y % 16; row++) first += width(row);
  const bits = words(first, width(y % 16));
  let rest = 0;
  for (let j = 0; j < width(y % 16); j++) {
    const bit = (bits.readUInt16LE(2 * j) >> (x % 16)) & 1;
    rest += bit * (j + 1 < width(y % 16) ? 2 ** j : -(2 ** j));
  }
  closeSync(file);
  return ((product | 0) >> 12) + rest;
}

const [folder, ...positions] = process.argv.slice(2);
const { table } = JSON.parse(readFileSync(`${folder}/table.json`, "utf8"));
const [levels, slots] = slotsOf(table);
for (let k = 0; k + 1 < positions.length; k += 2) {
  const numbers = positions.slice(k, k + 2).map((text) => rank(text.split(",").map(Number)));
  const read = (plane) => code(`${folder}/${plane}`, levels, ...numbers.map((n) => slots[n]));
  const has = (plane) => plane in table.planes;
  const found = { cubeless: (1 + read("cubeless") / (2 * ONE)) / 2 };
  if (has("points")) found.points = (read("cubeless") + read("points")) / (2 * ONE);
  for (const plane of ["gammons_won", "gammons_lost"]) {
    if (has(plane)) found[plane] = read(plane) / ONE;
  }
  if (has("opponent")) {
    found.opponent = read("opponent") / (2 * ONE);
    const doubled = Math.min(1, 2 * found.opponent);
    for (const plane of ["owned", "centred", "jacoby"].filter(has)) {
      const base = plane === "jacoby" ? read("centred") : 0;
      found[plane] = Math.max((base + read(plane)) / ONE, doubled);
    }
  }
  console.log(...numbers, ...Object.entries(found).flat());
}
