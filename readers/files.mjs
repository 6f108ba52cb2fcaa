// Files of a folder on this machine, read as pages read those of a host: whole or in part.

import { closeSync, openSync, readFileSync, readSync } from "node:fs";

/** Return what reads `count` bytes of a file from `first` on; all of them if not given. */
export function filesOf(folder) {
  return async (name, first, count) => {
    const path = `${folder}/${name}`;
    if (first === undefined) return new Uint8Array(readFileSync(path));
    const bytes = new Uint8Array(count);
    const file = openSync(path, "r");
    const got = readSync(file, bytes, 0, count, first);
    closeSync(file);
    if (got !== count) throw Error(`${path} is too short`);
    return bytes;
  };
}
