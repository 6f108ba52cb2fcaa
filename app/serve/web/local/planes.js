// Two-sided tables: exact equities of pairs of positions, from files that are loaded in
// part. readers/README.md describes the format. Every block of 16 KiB is compared with its
// checksum, and the checksums are compared with the manifest.
// @ts-check

import { checkersOf, pipsOf, positionCount, unrank } from "./numbering.js";

/** @typedef {import("./npy.js").Read} Read */

const FORMAT = 5;
const WORDS = 8192; // Number of two-byte words in a block with a checksum.
const KEPT = 800; // Number of blocks of a plane that stay in memory: 13 MB.
const APART = 8; // Maximum number of unneeded blocks that are read in order to save a request.
const ONE = 65535; // Number of codes per point.

/** Error for a damaged table; the message is one sentence. */
export class TableError extends Error {}

/** Meaning of the codes of a plane, alone or relative to those of a base plane. */
const STEP = { cubeless: 2 * ONE, points: 2 * ONE, opponent: 2 * ONE };
const BASE = { points: "cubeless", jacoby: "centred" };

export class PairTable {
  /** @param {Read} read Files of the table's folder. */
  static async open(read) {
    const { table } = JSON.parse(new TextDecoder().decode(await read("table.json")));
    if (table.format !== FORMAT) throw new TableError(`the table has format ${table.format}, but this program reads ${FORMAT}`);
    return new PairTable(table, read);
  }

  constructor(manifest, read) {
    this.manifest = manifest;
    this.read = read;
    this.points = manifest.points;
    this.checkers = manifest.checkers;
    /** Whether gammons are possible, because all checkers of a side may be on the board. */
    this.hasFull = manifest.checkers === manifest.start;
    this.layout = layoutOf(manifest);
    /** @type {Map<string, Promise<Plane>>} */
    this.planes = new Map();
  }

  has(plane) {
    return plane in this.manifest.planes;
  }

  /** Largest error of an equity read from a plane. */
  error(plane) {
    return this.manifest.planes[plane].error;
  }

