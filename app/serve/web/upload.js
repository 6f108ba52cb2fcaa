// What is to be reviewed: files chosen or dropped anywhere, positions pasted.
// @ts-check

import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { Field } from "./ui.js";

const NAMES = /\.(mat|sgf|txt|csv|tsv|jsonl?|gva|xgp?|bgf|gvab|ogxm)$/i;
const PACKED = /\.(xgp?|bgf|gvab|ogxm)$/i; // No text: sent in base64.
const MOST = 4; // MB of a request, of all files together.

/** Where files are chosen or dropped, and positions pasted. */
export function Upload({ children, onFiles, onText, onProblem }) {
  const [over, setOver] = useState(false);
  const [text, setText] = useState("");
  const read = async (list) => {
    const files = [...list];
    if (!files.length) return;
    const strange = files.find((file) => !NAMES.test(file.name));
    if (strange) onProblem(`${strange.name} is no match or list: .xg, .bgf, .mat, .sgf, .txt or .csv.`);
    else if (sizeOf(files) > MOST) onProblem(`These have ${sizeOf(files).toFixed(1)} MB as they are sent; a request has at most ${MOST} MB. Send several, or have bearoff review read them.`);
    else onFiles(await Promise.all(files.map(asText)));
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
  return html`<form class=${`upload ${over ? "over" : ""}`} onSubmit=${(event) => {
      event.preventDefault();
      if (text.trim()) onText(text);
      else onProblem("There is nothing to review yet: choose files above, or write a position a line.");
    }}>
    <${Field} label="Matches or lists of positions" hint="eXtreme Gammon's .xg, .xgp and text, BGBlitz's .bgf and text, GNU Backgammon's .sgf, .mat, OGXM, .csv; or drop them anywhere on this page.">
      <input type="file" multiple name="files" accept=".xg,.xgp,.bgf,.mat,.sgf,.gvab,.gva,.ogxm,.txt,.csv,.tsv,.json,.jsonl" onChange=${(event) => {
        read(event.target.files);
        event.target.value = ""; // The same file may be chosen again.
      }} /></${Field}>
    <${Field} label="Or positions, one a line" hint="XGID, position ID or OGID; a heading may be position,dice,played,decided. Or what eXtreme Gammon or BGBlitz copied as text.">
      <textarea name="positions" rows="3" value=${text} onInput=${(event) => setText(event.target.value)} /></${Field}>
    <div class="row">${children}<button class="first">Review positions</button></div>
  </form>`;
}

/** What files have as they are sent, in MB: packed ones a third more. */
function sizeOf(files) {
  return files.reduce((sum, { name, size }) => sum + (PACKED.test(name) ? 4 / 3 : 1) * size, 0) / 1e6;
}

/** A file as text, in UTF-8 or what Windows programs wrote; one that is none in base64. */
async function asText(file) {
  const bytes = await file.arrayBuffer();
  if (PACKED.test(file.name)) {
    const letters = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte));
    return { name: file.name, data: btoa(letters.join("")) };
  }
  try {
    return { name: file.name, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { name: file.name, text: new TextDecoder("windows-1252").decode(bytes) };
  }
}
