// Files of a plain web host, read in whole or in part. If the host does not support range
// requests, whole files are loaded and stay in memory.
// @ts-check

/** @typedef {import("./npy.js").Read} Read */

const PROBED = "table.json"; // Small file with which support of range requests is tested.

/** Error for a file that cannot be loaded now. */
export class Unreachable extends Error {}

/**
 * Return a function that reads the files of a folder.
 * @param {URL} folder
 * @returns {Read}
 */
export function filesAt(folder) {
  /** @type {Promise<boolean> | null} */
  let parts = null; // Whether the host supports range requests; null until this is known.
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
    if (bytes.length !== count) throw new Unreachable(`${name}: requested ${count} bytes, got ${bytes.length}`);
    return bytes;
  };
}

async function sendsParts(url) {
  // Browsers answer range requests for cached files, even if the host does not support
  // them.
  const response = await fetch(url, { headers: { Range: "bytes=0-0" }, cache: "no-store" }).catch((error) => {
    throw new Unreachable(`${url.pathname} could not be loaded: ${error.message}`);
  });
  await response.arrayBuffer();
  return response.status === 206;
}

async function bytesOf(url, options = {}) {
  try {
    const response = await fetch(url, options);
    if (!response.ok) throw new Unreachable(`${url.pathname} could not be loaded: status ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw error instanceof Unreachable ? error : new Unreachable(`${url.pathname} could not be loaded: ${error.message}`);
  }
}
