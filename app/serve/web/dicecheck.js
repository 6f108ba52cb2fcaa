// Dice computed from a seed, to check the dice of a game.
// @ts-check

import { counted } from "./ui.js";

const FAIR = 252; // Only bytes below this number are used, so that each face is equally likely.

/**
 * Check whether the seed has the published hash, and whether the dice of the game come from
 * the seed.
 */
export async function checkedDice(game) {
  if (!globalThis.crypto?.subtle) return "This browser computes hashes only for pages from this machine.";
  if (hex(await digest(game.seed)) !== game.seed_hash) return "The seed does not match the hash shown at the start.";
  const rolls = game.actions.filter((action) => action.kind === "play");
  for (const [number, { dice }] of rolls.entries()) {
    const thrown = await throwOf(game.seed, game.number, number, number === 0);
    if (String([...thrown].sort()) !== String([...dice].sort())) return `Roll ${number + 1} was ${dice.join("-")}, but the seed gives ${thrown.join("-")}.`;
  }
  return `The hash and all dice of this game are correct: ${counted(rolls.length, "roll")}.`;
}

async function throwOf(seed, game, number, opening) {
  const dice = [];
  for (let count = 0; ; count += 1) {
    const bytes = [...(await digest(`${seed} ${game} ${number} ${count}`))];
    dice.push(...bytes.filter((byte) => byte < FAIR).map((byte) => (byte % 6) + 1));
    while (dice.length > 1) {
      const pair = dice.splice(0, 2);
      if (!opening || pair[0] !== pair[1]) return pair;
    }
  }
}

async function digest(text) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
