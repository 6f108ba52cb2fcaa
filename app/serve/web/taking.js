// Export of decisions as an XGID, a text for a chat, a picture of the board, a note or
// files.
// @ts-check

import { html, useState } from "./vendor/htm-preact.js";
import { address } from "./api.js";
import { NoteForm } from "./notes.js";
import { announce, capital, isSeen, signed } from "./ui.js";

const SAID = 2000; // Milliseconds for which a button shows that it has copied.

/**
 * Buttons that copy a decision; `one` is a decision of a review.
 * @param {{ one: import("./types").DecisionOut }} given
 */
export function Taking({ one }) {
  const xgid = withName(one.xgid);
  return html`<div class="row taking" role="group" aria-label="Export the decision">
    <${Copies} text="Copy XGID" act=${() => navigator.clipboard.writeText(xgid)} />
    <${Copies} text="Copy as text" act=${() => navigator.clipboard.writeText(forChat(one))} />
    <${Copies} text="Copy picture" act=${() => copyPicture(xgid)} /></div>`;
}

/** A form for a note that saves a position; `xgid` is the position. */
export function Keeping({ xgid }) {
  const [saved, setSaved] = useState(false);
  if (saved) return html`<p class="note">Saved: <a href="#/library/saved">your positions</a>. The trainer will ask about it.</p>`;
  return html`<details class="keeping"><summary>Save with a note</summary>
    <${NoteForm} button="Save this position" hint="The trainer will ask about it." path="/library/positions"
      body=${{ position: withName(xgid) }} onDone=${() => setSaved(true)} /></details>`;
}

/**
 * Links to files with those decisions of the library that match a `query`.
 * @param {{ query: import("./api.js").Query }} given
 */
export function Files({ query }) {
  const link = (ending, text) => html`<a class="button small" href=${address(`/library/decisions.${ending}`, query)} download>${text}</a>`;
  return html`<p class="row files">${link("csv", "CSV")}${link("apkg", "Flashcards for Anki")}${link("txt", "Boards as text")}</p>`;
}

/** A button that shows for a moment that it has copied, or why it could not. */
function Copies({ text, act }) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    const done = await act().then(() => "Copied", (error) => error.message);
    setSaid(done);
    announce(done);
    setTimeout(() => setSaid(""), SAID);
  };
  return html`<button type="button" class="small" onClick=${copy}>${said || text}</button>`;
}

const withName = (xgid) => `XGID=${xgid.replace(/^XGID=/, "")}`;

/** @param {import("./types").DecisionOut} one */
export function forChat(one) {
  const lost = isSeen(one.cost) ? `costs ${one.cost.toFixed(one.digits)} ${one.unit}` : "is right";
  const wide = Math.max(...one.alternatives.map(({ name }) => name.length));
  const row = ({ name, equity, cost }) => `${name.padEnd(wide)}  ${signed(equity, one.digits)}${isSeen(cost ?? 0, one.digits) ? `  −${cost.toFixed(one.digits)}` : ""}`;
  const asked = one.kind === "play" && one.dice ? `${one.dice.join("-")} to play` : one.kind === "take" ? "Take or pass?" : "Double?";
  return [
    `${asked} ${one.score ? capital(one.score) : "Money"}.`,
    one.decided ? `${one.player ? `${one.player}: ` : ""}${one.decided} ${lost}. Best: ${one.best}.` : `Best: ${one.best}.`,
    ...one.alternatives.map(row),
    `${capital(one.method)}${isSeen(one.error) ? `, error ${one.error.toFixed(one.digits)}` : ""}.`,
    withName(one.xgid),
  ].join("\n");
}

/** Copy a picture of the board to the clipboard or, if that is not supported, save it. */
async function copyPicture(xgid) {
  const image = new Image();
  image.src = address("/board.svg", { position: xgid });
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext("2d").drawImage(image, 0, 0);
  const picture = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
  } catch {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(picture);
    link.download = "board.png";
    link.click();
    URL.revokeObjectURL(link.href);
  }
}
