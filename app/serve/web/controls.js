// Controls around the board: notation, dice, score and cube.
// @ts-check

import { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor/htm-preact.js";
import { served } from "./api.js";
import { Choice, Field, Select, Sentence } from "./ui.js";
import { exchanged, hasContact, onPoints, toXgid } from "./race.js";

const AWAY = Array.from({ length: 25 }, (_, i) => [String(i + 1), `${i + 1} away`]);
const FACES = [6, 5, 4, 3, 2, 1];
const READ = served ? "An XGID, position ID or OGID, a drawn board" : "An XGID, a position ID";
const VALUES = [1, 2, 4, 8, 16, 32, 64].map((value) => [String(value), String(value)]);

/** On a phone, score and cube are folded away, and `said` describes them in words. */
export function Controls({ race, change, said, undo, redo, narrow, whole, setWhole }) {
  const { away, cube } = race;
  const play = (kind) =>
    change(kind === "match" ? { away: [5, 5], jacoby: false } : { away: null, crawford: false });
  const need = (side) => (text) => {
    const next = away.map((points, i) => (i === side ? Number(text) : points));
    change({ away: next, crawford: next.includes(1) && race.crawford });
  };
  const place = (where) =>
    change({ cube: where, cubeValue: where === "centred" ? 1 : Math.max(2, race.cubeValue) });
  const rule = (name, text) => html`<label class="check"><input type="checkbox"
    checked=${race[name]} onChange=${(event) => change({ [name]: event.target.checked })} />${text}</label>`;
  const settings = html`
    <div class="row">
      ${(served || away) && html`<${Choice} label="Play" name="play" value=${away ? "match" : "money"}
        options=${[["money", "Money"], ["match", "Match"]]} onChange=${play} />`}
      ${away
        ? html`<${Select} label="You need" value=${String(away[0])} options=${AWAY} onChange=${need(0)} />
          <${Select} label="Opponent needs" value=${String(away[1])} options=${AWAY} onChange=${need(1)} />
          ${away.includes(1) && rule("crawford", "Crawford game")}`
        : rule("jacoby", "Jacoby rule")}
    </div>
    <div class="row">
      <${Choice} label="Cube" name="cube" value=${cube} onChange=${place}
        options=${[["centred", "Centred"], ["owned", "Yours"], ["opponent", "Opponent's"]]} />
      ${(cube !== "centred" || race.cubeValue > 1) && html`<${Select} label="Cube value"
        value=${String(race.cubeValue)} options=${VALUES.slice(cube === "centred" ? 0 : 1)}
        onChange=${(text) => change({ cubeValue: Number(text) })} />`}
    </div>`;
  return html`<div class="controls">
    <${Dice} dice=${race.dice} onChange=${(dice) => change({ dice })} />
    <div class="controls rest">
    <div class="row">
      <button type="button" disabled=${!undo} onClick=${undo} title="Ctrl Z">Undo</button>
      <button type="button" disabled=${!redo} onClick=${redo} title="Ctrl Y">Redo</button>
      <button type="button" onClick=${() => change(exchanged(race))}>Swap sides</button>
      <button type="button" onClick=${() => change({ roller: onPoints([]), opponent: onPoints([]), dice: null })}>Clear</button>
      ${whole !== null && html`<button type="button" aria-pressed=${whole}
        onClick=${() => setWhole(!whole)}>Whole board</button>`}
      <${CopyLink} />
      ${served && !hasContact(race) && html`<a class="button" href=${`#/library/saved/${toXgid(race)}`}>Save</a>`}
    </div>
    ${narrow ? html`<details class="folded"><summary>${said}: change</summary><div class="controls">${settings}</div></details>` : settings}
    </div>
  </div>`;
}

/**
 * The 21 rolls, with one row for each larger number; clicking the selected roll removes it.
 */
function Dice({ dice, onChange }) {
  const roll = (high, low) => {
    const set = dice?.[0] === high && dice[1] === low;
    return html`<button type="button" class="roll" aria-label=${`${high}-${low}`} aria-pressed=${set}
      onClick=${() => onChange(set ? null : [high, low])}>${high}${low}</button>`;
  };
  return html`<fieldset class="dice"><legend>Dice</legend>
    ${FACES.map((high) => html`<div>${FACES.slice(6 - high).map((low) => roll(high, low))}</div>`)}
    <button type="button" class="small" disabled=${!dice} onClick=${() => onChange(null)}>No dice</button>
  </fieldset>`;
}

/** An error message stays next to the field until the text in it changes. */
export function Notation({ race, read, refused, forget }) {
  const xgid = `XGID=${toXgid(race)}`;
  const [text, setText] = useState(xgid);
  useLayoutEffect(() => setText(xgid), [xgid]);
  const form = useRef(null);
  useEffect(() => {
    if (!refused) return;
    form.current.scrollIntoView({ block: "nearest" });
  }, [refused]);
  const entered = (event) => {
    event.preventDefault();
    if (text.trim() && text !== xgid) read(text);
  };
  return html`<form class="notation" ref=${form} onSubmit=${entered}>
    <${Field} label="Position: paste any notation">
      <input value=${text} spellcheck="false" autocomplete="off" title=${`${READ}, or both sides' counts such as 0,2,2,3,1,2 0,1,2,4,1,2`}
        onInput=${(event) => {
          setText(event.target.value);
          forget();
        }}
        onFocus=${(event) => event.target.select()}
        onPaste=${(event) => {
          event.preventDefault(); // A drawn board has several lines, which an input field would join.
          const pasted = event.clipboardData.getData("text");
          setText(pasted);
          read(pasted);
        }} />
    </${Field}>
    <${Sentence}>${refused}</${Sentence}>
  </form>`;
}

function CopyLink() {
  const [said, setSaid] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(location.href);
    setSaid(true);
    setTimeout(() => setSaid(false), 2000);
  };
  return html`<button type="button" onClick=${copy}>${said ? "Link copied" : "Copy link"}</button>`;
}
