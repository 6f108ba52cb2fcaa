// Settings: the user's names, the colour scheme, storage and keys.
// @ts-check

import { html, useLayoutEffect, useState } from "./vendor/htm-preact.js";
import { send } from "./api.js";
import { tell, useGet, useNews } from "./asking.js";
import { useKeeps } from "./reviewing.js";
import { Files } from "./taking.js";
import { Choice, Field, Section, Sentence, announce, counted, same } from "./ui.js";

const NAMED = 8; // Maximum number of players whose names are offered.

const LOOKS = [["", "As on the device"], ["light", "Light"], ["dark", "Dark"]];

export function View() {
  const { data: about, error } = useGet("/library", {}, useNews("library"));
  const [keep, setKeep] = useKeeps();
  return html`<h1 class="hidden">Settings</h1>
    ${about && html`<${Names} about=${about} />`}
    <${Section} title="Look" id="look"><${Look} /></${Section}>
    <${Section} title="Library" id="kept">
      <${Sentence}>${error}</${Sentence}>
      ${about && html`<p>${counted(about.matches, "match", "matches")} and ${counted(about.decisions, "decision")} in ${about.path}.</p>
        <label class="check"><input type="checkbox" checked=${keep} onChange=${(event) => setKeep(event.target.checked)} />Store reviewed matches</label>
        ${about.decisions > 0 && html`<${Files} query=${{}} />`}
        <p class="note">To delete a match, open it in the <a href="#/library">library</a>. Exact answers at match scores are stored separately, up to 64 MB; bearoff tables clear --all deletes them.</p>`}
    </${Section}>
    <${Section} title="Words and keys" id="more"><ul class="gets"><li><a href="#/glossary">Glossary</a>: what EPC, EMG, PR and other words mean.</li>
      <li>The button ? at the top lists the keys, and you can change each of them.</li></ul></${Section}>`;
}

/** @param {{ about: import("./types").LibraryOut }} given */
function Names({ about }) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState(null);
  const kept = about.names.join("\n");
  useLayoutEffect(() => setText(kept), [kept]);
  const typed = text.split("\n").map((name) => name.trim()).filter(Boolean);
  const save = async (event) => {
    event?.preventDefault();
    try {
      const { names } = await send("/library/names", { names: typed });
      setText(names.join("\n"));
      setProblem(null);
      announce("Saved");
      tell("library");
    } catch (error) {
      setProblem(error.message);
    }
  };
  const known = about.players.slice(0, NAMED).filter(({ name }) => !typed.some((one) => same(one, name)));
  return html`<${Section} title="My names" id="names" note="Names under which you play, in all programs and on all servers. Progress, mistakes, the trainer and the rating then refer to these names.">
    <form class="noting" onSubmit=${save}>
      <${Field} label="Names, one per line"><textarea rows="3" spellcheck="false" autocomplete="off" value=${text}
        onInput=${(event) => setText(event.target.value)} /></${Field}>
      ${known.length > 0 && html`<div><span class="label">Players in your library</span><p class="row">${known.map(({ name, decisions }) => html`<button type="button" class="small"
        key=${name} onClick=${() => setText([...typed, name].join("\n"))}>${name}<span class="note"> ${counted(decisions, "decision")}</span></button>`)}</p></div>`}
      <p class="row"><button class="first">Save the names</button>
        ${!about.names.length && about.mine.length > 0 && html`<span class="note">Until then, the page assumes that you are ${about.mine[0]}, who made the most decisions.</span>`}</p>
      <${Sentence}>${problem}</${Sentence}>
    </form>
  </${Section}>`;
}

function Look() {
  const root = document.documentElement;
  const [look, setLook] = useState(root.dataset.theme ?? "");
  const turn = (to) => {
    if (to) {
      root.dataset.theme = to;
      localStorage.setItem("bearoff.theme", to);
    } else {
      delete root.dataset.theme;
      localStorage.removeItem("bearoff.theme");
    }
    setLook(to);
  };
  return html`<${Choice} label="Colours" name="look" value=${look} options=${LOOKS} onChange=${turn} />`;
}
