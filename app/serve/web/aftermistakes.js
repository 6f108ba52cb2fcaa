// Mistakes in a finished game, with links to the calculator, the trainer and flashcards.
// @ts-check

import { html, useState } from "./vendor/htm-preact.js";
import { address, post } from "./api.js";
import { wishOwn } from "./sets.js";
import { Choice, Table } from "./ui.js";

export const DIGITS = 3; // Decimal places of displayed costs.

export const FROM = { exact: "exact", model: "fast model", search: "search, an estimate" };

/** Mistakes in an analysed game, of the user or of the opponent. */
export function Mistakes({ game, found, look, failed }) {
  const [side, setSide] = useState("0");
  const mine = side === "0";
  const mistakes = found.moments
    .filter(({ player, decision }) => String(player) === side && decision?.seen)
    .map((moment) => ({ ...moment, ...moment.decision, moment }))
    .sort((a, b) => b.cost - a.cost);
  const cards = (place) => address(`/play/matches/${game.key}/mistakes.apkg`, { game: found.number, place });
  const train = async ({ place }) => {
    try {
      await post(`/play/matches/${game.key}/trainer`, { game: found.number, place });
      wishOwn();
      location.hash = "#/trainer";
    } catch (error) {
      failed(error);
    }
  };
  // The list may be long, so the board above is scrolled into view.
  const show = ({ moment }) => {
    look(moment);
    document.querySelector(".felt-side")?.scrollIntoView({ block: "nearest" });
  };
  const whose = mine ? "Your mistakes" : `Mistakes of ${game.opponent_title}`;
  return html`<${Choice} label="Mistakes" name="whose" value=${side} options=${[["0", "Yours"], ["1", "The opponent's"]]} onChange=${setSide} />
    ${mistakes.length ? html`<${Table} caption=${`${whose}, the costliest first; open: the cost does not exceed its error`} columns=${[
      { head: "Choice", scope: true, cell: (moment) => html`<button type="button" class="roll" onClick=${() => show(moment)}>${moment.kind === "play" ? `${moment.dice.join("-")}: ` : ""}${moment.decided}</button>
        <span class="note reason">Turn ${moment.turn_number}; pips ${mine ? "you" : "they"} ${moment.pips[moment.player]}, ${mine ? "they" : "you"} ${moment.pips[1 - moment.player]}</span>
        <${Along} moment=${moment} cards=${mine && cards(moment.place)} train=${train} />` },
      { head: "Best", align: "left", cell: (moment) => html`${moment.best}${moment.reason && html`<span class="note reason">${moment.reason}</span>`}` },
      { head: "Cost", cell: (moment) => html`${!moment.mistake && html`<span class="note">open </span>`}<span class="cost">${moment.cost.toFixed(moment.digits)}</span>` },
      { head: "±", wide: true, cell: (moment) => (moment.error ? moment.error.toFixed(moment.digits) : "") },
      { head: "From", wide: true, align: "left", cell: (moment) => FROM[moment.method] },
    ]} rows=${mistakes} />` : html`<p>No mistake ${mine ? "of yours" : `of ${game.opponent_title}`} was found.</p>`}
    ${mine && mistakes.some(({ mistake }) => mistake) && html`<p class="row"><a class="button" href=${cards()} title="Mistakes that cost more than the error of the cost" download>Flashcards of your mistakes</a></p>`}`;
}

/**
 * Links for a mistake. The calculator and the trainer accept only races. The trainer, and
 * the flashcards at the address `cards`, are only for mistakes of the user.
 */
function Along({ moment, cards, train }) {
  const race = moment.method !== "search";
  return html`<span class="along">${race && html`<a href=${`#/calculator/${moment.xgid.replace("XGID=", "")}`}>Calculator</a>`}
    ${cards && html`${race && ["play", "double"].includes(moment.kind) && html`<button type="button" class="roll" onClick=${() => train(moment)}>Trainer</button>`}
    <a href=${cards} download>Flashcard</a>`}</span>`;
}
