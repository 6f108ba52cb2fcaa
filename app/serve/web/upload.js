// Input for a review: files that are chosen or dropped on the page, or pasted positions.
// @ts-check

import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { Field } from "./ui.js";

const NAMES = /\.(mat|sgf|txt|csv|tsv|jsonl?|gva|xgp?|bgf|gvab|ogxm)$/i;
const PACKED = /\.(xgp?|bgf|gvab|ogxm)$/i; // Binary files are sent in base64, which is a third longer.
const MOST = 4e6 - 1000; // Maximum total size of the files as they are sent, in bytes.

/** Field for files and positions; it is `folded` after the first review. */
export function Upload({ folded, children, onFiles, onText, onProblem }) {
  const [over, setOver] = useState(false);
  const [text, setText] = useState("");
  const read = async (list) => {
    const files = [...list];
    if (!files.length) return;
    const strange = files.find((file) => !NAMES.test(file.name));
    if (strange) onProblem(`${strange.name} is not a match or a list of positions: .xg, .bgf, .mat, .sgf, .txt or .csv.`);
    else {
      const sent = await Promise.all(files.map(asText));
      const large = tooLarge(files, sent);
      if (large) onProblem(large);
      else onFiles(sent);
    }
  };
  useEffect(() => {
    const drag = (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(event.type === "dragover");
      if (event.type === "drop") read(event.dataTransfer.files);
    };
    const kinds = ["dragover", "dragleave", "drop"];
    kinds.forEach((kind) => addEventListener(kind, drag));
    return () => kinds.forEach((kind) => removeEventListener(kind, drag));
  });
  const form = html`<form class=${`upload ${over ? "over" : ""}`} onSubmit=${(event) => {
      event.preventDefault();
      if (text.trim()) onText(text);
      else onProblem("There is nothing to review yet: choose files above, or enter one position per line.");
    }}>
    <${Field} label="Matches or lists of positions" hint="eXtreme Gammon's .xg, .xgp and text, BGBlitz's .bgf and text, GNU Backgammon's .sgf, .mat, OGXM, .csv; or drop them anywhere on this page.">
      <input type="file" multiple name="files" accept=".xg,.xgp,.bgf,.mat,.sgf,.gvab,.gva,.ogxm,.txt,.csv,.tsv,.json,.jsonl" onChange=${(event) => {
        read(event.target.files);
        event.target.value = ""; // The value is cleared, so that the same file can be chosen again.
      }} /></${Field}>
    <${Field} label="Or positions, one per line" hint="XGID, position ID or OGID; the first line may be a heading such as position,dice,played,decided. Or text copied from eXtreme Gammon or BGBlitz.">
      <textarea name="positions" rows="3" value=${text} onInput=${(event) => setText(event.target.value)} /></${Field}>
    <div class="row">${children}<button class="first">Review positions</button></div>
  </form>`;
  return folded ? html`<details class="again"><summary>Review something else; you can drop files anywhere</summary>${form}</details>` : form;
}

/**
 * Error message for files that are too large. It states the limit for the files, because
 * their encoded text is longer.
 */
function tooLarge(files, sent) {
  const bytes = new Blob([JSON.stringify(sent)]).size;
  if (bytes <= MOST) return null;
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const looked = files.reduce((sum, file) => sum + Math.min(file.size, MOST), 0);
  const most = Math.floor((MOST * looked) / bytes / 1e4) / 100;
  const have = files.length > 1 ? `${files.length} files have` : `${files[0].name} has`;
  return `${have} ${(Math.ceil(size / 1e4) / 100).toFixed(2)} MB; the page can send at most ${most.toFixed(2)} MB of such files at once. ${
    files.length > 1 ? "Choose fewer" : "Choose a smaller one"}, or use bearoff review.`;
}

/**
 * Encode a file for a request: a text in UTF-8 or in a Windows encoding, any other file in
 * base64. Of a file that is too large, only the beginning is read.
 */
async function asText(file) {
  const bytes = new Uint8Array(await file.slice(0, MOST).arrayBuffer());
  if (PACKED.test(file.name) || bytes.includes(0)) {
    const letters = Array.from(bytes, (byte) => String.fromCharCode(byte));
    return { name: file.name, data: btoa(letters.join("")) };
  }
  try {
    return { name: file.name, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { name: file.name, text: new TextDecoder("windows-1252").decode(bytes) };
  }
}
