// Positions in the page's format, and their XGIDs, which addresses contain.
//
// { roller, opponent }: 25 counts each, ace first, on the side's own points, and on the bar; cube
// "centred" | "owned" | "opponent"; cubeValue; away null (money) or [a, b], the points that
// the roller and the opponent need; length, the match length or 0 if it is unknown; crawford; jacoby; beavers; limit, the exponent of the
// largest cube; dice null or [high, low].
// @ts-check

export const POINTS = 24;
export const CHECKERS = 15;

/** @type {Record<string, "centred" | "owned" | "opponent">} */
/** @type {Record<string, Cube>} */
const CUBES = { 0: "centred", 1: "owned", "-1": "opponent" };
const LETTERS = "-ABCDEFGHIJKLMNO";

/** @typedef {"centred" | "owned" | "opponent"} Cube */
/**
 * @typedef {object} Race
 * @property {number[]} roller
 * @property {number[]} opponent
 * @property {Cube} cube
 * @property {number} cubeValue
 * @property {[number, number] | null} away
 * @property {number} length
 * @property {boolean} crawford
 * @property {boolean} jacoby
 * @property {boolean} beavers
 * @property {number} limit
 * @property {number[] | null} dice
 */

/** @type {Race} */
export const START = {
  ...sides("0,2,2,3,2,3", "1,2,3,2,2,3"),
  cube: "centred",
  cubeValue: 1,
  away: null,
  length: 0,
  crawford: false,
  jacoby: false,
  beavers: false,
  limit: 10,
  dice: null,
};

function sides(roller, opponent) {
  return { roller: onPoints(roller.split(",")), opponent: onPoints(opponent.split(",")) };
}

/**
 * Checkers on all 24 points and on the bar.
 * @param {(string | number)[]} counts
 */
export function onPoints(counts) {
  return Array.from({ length: POINTS + 1 }, (_, i) => Number(counts[i] ?? 0));
}

/** @param {number[]} counts */
export function pips(counts) {
  return counts.reduce((sum, count, i) => sum + count * (i + 1), 0);
}

/** @param {number[]} counts */
export function onBoard(counts) {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** @param {number[]} counts */
export function off(counts) {
  return CHECKERS - onBoard(counts);
}

/**
 * Whether all checkers of both sides are on the six home points or borne off.
 * @param {{ roller: number[], opponent: number[] }} race
 */
export function isHome({ roller, opponent }) {
  return ![...roller.slice(6), ...opponent.slice(6)].some(Boolean);
}

/**
 * Whether the sides are still in contact, so that the position is not a race.
 * @param {Race} race
 */
export function hasContact(race) {
  const highest = (counts) => counts.findLastIndex(Boolean) + 1;
  return highest(race.roller) + highest(race.opponent) > POINTS;
}

/**
 * The race from the viewpoint of the opponent, who is on roll next.
 * @param {Race} race
 * @returns {Race}
 */
export function exchanged(race) {
  /** @type {Cube} */
  const cube = race.cube === "centred" ? "centred" : race.cube === "owned" ? "opponent" : "owned";
  const { roller, opponent, away } = race;
  return {
    ...race,
    roller: opponent,
    opponent: roller,
    cube,
    away: away && [away[1], away[0]],
    dice: null,
  };
}

/**
 * XGID of the race without the prefix: the roller is the lower player and on roll.
 * @param {Race} race
 */
export function toXgid(race) {
  const { roller, opponent } = race;
  // An XGID lists the opponent's bar, the points from the roller's ace point, and the
  // roller's bar. The counts of a race may omit the bar.
  const board = Array.from({ length: POINTS + 2 }, (_, i) => {
    const count = roller[i - 1] ?? 0;
    return count ? LETTERS[count] : LETTERS[opponent[POINTS - i] ?? 0].toLowerCase();
  });
  const owner = Object.keys(CUBES).find((key) => CUBES[key] === race.cube);
  const length = race.away ? Math.max(race.length, ...race.away) : 0;
  const won = race.away ? race.away.map((points) => length - points) : [0, 0];
  const rule = length ? Number(race.crawford) : Number(race.jacoby) + 2 * Number(race.beavers);
  const fields = [
    board.join(""),
    Math.log2(race.cubeValue),
    owner,
    1,
    race.dice ? race.dice.join("") : "00",
    ...won,
    rule,
    length,
    race.limit,
  ];
  return fields.join(":");
}

/** Decode a part of an address; text that is not encoded correctly stays as it is. */
export function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Return pasted text; if it is an address of this page, return the position in it. */
export function pastedText(text) {
  const [, linked] = /#\/calculator\/(\S+)/.exec(text) ?? [];
  return linked ? decoded(linked) : text;
}

/**
 * Parse an XGID written by `toXgid` or the server; null if it is not valid.
 * @param {string} text
 * @returns {Race | null}
 */
export function fromXgid(text) {
  const [board = "", cube, owner, turn, dice, mine, theirs, rule, length, limit] = text
    .replace(/^XGID=/, "")
    .split(":");
  if (!/^[-a-o][-A-Oa-o]{24}[-A-O]$/.test(board) || turn !== "1" || length === undefined) return null;
  const counts = [...board.slice(1)].map((letter) => LETTERS.indexOf(letter));
  const theirCounts = [...board.slice(0, -1)].map((letter) => LETTERS.toLowerCase().indexOf(letter)).reverse();
  const match = Number(length);
  return {
    roller: counts.map((count) => Math.max(count, 0)),
    opponent: theirCounts.map((count) => Math.max(count, 0)),
    cube: CUBES[owner] ?? "centred",
    cubeValue: 2 ** Number(cube),
    away: match ? [match - Number(mine), match - Number(theirs)] : null,
    length: match,
    crawford: Boolean(match) && rule === "1",
    jacoby: !match && (Number(rule) & 1) > 0,
    beavers: !match && (Number(rule) & 2) > 0,
    limit: Number(limit ?? START.limit),
    dice: dice > "00" ? [...dice].map(Number).sort((a, b) => b - a) : null,
  };
}

/**
 * Request body for a race, which is fully described by its XGID.
 * @param {Race} race
 */
export function asRequest(race) {
  return { position: `XGID=${toXgid(race)}` };
}
