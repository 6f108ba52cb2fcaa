// A match of the library, with its decisions and notes; each decision can be opened.
// @ts-check

import { html, useLayoutEffect, useState } from "./vendor/htm-preact.js";
import { drop } from "./api.js";
import { tell, useGet, useNews } from "./asking.js";
import { Decision } from "./decided.js";
import { Found, judgedSaid, selected, useChosen } from "./found.js";
import { NoteForm, Notes } from "./notes.js";
import { Files } from "./taking.js";
import { Section, Sentence, announce } from "./ui.js";

/** @param {{ reference: string, place: import("./library.js").Place, about: import("./types").LibraryOut }} given */
export function KeptMatch({ reference, place, about }) {
  const [number] = reference.split(".");
  const { data, error, trouble } = useGet(`/library/matches/${number}`, place.query, useNews("library"));
  const [wish, setWish] = useChosen(data?.decisions ?? [], about.names);
  if (!data) return html`<${Sentence}>${error ?? trouble}</${Sentence}>`;
  return html`<${Opened} key=${number} data=${data} reference=${reference} place=${place} wish=${wish} setWish=${setWish} />`;
}

/** @param {{ data: import("./types").OpenedOut, reference: string, place: import("./library.js").Place, wish: any, setWish: any }} given */
function Opened({ data, reference, place, wish, setWish }) {
  const { match, decisions, totals, players, races } = data;
  const [notes, setNotes] = useState(data.notes);
  useLayoutEffect(() => setNotes(data.notes), [data]);
  const hrefOf = (one) => `${place.root}/${one.reference}`;
  const rows = selected(decisions, wish);
  const chosen = decisions.find((one) => one.reference === reference);
  const of = (about) => ({ notes: notes.filter((one) => one.about === about), place, onGone: (gone) => setNotes(notes.filter((one) => one.id !== gone.id)) });
  const added = (note) => setNotes([...notes, note]);
  return html`
    <div class="part"><h2 class="opened">${titleOf(match)}</h2>
      <p class="note">${saidOf(match)}</p>
      ${match.comment && html`<blockquote class="comment">${match.comment}</blockquote>`}</div>
    ${reference.includes(".") && !chosen && html`<${Sentence}>This match has no decision ${reference}.</${Sentence}>`}
    ${chosen && html`<${Decision} one=${chosen} rows=${rows} hrefOf=${hrefOf}>
      <${Notes} ...${of(chosen.reference)} />
      ${!place.example && (chosen.in_race
        ? html`<${NoteForm} key=${chosen.reference} button="Save this position" hint="The trainer will ask about it."
            path="/library/positions" body=${{ position: chosen.reference }} onDone=${added} />`
        : html`<${NoteForm} key=${chosen.reference} button="Note" hint="The trainer asks only about races, so it will not ask about this mistake."
            path="/library/notes" body=${{ about: chosen.reference }} onDone=${added} />`)}
    </${Decision}>`}
    <${Found} decisions=${decisions} totals=${totals} players=${players} races=${races} rows=${rows} chosen=${chosen} wish=${wish} setWish=${setWish} hrefOf=${hrefOf}
      note=${`${judgedSaid(decisions, wish)} ${!wish.races && decisions.some((one) => !one.in_race) ? "≈ marks estimates of decisions before the race. " : ""}Costs are in EMG: points divided by the current value of the cube.`} />
    ${!place.example && html`<${Section} title="Export" id="files"><${Files} query=${{ match: match.id, player: wish.player || null, mistakes: wish.mistakes || null }} />
      <p class="note">The files contain the decisions selected above, of all kinds.</p><${Deleting} match=${match} root=${place.root} /></${Section}>`}
    <${Section} title="Notes on the match" id="match-notes">
      <${Notes} ...${of(String(match.id))} />
      ${!place.example && html`<${NoteForm} button="Note" path="/library/notes" body=${{ about: String(match.id) }} onDone=${added} />`}
      ${place.example && !of(String(match.id)).notes.length && html`<p class="note">None.</p>`}
    </${Section}>`;
}

/** @param {{ match: import("./types").KeptMatch, root: string }} given */
function Deleting({ match, root }) {
  const [problem, setProblem] = useState(null);
  const gone = async () => {
    if (!confirm(`Delete ${titleOf(match)}, its decisions and its notes from the library?`)) return;
    try {
      await drop(`/library/matches/${match.id}`);
      announce("Deleted");
      tell("library");
      location.hash = root;
    } catch (error) {
      setProblem(error.message);
    }
  };
  return html`<p><button type="button" onClick=${gone}>Delete this match</button></p><${Sentence}>${problem}</${Sentence}>`;
}

/** @param {import("./types").KeptMatch} match */
function saidOf(match) {
  const { players, won, day, dated, event, place, source, id } = match;
  const parts = [
    `Match ${id} of the library`,
    dated ? day : `kept on ${day}`,
    players[0] ? `${playedFor(match)}: ${won[0]}–${won[1]}` : "a list of positions",
    event,
    place,
    source,
  ];
  return parts.filter(Boolean).join(", ");
}

/** @param {import("./types").KeptMatch} match */
export const titleOf = ({ players, source }) => (players[0] ? players.join(" – ") : source);

/** @param {import("./types").KeptMatch} match */
export function playedFor({ players, length }) {
  if (!players[0]) return "list";
  return length ? `to ${length}` : "money";
}
