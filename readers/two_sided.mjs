// Exact values of pairs of positions, from a two-sided table.
//
//   node two_sided.mjs FOLDER ROLLER OPPONENT ...      (positions as 3,3,2,0,2,1)
//
// Each line: the numbers of roller and opponent, then name and value of every plane.
// readers/README.md describes the files; planes.js reads them here and in browsers.

import { rank } from "../app/serve/web/local/numbering.js";
import { PairTable } from "../app/serve/web/local/planes.js";
import { filesOf } from "./files.mjs";

const [folder, ...positions] = process.argv.slice(2);
const table = await PairTable.open(filesOf(folder));
const planes = ["cubeless", "points", "gammons_won", "gammons_lost", "opponent", "owned", "centred", "jacoby"];
for (let k = 0; k + 1 < positions.length; k += 2) {
  const numbers = positions.slice(k, k + 2).map((text) => rank(text.split(",").map(Number)));
  const names = planes.filter((plane) => table.has(plane));
  const values = await table.stored(names, ...numbers.map((number) => [number]));
  const found = Object.fromEntries(names.map((name, i) => [name, values[i][0]]));
  found.cubeless = (1 + found.cubeless) / 2;
  // Of a roller who may double, that of not doubling is stored.
  const doubled = Math.min(1, 2 * found.opponent);
  for (const name of ["owned", "centred", "jacoby"]) if (name in found) found[name] = Math.max(found[name], doubled);
  console.log(...numbers, ...Object.entries(found).flat());
}
