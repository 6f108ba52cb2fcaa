// Notes on matches and decisions, and saved positions.
// @ts-check

import { html, useLayoutEffect, useState } from "./vendor/htm-preact.js";
import { drop, send } from "./api.js";
import { tell, useGet, useNews } from "./asking.js";
import { Board } from "./board.js";
import { isHome } from "./race.js";
import { Field, Section, Sentence, Typed, announce } from "./ui.js";

/**
 * A form for a note and tags, which are sent with `body`. `onDone` is called with the
 * stored note.
 * @param {{ button: string, hint?: string, path: "/library/notes" | "/library/positions", body: any, onDone: (kept: any) => void, children?: unknown }} given
 */
export function NoteForm({ button, hint, path, body, onDone, children }) {
  const [text, setText] = useState("");
  const [tags, setTags] = useState("");
  const [problem, setProblem] = useState(null);
  const sent = async (event) => {
    event.preventDefault();
    try {
      onDone(await send(path, { ...body, text, tags: tags.split(/[\s,#]+/).filter(Boolean) }));
      setProblem(null);
      setText("");
      setTags("");
      announce("Kept");
      tell("library");
    } catch (error) {
      setProblem(error.message);
    }
  };
  return html`<form class="noting" onSubmit=${sent}>${children}
    <${Field} label="Note"><input type="text" maxlength="10000" value=${text} autocomplete="off" onInput=${(event) => setText(event.target.value)} /></${Field}>
    <${Field} label="Tags, single words"><input type="text" maxlength="400" value=${tags} autocomplete="off" onInput=${(event) => setTags(event.target.value)} /></${Field}>
    <p class="row"><button>${button}</button>${hint && html`<span class="note">${hint}</span>`}</p>
    <${Sentence}>${problem}</${Sentence}>
  </form>`;
}

/** @param {{ notes: import("./types").KeptNote[], place: import("./library.js").Place, onGone: (note: any) => void }} given */
export function Notes({ notes, place, onGone }) {
  if (!notes.length) return null;
  return html`<ul class="noted">${notes.map((one) => html`<li key=${one.id}><${Noted} one=${one} place=${place} onGone=${onGone} /></li>`)}</ul>`;
}

/** The text of a note, and a button that deletes it. */
function Noted({ one, place, onGone }) {
  const [problem, setProblem] = useState(null);
  const gone = () => drop(`/library/notes/${one.id}`).then(
    () => {
      announce("Deleted");
      tell("library");
      onGone(one);
    },
    (error) => setProblem(error.message),
  );
  const kind = one.xgid ? "Saved" : "Noted";
  return html`<p><span class="note">${kind} ${one.at.slice(0, 10)}</span> ${one.text}${one.tags.map((tag) => html` <span class="tag">#${tag}</span>`)}
      ${!place.example && html` <button type="button" class="small" onClick=${gone}>Delete<span class="hidden"> ${one.text || kind}</span></button>`}</p>
    <${Sentence}>${problem}</${Sentence}>`;
}

/**
 * Saved positions, and a form for saving another one; `proposed` is the position in the
 * form.
 * @param {{ place: import("./library.js").Place, proposed: string }} given
 */
export function Saved({ place, proposed }) {
  const [wish, setWish] = useState({ tag: "", text: "" });
  const [position, setPosition] = useState(proposed);
  const { data, error, trouble } = useGet("/library/saved", { ...place.query, ...wish }, useNews("library"));
  const [saved, setSaved] = useState(/** @type {import("./types").SavedPosition[]} */ ([]));
  useLayoutEffect(() => setSaved(data?.saved ?? []), [data]);
  const by = (name) => (value) => setWish({ ...wish, [name]: value });
  const added = (one) => {
    setSaved((kept) => [one, ...kept]); // The list of saved positions may have been loaded meanwhile.
    setPosition("");
  };
  const filters = data && (saved.length > 0 || wish.tag || wish.text);
  return html`<${Section} title="Saved positions" id="saved" note="The trainer asks about them, as it does about your mistakes.">
    ${!place.example && html`<${NoteForm} button="Save" path="/library/positions" body=${{ position }} onDone=${added}>
      <${Field} label="Position" hint="XGID, position ID, OGID, or a decision such as 12.3."><input type="text" required maxlength="2000" autocomplete="off"
        value=${position} onInput=${(event) => setPosition(event.target.value)} /></${Field}>
    </${NoteForm}>`}
    <${Sentence}>${error ?? trouble}</${Sentence}>
    ${filters && html`<div class="row filters">
      <${Typed} label="With the tag" maxlength="60" value=${wish.tag} onChange=${by("tag")} />
      <${Typed} label="Text in the note" maxlength="200" value=${wish.text} onChange=${by("text")} /></div>`}
    ${data && !saved.length && html`<p>${wish.tag || wish.text ? "No saved position matches." : "No positions are saved yet."}</p>`}
    <ul class="positions">${saved.map((one) => html`<li key=${one.id}>
      <${Board} home=${isHome(one)} ...${boardOf(one)} />
      <${Noted} one=${one} place=${place} onGone=${() => setSaved((kept) => kept.filter((other) => other.id !== one.id))} />
      <p class="note">${one.about && html`<a href=${`${place.root}/${one.about}`}>Decision ${one.about}</a> · `}<a
        href=${`#/calculator/${one.xgid}`}>Calculator<span class="hidden">: ${one.text || one.xgid}</span></a>${one.score && ` · ${one.score}`}</p></li>`)}</ul>
  </${Section}>`;
}

const boardOf = ({ roller, opponent, cube, cube_value: cubeValue, dice }) => ({ roller, opponent, cube, cubeValue, dice });
