// The library: the user's matches, which can be searched, opened and annotated, and
// progress.
// @ts-check

import { html, useState } from "./vendor/htm-preact.js";
import { useGet, useNews } from "./asking.js";
import { Improving } from "./improving.js";
import { KeptMatch, playedFor, titleOf } from "./keptmatch.js";
import { Saved } from "./notes.js";
import { Search, SearchForm, queryOf } from "./searching.js";
import { Section, Sentence, Table, Term, counted } from "./ui.js";

const PARTS = [["", "Matches"], ["search", "Search"], ["saved", "Saved positions"], ["progress", "Progress"]];

const A_PAGE = 50;

/**
 * Which library is shown: its address on the page, and its query for requests.
 * @typedef {{ root: string, query: Record<string, unknown>, example: boolean }} Place
 */

/**
 * The first part of the path says whether this is the example library, and the second names
 * the view.
 */
export function View({ path }) {
  const example = path[0] === "example";
  const [part = "", ...rest] = example ? path.slice(1) : path;
  /** @type {Place} */
  const place = example
    ? { root: "#/library/example", query: { example: true }, example }
    : { root: "#/library", query: {}, example };
  const { data: about, error, trouble } = useGet("/library", place.query, useNews("library"));
  const number = /^\d+(\.c?\d+)?$/.test(part) ? part : null;
  const empty = about && !about.matches;
  return html`<h1 class="hidden">Library</h1>
    <nav class="row" aria-label="Library">${PARTS.map(([name, text]) => html`
      <a key=${name} href=${name ? `${place.root}/${name}` : place.root}
        aria-current=${name === part || (!name && number) ? "page" : undefined}>${text}</a>`)}</nav>
    ${example && html`<p class="note playing">This is an example: ten matches that the program played, with errors.
      <a href="#/library">To your own library</a></p>`}
    <${Sentence}>${error ?? trouble}</${Sentence}>
    ${(empty || error) && part !== "saved" && html`<${Empty} />`}
    ${number && about && html`<${KeptMatch} key=${example} reference=${number} place=${place} about=${about} />`}
    ${about && !number && html`
      ${part === "" && !empty && html`<${Matches} about=${about} place=${place} />`}
      ${part === "search" && !empty && html`<${Search} about=${about} place=${place} />`}
      ${part === "saved" && html`<${Saved} key=${example} place=${place} proposed=${rest.join("/")} />`}
      ${part === "progress" && !empty && html`<${Improving} about=${about} place=${place} />`}`}`;
}

/** Text shown while the library is empty. */
function Empty() {
  return html`<${Section} title="What you get" id="empty">
    <ul class="gets">
      <li>Every match that you <a href="#/review">review</a> here or with the command, with its decisions: stored in one file on this machine, and searchable by player, day, cost, kind, pips, structure or words.</li>
      <li>Positions that you save, with notes and tags; the <a href="#/trainer">trainer</a> asks about them.</li>
      <li>Your progress: your rating (PR) over time, your errors in races compared with your opponents and the recommended formula, and results without luck.</li>
    </ul>
    <p><a class="button" href="#/library/example">Open an example</a>
      <span class="note"> Ten matches with errors, and their statistics.</span></p>
  </${Section}>`;
}

/** @type {Record<string, string>} */
let chosenBefore = {};

/** Format the ratings of both players. @param {(number | null)[]} ratings */
function rated(ratings) {
  if (ratings.every((rating) => rating == null)) return "–";
  return ratings.map((rating) => (rating == null ? "?" : rating.toFixed(1))).join(" – ");
}

/** @param {{ about: import("./types").LibraryOut, place: Place }} given */
function Matches({ about, place }) {
  const [values, setValues] = useState(chosenBefore);
  const [most, setMost] = useState(A_PAGE);
  const change = (next) => {
    setMost(A_PAGE);
    setValues((chosenBefore = next));
  };
  const query = [...queryOf(values), ...Object.entries({ ...place.query, most })];
  const { data, error, trouble, waiting } = useGet("/library/matches", query, useNews("library"));
  const fields = about.fields.filter((one) => one.of_matches);
  const found = data?.matches ?? [];
  return html`<${Section} title="Matches" id="matches"
      note=${`${counted(about.matches, "match", "matches")}, ${counted(about.decisions, "decision")}, ${(about.bytes / 1e6).toFixed(1)} MB${place.example ? "" : `: ${about.path}`}. Ratings are in the order of the players' names; they cover the whole match if decisions before the races were judged. Losses are in EMG: points divided by the current value of the cube.`}>
    <${SearchForm} fields=${fields} shown=${["player", "text"]} values=${values} about=${about} onChange=${change} />
    <${Sentence}>${error ?? trouble}</${Sentence}>
    <div class="results" aria-busy=${waiting}>${data && found.length === 0 && html`<p>No matches were found.</p>`}
    ${found.length > 0 && html`<${Table} caption="Matches, the newest first" hideCaption rows=${found} columns=${[
      { head: "Match", scope: true, cell: (row) => html`<a href=${`${place.root}/${row.id}`}>${titleOf(row)}</a>` },
      { head: "Day", align: "left", cell: (row) => html`<span class="day">${row.day}</span>` },
      { head: "Result", wide: true, cell: (row) => (row.players[0] ? `${row.won[0]}–${row.won[1]}` : "") },
      { head: "Played", wide: true, align: "left", cell: (row) => playedFor(row) },
      { head: "Decisions", wide: true, cell: (row) => row.decisions + row.estimates },
      { head: html`<${Term} id="pr">PR</${Term}>`, cell: (row) => rated(row.ratings) },
      { head: "PR in races", wide: true, cell: (row) => rated(row.race_ratings) },
      { head: "Mistakes in races", wide: true, cell: (row) => row.mistakes },
      { head: "Lost in races", cell: (row) => row.lost.toFixed(3) },
    ]} />`}
    ${found.length === most && html`<p><button type="button" onClick=${() => setMost(Math.min(most + 150, 500))} disabled=${most >= 500}>More</button></p>`}</div>
  </${Section}>`;
}

