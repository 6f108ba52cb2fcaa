// Parsing of races: an XGID, a GNU Backgammon position ID, or both sides' checkers.
// @ts-check

import { exchanged, fromXgid, hasContact, toXgid } from "../race.js";
import { wide } from "./judge.js";
import { checkersOf } from "./numbering.js";

/** @typedef {import("../race.js").Race} Race */

const POINTS = 24, CHECKERS = 15, BITS = 80;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const FORMS = "an XGID, a position ID, or both sides' checkers on ace, deuce, ... such as 0,2,2,3,1,2 0,1,2,4,1,2";
/** @type {Omit<Race, "roller" | "opponent">} */
const USUAL = { cube: "centred", cubeValue: 1, away: null, length: 0, crawford: false, jacoby: false, beavers: false, limit: 10, dice: null };

/** Error for a race that cannot be evaluated; the message is one sentence. */
export class Refusal extends Error {}

/** @param {string} text @returns {Race} */
export function readRace(text) {
  const bare = text.trim();
  if (!bare) throw new Refusal(`a position is required: ${FORMS}`);
  const race = /^XGID\s*=|:/i.test(bare) && bare.split(":").length >= 9 ? readXgid(bare) : readPositionId(bare) ?? readCounts(bare);
  if (!race) throw new Refusal(`this page reads ${FORMS}; bearoff serve reads every notation; got '${bare.slice(0, 100)}'`);
  for (const name of ["roller", "opponent"]) {
    const on = checkersOf(race[name]);
    if (on > CHECKERS) throw new Refusal(`a side may have at most ${CHECKERS} checkers, but the ${name} has ${on}`);
  }
  if (hasContact(race)) throw new Refusal("a race must have no contact: the sides must have passed each other");
  return race;
}

function readXgid(text) {
  const bare = text.replace(/^XGID\s*=\s*/i, "");
  const fields = bare.split(":");
  if (fields.length === 9) fields.push("10");
  const forms = [/^[-a-o][-A-Oa-o]{24}[-A-O]$/, /^\d{1,2}$/, /^(-1|0|1)$/, /^(-1|1)$/, /^(00|[1-6]{2}|[DBR]{1,2})$/, /^\d{1,3}$/, /^\d{1,3}$/, /^\d$/, /^\d{1,3}$/, /^1?\d$/];
  const wrong = forms.findIndex((form, i) => !form.test(fields[i] ?? ""));
  if (wrong >= 0 || fields.length !== forms.length) {
    throw new Refusal(`an XGID must have a board of 26 characters and 9 numbers, separated by colons; field ${wrong + 1} cannot be '${(fields[wrong] ?? "").slice(0, 40)}'`);
  }
  const [board, cube, owner, turn, dice, ...rest] = fields;
  if (board[0] !== "-" || board[25] !== "-") throw new Refusal("a race must have no checker on the bar, but this position has one");
  const held = fromXgid([board, cube, owner, "1", /\d/.test(dice) ? dice : "00", ...rest].join(":"));
  const race = { ...held, roller: held.roller.slice(0, POINTS), opponent: held.opponent.slice(0, POINTS) };
  if (turn === "1") return race;
  // If the upper player is on roll, the race is converted to that player's viewpoint.
  return { ...exchanged(race), dice: race.dice };
}

function readPositionId(text) {
  const bare = text.replace(/:[A-Za-z0-9+/]{12}$/, "");
  if (!/^[A-Za-z0-9+/]{14}$/.test(bare)) return null;
  if (bare !== text) throw new Refusal("this page does not read match IDs; omit the ID, and set the cube and the dice next to the board");
  const bits = Array.from(bare, (letter) => ALPHABET.indexOf(letter));
  const key = bits.flatMap((six) => [32, 16, 8, 4, 2, 1].map((bit) => Number((six & bit) > 0)));
  const boards = [[0], [0]];
  let board = 0;
  for (let bit = 0; bit < BITS && board < 2; bit++) {
    const counts = boards[board];
    if (key[8 * Math.floor(bit / 8) + 7 - (bit % 8)]) counts[counts.length - 1]++;
    else if (counts.length <= POINTS) counts.push(0);
    else board++;
  }
  if (board < 2 || positionId(boards[1], boards[0]) !== bare) throw new Refusal(`'${bare}' is not a position ID, because its bits do not describe two boards`);
  if (boards.some((counts) => counts[POINTS])) throw new Refusal("a race must have no checker on the bar, but this position has one");
  return { ...USUAL, roller: boards[1].slice(0, POINTS), opponent: boards[0].slice(0, POINTS) };
}

function readCounts(text) {
  const parts = text.split(/[\s;]+/);
  const sides = parts.map((part) => part.replace(/^\[|\]$/g, "").split(",").map((number) => (/^\d{1,2}$/.test(number) ? Number(number) : NaN)));
  const fits = (side) => side.length >= 6 && side.length <= POINTS && !side.some(Number.isNaN);
  return parts.length === 2 && sides.every(fits) ? { ...USUAL, roller: wide(sides[0]), opponent: wide(sides[1]) } : null;
}

/**
 * Return GNU Backgammon's position ID.
 * @param {number[]} roller
 * @param {number[]} opponent
 */
function positionId(roller, opponent) {
  const counts = [...opponent.slice(0, POINTS), opponent[POINTS] ?? 0, ...roller.slice(0, POINTS), roller[POINTS] ?? 0];
  const ones = counts.map((count) => "1".repeat(count) + "0").join("").padEnd(BITS + 4, "0");
  const bytes = Array.from({ length: 11 }, (_, i) => [...ones.slice(8 * i, 8 * i + 8).padEnd(8, "0")].reverse().join("")).join("");
  return Array.from({ length: 14 }, (_, i) => ALPHABET[parseInt(bytes.slice(6 * i, 6 * i + 6).padEnd(6, "0"), 2)]).join("");
}

/** Return the fields of an answer that describe the question. @param {Race} race */
export function raceFields(race) {
  const { roller, opponent, cube, cubeValue, jacoby, beavers, limit, dice } = race;
  const board = new Array(26).fill(0);
  roller.forEach((count, i) => count && (board[i + 1] = count));
  opponent.forEach((count, i) => count && (board[24 - i] = -count));
  return {
    position_id: positionId(roller, opponent), xgid: `XGID=${toXgid(race)}`, cube, cube_value: cubeValue, score: null,
    jacoby, beavers, cube_limit: limit === USUAL.limit ? null : 2 ** limit, dice,
    board, off: [CHECKERS - checkersOf(roller), CHECKERS - checkersOf(opponent)],
  };
}
