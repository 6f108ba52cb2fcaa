// Choosing a number in No Chance Backgammon: a bar that marks each side's last number, and
// a table of all pairs of numbers.
// @ts-check

import { html } from "./vendor/htm-preact.js";
import { counted, signed } from "./ui.js";

const numbersOf = ({ numbers }) => Array.from({ length: numbers }, (_, i) => i + 1);

/**
 * The bar of numbers, with a mark at the last number of each side. `name(number)` chooses a
 * number.
 */
export function NumberBar({ game, ready, chosen, name }) {
  const [mine, theirs] = game.named;
  const nameable = (number) => ready && game.nameable.find((one) => one.number === number);
  const said = (number) => {
    const one = nameable(number);
    const marks = [number === mine && "yours", number === theirs && "the opponent's"].filter(Boolean);
    const more = [...marks, one?.double && "a double", one && game.needs === "play" && one.silent && "no checker can move"].filter(Boolean);
    return [`Name ${number}`, ...more].join(", ");
  };
  return html`<div class="numberbar" role="group" aria-label="Numbers to name">${numbersOf(game).map((number) => html`<button
      key=${number} type="button" disabled=${!nameable(number)} aria-pressed=${chosen === number} aria-label=${said(number)} onClick=${() => name(number)}>
      <span class="mark opponent">${number === theirs && "▼"}</span><strong>${number}</strong><span class="mark roller">${number === (chosen ?? mine) && "▲"}</span></button>`)}</div>`;
}

/** Table of all pairs: the user's number chooses the row, the opponent's the column. */
export function NumberTable({ game, chosen, rated }) {
  const numbers = numbersOf(game);
  const [last, theirs] = game.named;
  const mine = chosen ?? last;
  const nameable = game.needs === "play" ? game.nameable.map(({ number }) => number) : [];
  const inside = (row, col) => {
    if (col === theirs && rated && row !== chosen) {
      const one = rated.find(({ number }) => number === row);
      if (one) return html`<span title=${resultOf(one)}>${short(one)}</span>`;
    }
    if (row === mine && col === theirs) return html`<span class="hidden">${chosen ? "chosen" : "now"}</span>●`;
    if (col === theirs && nameable.includes(row)) return html`<span class="hidden">may be named</span>○`;
    return "";
  };
  return html`<p class="note">▶ is your number, ▼ the opponent's, ● the pair${nameable.length > 0 && ", ○ a number that you may name"}.${rated?.some((one) => one.points !== null) && " W and L with a number: you win or lose after this number of turns of both players."}</p>
    <div class="table numbers"><table><caption class="hidden">Pairs of numbers</caption>
    <thead><tr><td></td>${numbers.map((col) => html`<th scope="col" class=${col === theirs && "there"}>${col === theirs && html`<span aria-hidden="true">▼</span>`}${col}</th>`)}</tr></thead>
    <tbody>${numbers.map((row) => html`<tr><th scope="row" class=${row === mine && "there"}>${row === mine && html`<span aria-hidden="true">▶</span>`}${row}</th>${
      numbers.map((col) => html`<td class=${col === theirs || row === mine ? "line" : ""}>${inside(row, col)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

const WORTH = { 1: "", 2: " a gammon", 3: " a backgammon" };

/** Describe the result of a number in words. */
export function resultOf({ points, turns, value, exact }) {
  if (points === null) return `${signed(value, 1)} pips`;
  const own = turns > 0 ? Math.ceil(turns / 2) : Math.floor(-turns / 2);
  const what = `${points > 0 ? "you win" : "they win"}${WORTH[Math.abs(points)]} in ${counted(own, "turn")}`;
  return exact ? what : `${what}, perhaps by more`;
}

/** Describe the result of a number in a table cell. */
function short({ points, turns, value }) {
  if (points === null) return signed(value, 0);
  return `${points > 0 ? "W" : "L"}${Math.abs(points) > 1 ? Math.abs(points) : ""} ${Math.abs(turns)}`;
}