  /**
   * Read the equities of pairs of position numbers; each plane gives an array.
   * @param {string[]} names
   * @param {ArrayLike<number>} rollers
   * @param {ArrayLike<number>} opponents
   */
  async stored(names, rollers, opponents) {
    const { slots } = this.layout;
    const x = Array.from(rollers, (number) => slots[number]), y = Array.from(opponents, (number) => slots[number]);
    const needed = [...new Set(names.flatMap((name) => [name, ...(BASE[name] ? [BASE[name]] : [])]))];
    const found = await Promise.all(needed.map(async (name) => (await this.#plane(name)).codes(x, y)));
    const codes = Object.fromEntries(needed.map((name, i) => [name, found[i]]));
    return names.map((name) => Float64Array.from(codes[name], (code, i) =>
      (code + (BASE[name] ? codes[BASE[name]][i] : 0)) / (STEP[name] ?? ONE)));
  }

  #plane(name) {
    if (!this.planes.has(name)) {
      const opened = Plane.open(this, name);
      this.planes.set(name, opened);
      opened.catch(() => this.planes.delete(name)); // After an error, the next request tries again.
    }
    return this.planes.get(name);
  }
}

/**
 * Places of pairs of positions in the planes: slots, and the level and band of each group
 * of 16.
 */
function layoutOf({ points, checkers, start }) {
  const groups = [], sizes = [];
  for (let number = 0; number < positionCount(points, checkers); number++) {
    const counts = unrank(number, points);
    const group = 2 * ((pipsOf(counts) + 1) >> 1) + (checkersOf(counts) === start ? 1 : 0);
    groups.push([group, sizes[group] ?? 0]);
    sizes[group] = (sizes[group] ?? 0) + 1;
  }
  const firsts = [0];
  for (let g = 0; g < sizes.length + (sizes.length % 2); g++) {
    firsts.push(firsts[g] + Math.ceil((sizes[g] ?? 0) / 16) * 16);
  }
  const levels = firsts.filter((_, g) => g % 2 === 0), bands = [0];
  for (let l = 0; l + 1 < levels.length; l++) {
    const blocks = (levels[l + 1] - levels[l]) / 16, parts = Math.ceil(blocks / 64);
    for (let k = 1; k <= parts; k++) bands.push(levels[l] / 16 + Math.floor((blocks * k) / parts));
  }
  const placed = (starts) => Array.from({ length: starts.at(-1) }, (_, at) => starts.findLastIndex((one) => one <= at));
  return {
    levels, bands, levelOf: placed(levels.map((slot) => slot / 16)), bandOf: placed(bands),
    slots: groups.map(([group, before]) => firsts[group] + before),
  };
}

class Plane {
  static async open(table, name) {
    const bytes = await table.read(`${name}.index`);
    const { bytes: size, digest } = table.manifest.planes[name];
    // Browsers provide SHA-256 only on secure pages.
    if (globalThis.crypto?.subtle) {
      const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
      const hex = Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
      if (hex !== digest) throw new TableError(`${name}.index is damaged, or belongs to another table`);
    }
    return new Plane(table, name, bytes, size);
  }

  constructor({ layout, read }, name, index, size) {
    this.layout = layout;
    this.read = read;
    this.name = name;
    this.size = size;
    this.index = new DataView(index.buffer, index.byteOffset, index.byteLength);
    this.sums = 16 * (layout.bands.length - 1) * (layout.levels.length - 1);
    /** @type {Map<number, Uint16Array>} Blocks that match their checksums. */
    this.blocks = new Map();
    /**
     * @type {Map<number, Promise<void>>} Requests for blocks that are still being loaded.
     */
    this.coming = new Map();
  }

  /** Read the codes of pairs of slots. */
  async codes(xs, ys) {
    for (const block of this.blocks.keys()) {
      if (this.blocks.size <= KEPT) break;
      this.blocks.delete(block);
    }
    const places = xs.map((x, i) => this.#place(x, ys[i]));
    const some = places.filter(Boolean);
    await this.#have(some.flatMap(({ u, v, rank, head }) => [[u, rank], [v, rank], [head, 6]]));
    for (const place of some) this.#findBits(place);
    await this.#have(some.map(({ bits, width }) => [bits, width]));
    return Int32Array.from(places.map((place) => (place ? this.#code(place) : 0)));
  }

  /**
   * Locate the words of the rows and of the tile of a pair; null if all its codes are 0.
   */
  #place(x, y) {
    const { levels, bands, levelOf, bandOf } = this.layout;
    const band = bandOf[x >> 4], level = levelOf[y >> 4];
    const entry = 16 * (band * (levels.length - 1) + level);
    const start = Number(this.index.getBigInt64(entry, true)), rank = Number(this.index.getBigInt64(entry + 8, true));
    if (!start) return null;
    const blocks = bands[band + 1] - bands[band], tiles = (levels[level + 1] - levels[level]) / 16;
    const roller = x - 16 * bands[band], opponent = y - levels[level];
    const directory = start + 16 * (blocks + tiles) * rank;
    return {
      x, y, rank, u: start + roller * rank, v: start + (16 * blocks + opponent) * rank,
      head: directory + 6 * ((roller >> 4) * tiles + (opponent >> 4)), after: directory + 6 * blocks * tiles,
      bits: 0, width: 0,
    };
  }

  #findBits(place) {
    const { head, y, after } = place;
    const start = this.#word(head) + 65536 * this.#word(head + 1);
    const times = start >= 2 ** 31 ? 2 : 1;
    // Four words store the widths of 16 rows, with four bits for each, beginning with the
    // lowest bits.
    const width = (row) => ((this.#word(head + 2 + (row >> 2)) >> (4 * (row & 3))) & 15) * times;
    place.bits = after + (start % 2 ** 31);
    for (let row = 0; row < (y & 15); row++) place.bits += width(row);
    place.width = width(y & 15);
  }

  #code({ x, u, v, rank, bits, width }) {
    let product = 2048;
    for (let k = 0; k < rank; k++) product = (product + Math.imul(this.#signed(u + k), this.#signed(v + k))) | 0;
    let rest = 0;
    for (let j = 0; j < width; j++) {
      const bit = (this.#word(bits + j) >> (x & 15)) & 1;
      rest += bit * (j + 1 < width ? 2 ** j : -(2 ** j));
    }
    return (product >> 12) + rest;
  }

  #word(at) {
    return this.blocks.get(Math.floor(at / WORDS))[at % WORDS];
  }

  #signed(at) {
    return (this.#word(at) << 16) >> 16;
  }

  /** Read the blocks that contain the given words, unless they are in memory. */
  async #have(ranges) {
    const needed = new Set();
    for (const [first, count] of ranges) {
      if (!count) continue;
      const last = Math.floor((first + count - 1) / WORDS);
      for (let block = Math.floor(first / WORDS); block <= last; block++) needed.add(block);
    }
    const runs = [];
    for (const block of [...needed].sort((a, b) => a - b)) {
      if (this.blocks.has(block) || this.coming.has(block)) continue;
      const run = runs.at(-1);
      if (run && block - run[1] <= APART) run[1] = block + 1;
      else runs.push([block, block + 1]);
    }
    for (const [first, end] of runs) {
      const read = this.#fetch(first, end);
      for (let block = first; block < end; block++) this.coming.set(block, read);
    }
    await Promise.all([...needed].map((block) => this.coming.get(block)));
  }

  /** Read blocks, and compare each with its checksum. */
  async #fetch(first, end) {
    try {
      const from = 2 * WORDS * first, to = Math.min(2 * WORDS * end, this.size);
      const bytes = await this.read(`${this.name}.plane`, from, to - from);
      for (let block = first; block < end; block++) {
        const part = bytes.slice(2 * WORDS * (block - first), 2 * WORDS * (block + 1 - first));
        if (crc32(part) !== this.index.getUint32(this.sums + 4 * block, true)) {
          throw new TableError(`${this.name}.plane is damaged in bytes ${2 * WORDS * block} to ${2 * WORDS * block + part.length - 1}`);
        }
        this.blocks.set(block, new Uint16Array(part.buffer));
      }
    } finally {
      for (let block = first; block < end; block++) this.coming.delete(block);
    }
  }
}

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1;
  return sum;
});

/** CRC-32 checksum as in zlib. @param {Uint8Array} bytes */
export function crc32(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = CRC[(sum ^ byte) & 255] ^ (sum >>> 8);
  return ~sum >>> 0;
}
