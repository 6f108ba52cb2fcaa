// Review: matches or positions dropped on the page, their decisions by cost.

import { html, useEffect, useRef, useState } from "./vendor/htm-preact.js";
import { postStream } from "./api.js";
import { Board } from "./board.js";
import { Choice, Field, Section, Sentence, Table, announce, capital, signed } from "./ui.js";

const FIRST = 50; // Decisions shown before more are asked for.
const NAMES = /\.(mat|sgf|txt|csv|tsv|jsonl?|gva|xgp?|bgf|gvab|ogxm)$/i;
const PACKED = /\.(xgp?|bgf|gvab|ogxm)$/i; // No text: sent in base64.
const MOST = 4_000_000; // Bytes that the program takes at once, all files together.

let kept = null; // What was found stays while another tab is looked at.

export function View({ path }) {
  const [found, setFound] = useState(kept);
  const [going, setGoing] = useState(null);
  const [problem, setProblem] = useState(null);
  const [thorough, setThorough] = useState("0.01");
  const control = useRef(null);
  useEffect(() => () => control.current?.abort(), []);

  const send = (files, positions) => {
    control.current?.abort();
    control.current = new AbortController();
    const { signal } = control.current;
    setProblem(null);
    setGoing({ done: 0, decisions: 0 });
    const body = { files, positions, error: thorough ? Number(thorough) : null, stream: true };
    const on = {
      progress: setGoing,
      failed: ({ error }) => setProblem(error),
      result: (result) => {
        kept = result;
        setFound(result);
        location.hash = "#/review";
        announce(`${result.decisions.length} decisions judged`);
      },
    };
    postStream("/review", body, on, { signal })
      .catch((error) => error.name === "AbortError" || setProblem(error.message))
      .finally(() => control.current.signal === signal && setGoing(null));
  };
  const stop = () => {
    control.current.abort();
    setGoing(null);
  };
  const chosen = found?.decisions[Number(path[0]) - 1];
  return html`<h1 class="hidden">Review</h1>
    <${Upload} onFiles=${(files) => send(files, "")} onText=${(text) => send([], text)} onProblem=${setProblem}>
      <${Choice} label="Races that no table holds" name="thorough" value=${thorough} onChange=${setThorough}
        options=${[["0.01", "Rollouts"], ["", "Fast model"]]} />
    </${Upload}>
    ${going && html`<p class="playing" role="status"><progress max=${going.decisions || 1} value=${going.done} aria-label="Decisions judged" />
      ${going.decisions ? `${going.done} of ${going.decisions} decisions` : "Reading"}
      <button type="button" onClick=${stop}>Stop</button></p>`}
    <${Sentence}>${problem}</${Sentence}>
    ${found && html`
      ${chosen && html`<${Decision} one=${chosen} place=${Number(path[0])} most=${found.decisions.length} />`}
      <${Found} found=${found} chosen=${chosen} />`}`;
}

