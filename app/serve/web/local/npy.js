// Arrays in .npy files of version 1.0, read in whole or in part. The machine must be
// little-endian.
// @ts-check

/** @typedef {(name: string, first?: number, count?: number) => Promise<Uint8Array>} Read Bytes of a file. */

const TYPES = { "<f8": Float64Array, "<u2": Uint16Array, "|u1": Uint8Array, "<u4": Uint32Array,
  "<u8": BigUint64Array, "<i8": BigInt64Array, "<i2": Int16Array, "<i4": Int32Array, "|i1": Int8Array };

/**
 * Read part of an array; `choose` returns the range of elements to read, given the shape of
 * the array.
 * @param {Read} read
 * @param {string} name
 * @param {(shape: number[]) => [number, number]} choose First element, and how many.
 */
export async function take(read, name, choose) {
  const { Type, shape, start } = headOf(await read(name, 0, 128));
  const [first, count] = choose(shape);
  const size = Type.BYTES_PER_ELEMENT;
  return typed(Type, await read(name, start + first * size, count * size));
}

/** Return the array in the bytes of a whole file. @param {Uint8Array} bytes */
export function arrayOf(bytes) {
  const { Type, start } = headOf(bytes);
  return typed(Type, bytes.subarray(start));
}

/** @param {Uint8Array} bytes */
function headOf(bytes) {
  const start = 10 + bytes[8] + 256 * bytes[9];
  const head = new TextDecoder("latin1").decode(bytes.subarray(10, start));
  const [, kind] = /'descr': '(...)'/.exec(head);
  const [, text] = /'shape': \(([^)]*)\)/.exec(head);
  return { Type: TYPES[kind], shape: text.split(",").filter((part) => part.trim()).map(Number), start };
}

const typed = (Type, bytes) => new Type(bytes.slice().buffer);
