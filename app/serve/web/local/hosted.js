// Files of a plain host, whole or in part. A host that sends no parts is asked for whole
// files, which stay in memory.
// @ts-check

/** @typedef {import("./npy.js").Read} Read */

const PROBED = "table.json"; // A small file, by which a host shows whether it sends parts.

/** A file that cannot be had now. */
export class Unreachable extends Error {}

/**
 * What reads the files of a folder.
 * @param {URL} folder
 * @returns {Read}
 */
export function filesAt(folder) {
  /** @type {Promise<boolean> | null} */
  let parts = null; // Whether the host sends parts of files, once it has been asked.
  /** @type {Map<string, Promise<Uint8Array>>} */
  const whole = new Map();
  const read = (name) => {
    if (!whole.has(name)) {
      const bytes = bytesOf(new URL(name, folder));
      whole.set(name, bytes);
      bytes.catch(() => whole.delete(name));
    }
    return whole.get(name);
  };
  return async (name, first, count) => {
    if (first === undefined) return bytesOf(new URL(name, folder));
    parts ??= sendsParts(new URL(PROBED, folder));
    parts.catch(() => (parts = null));
    if (!(await parts)) return (await read(name)).subarray(first, first + count);
    const range = `bytes=${first}-${first + count - 1}`;
    const bytes = await bytesOf(new URL(name, folder), { headers: { Range: range } });
    if (bytes.length !== count) throw new Unreachable(`${name}: asked for ${count} bytes, got ${bytes.length}`);
    return bytes;
  };
}

async function sendsParts(url) {
  // Browsers send parts of what they have kept, whatever the host does.
  const response = await fetch(url, { headers: { Range: "bytes=0-0" }, cache: "no-store" }).catch((error) => {
    throw new Unreachable(`${url.pathname} does not come: ${error.message}`);
  });
  await response.arrayBuffer();
  return response.status === 206;
}

async function bytesOf(url, options = {}) {
  try {
    const response = await fetch(url, options);
    if (!response.ok) throw new Unreachable(`${url.pathname} is not there: ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw error instanceof Unreachable ? error : new Unreachable(`${url.pathname} does not come: ${error.message}`);
  }
}