function Upload({ children, onFiles, onText, onProblem }) {
  const [over, setOver] = useState(false);
  const [text, setText] = useState("");
  const read = async (list) => {
    const files = [...list];
    if (!files.length) return;
    const strange = files.find((file) => !NAMES.test(file.name));
    if (strange) onProblem(`${strange.name} is no match or list: .xg, .bgf, .mat, .sgf, .txt or .csv.`);
    else if (files.reduce((sum, file) => sum + file.size, 0) > MOST) onProblem("These are more than 4 MB together; send fewer at once.");
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
    }}>
    <${Field} label="Matches or lists of positions" hint="eXtreme Gammon's .xg and text, BGBlitz's .bgf, GNU Backgammon's .sgf, .mat, OGXM, .csv; or drop them anywhere on this page.">
      <input type="file" multiple name="files" accept=".xg,.xgp,.bgf,.mat,.sgf,.gvab,.gva,.ogxm,.txt,.csv,.tsv,.json,.jsonl" onChange=${(event) => {
        read(event.target.files);
        event.target.value = ""; // The same file may be chosen again.
      }} /></${Field}>
    <${Field} label="Or positions, one a line" hint="XGID, position ID or OGID; or a heading: position,dice,played,decided.">
      <textarea name="positions" rows="3" value=${text} onInput=${(event) => setText(event.target.value)} /></${Field}>
    <div class="row">${children}<button class="first">Review positions</button></div>
  </form>`;
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

function Found({ found, chosen }) {
  const [most, setMost] = useState(FIRST);
  const { decisions, totals, problems } = found;
  const mistakes = decisions.filter((one) => one.mistake).length;
  return html`
    ${problems.length > 0 && html`<${Section} title="What could not be judged" id="problems">
      <ul>${problems.map((text) => html`<li>${text}</li>`)}</ul></${Section}>`}
    ${totals.length > 0 && html`<${Section} title="Players" id="players">
      <${Table} caption="Totals by player and kind" hideCaption rows=${summed(totals)} mark=${(row) => row.kind ? "" : "best"} columns=${[
        { head: "Player", cell: (row) => (row.kind ? html`<span class="sub">${capital(row.kind)}s</span>` : row.player || "List"), scope: true },
        { head: "Decisions", cell: (row) => row.decisions },
        { head: "Mistakes", cell: (row) => row.mistakes },
        { head: "Lost, EMG", cell: (row) => row.lost.toFixed(3) },
        { head: "A decision", wide: true, cell: (row) => (row.lost / row.decisions).toFixed(4) },
        { head: "Formula wrong", wide: true, cell: (row) => (row.kind === "play" ? "–" : row.formula_differs) },
      ]} /></${Section}>`}
    <${Section} title="Decisions by cost" id="decisions"
      note=${`${decisions.length} decisions, ${mistakes} of them mistakes: they cost more than their error. Costs are EMG, normalised to the cube as it stands.`}>
      <${Table} caption="Decisions, the costliest first" hideCaption rows=${decisions.slice(0, most)}
        mark=${(row) => (row === chosen ? "best" : "")} columns=${[
        { head: "Decision", scope: true, cell: (row, i) => html`<a href=${`#/review/${i + 1}`}>${row.decided || row.best}</a>` },
        { head: "Right", align: "left", cell: (row) => row.best },
        { head: "Player", align: "left", wide: true, cell: (row) => row.player || `Line ${row.line}` },
        { head: "Pips", wide: true, cell: (row) => `${pips(row.roller)}–${pips(row.opponent)}` },
        { head: "Cost, EMG", cell: (row) => (row.decided ? html`<span class=${row.mistake ? "cost" : ""}>${row.cost.toFixed(4)}</span>` : "–") },
      ]} />
      ${decisions.length > most && html`<p><button type="button" onClick=${() => setMost(most + 200)}>More</button></p>`}
    </${Section}>`;
}

/** A decision on the board, with what each choice is worth. */
function Decision({ one, place, most }) {
  const heading = useRef(null);
  useEffect(() => heading.current.focus(), [place]);
  useEffect(() => {
    const pressed = (event) => {
      if (event.target.closest("input, select, textarea, dialog") || event.ctrlKey || event.metaKey) return;
      const to = place + ({ j: 1, k: -1 }[event.key] ?? 0);
      if (to !== place && to >= 1 && to <= most) location.hash = `#/review/${to}`;
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
  const where = [one.source, one.game && `game ${one.game}`, one.line && `line ${one.line}`, one.score];
  return html`<section class="question decision" aria-labelledby="decision">
    <${Board} roller=${one.roller} opponent=${one.opponent} cube=${one.cube} cubeValue=${one.cube_value} dice=${one.dice} />
    <div class="ask">
      <p class="note">${where.filter(Boolean).join(", ")}</p>
      <h2 id="decision" tabindex="-1" ref=${heading}>${one.decided
        ? html`${one.player && `${one.player}: `}${one.decided} ${shown(one) && html`<span class="cost">${signed(-one.cost)} EMG</span>`}`
        : capital(one.best)}</h2>
      ${one.decided && html`<p>Right: <strong>${one.best}</strong>${shown(one) && !one.mistake && ", but the error leaves it open"}.</p>`}
      <p class="note">${capital(one.method)}, error ${one.error.toFixed(4)}.${one.formula && ` The formula says ${one.formula}.`}
        ${one.kind === "take" && " The side on roll doubled."}</p>
      <${Table} caption="Worth to the side on roll" rows=${one.equities} mark=${(row) => (row.name === one.best ? "best" : "")} columns=${[
        { head: "Choice", scope: true, cell: (row) => row.name },
        { head: "Equity", cell: (row) => signed(row.equity) },
      ]} />
      <p class="row"><a class="button" href=${`#/calculator/${one.xgid}`}>Open in the calculator</a>
        ${place > 1 && html`<a class="button" href=${`#/review/${place - 1}`}>Costlier</a>`}
        ${place < most && html`<a class="button" href=${`#/review/${place + 1}`}>Next</a>`}</p>
    </div>
  </section>`;
}

/** Totals of each player, and below them those of each kind. */
function summed(totals) {
  const rows = new Map();
  const add = (key, names, total) => {
    const row = rows.get(key) ?? { ...names, decisions: 0, mistakes: 0, lost: 0, formula_differs: 0 };
    for (const name of ["decisions", "mistakes", "lost", "formula_differs"]) row[name] += total[name];
    rows.set(key, row);
  };
  for (const total of totals) {
    const [player, kind] = total.name;
    add(player, { player }, total);
    add(`${player}\n${kind}`, { player, kind }, total);
  }
  return [...rows.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Whether a cost is seen with four decimals. */
const shown = (one) => one.cost >= 5e-5;

const pips = (counts) => counts.reduce((sum, n, i) => sum + n * (i + 1), 0);
