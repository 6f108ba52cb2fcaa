// Settings of the trainer: kinds of questions, sets, levels, numerical answers, and the
// clock.
// @ts-check

import { html } from "./vendor/htm-preact.js";
import { useGet } from "./asking.js";
import { Choice, Field, Select, Sentence, useNarrow } from "./ui.js";

const SETS = [
  ["day", "Today’s ten"],
  ["number", "Number"],
  ["minutes", "Minutes"],
  ["due", "Due only"],
  ["endless", "No end"],
];

const LEVELS = { fitting: "at my rating" };

const CLOCKS = [0, 10, 20, 30, 60, 120];

/**
 * @param {{ offer: import("./types").DrillsOut | null, wish: import("./sets.js").Wish,
 *   onChange: (wish: import("./sets.js").Wish) => void }} given
 */
export function Wishes({ offer, wish, onChange }) {
  const narrow = useNarrow();
  const set = (changes) => onChange({ ...wish, ...changes });
  const toggle = (name) => set({
    kinds: wish.kinds.includes(name) ? wish.kinds.filter((kind) => kind !== name) : [...wish.kinds, name],
  });
  const kinds = html`<fieldset class="choice"><legend>Questions${wish.kinds.length ? "" : ": all kinds"}</legend>
    <div class="kinds">${(offer?.drills ?? []).map(({ name, title, text }) => html`
      <label key=${name} title=${text}><input type="checkbox"
        checked=${wish.kinds.includes(name)} onChange=${() => toggle(name)} /><span>${title}</span></label>`)}
    </div></fieldset>`;
  const asksOwn = wish.kinds.includes("own");
  const size = wish.set === "number"
    ? html`<${Count} label="Questions per set" value=${wish.size} most=${500} onChange=${(n) => set({ size: n })} />`
    : wish.set === "minutes"
      ? html`<${Count} label="Minutes" value=${wish.minutes} most=${120} onChange=${(n) => set({ minutes: n })} />`
      : null;
  const controls = html`${kinds}
    ${(asksOwn || !wish.kinds.length) && html`<${Own} player=${wish.player} wished=${asksOwn && wish.kinds.length > 1}
      onChange=${(player) => set({ player })} />`}
    <${Choice} label="Set" name="set" value=${wish.set} options=${SETS} onChange=${(name) => set({ set: name })} />
    ${size}
    <${Choice} label="New ones" name="level" value=${wish.level}
      options=${(offer?.levels ?? []).map((level) => [level, LEVELS[level] ?? level])}
      onChange=${(level) => set({ level })} />
    <${Choice} label="Numbers" name="numbers" value=${wish.numbers}
      options=${[["type", "typed"], ["choose", "chosen"]]} onChange=${(numbers) => set({ numbers })} />
    <${Select} label="Time per question" value=${String(wish.seconds)}
      options=${CLOCKS.map((n) => [String(n), n ? `${n} seconds` : "any"])}
      onChange=${(n) => set({ seconds: Number(n) })} />`;
  return narrow
    ? html`<details class="wishes-of"><summary>Choice of questions</summary><div class="wishes">${controls}</div></details>`
    : html`<div class="wishes">${controls}</div>`;
}

/** Parse a whole number of at least 1; any other input is ignored. */
function Count({ label, value, most, onChange }) {
  const changed = (event) => {
    const { value: text } = event.target;
    if (/^[0-9]{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= most) onChange(Number(text));
    else event.target.value = String(value);
  };
  return html`<${Field} label=${label}><input type="text" inputmode="numeric" size="4" autocomplete="off"
    value=${value} onChange=${changed} /></${Field}>`;
}

/**
 * Choice of the player whose mistakes are asked about. If there are no mistakes, advice is
 * shown here only if other kinds are selected too; otherwise it is shown at the end of the
 * set.
 */
function Own({ player, wished, onChange }) {
  const { data, error } = useGet("/training/own", { player });
  if (!data) return html`<${Sentence}>${wished && error}</${Sentence}>`;
  const known = data.players.includes(data.player) || !data.player ? data.players : [data.player, ...data.players];
  return html`${data.players.length > 0 && html`<${Select} label="Mistakes of" value=${data.player}
      options=${[...known.map((name) => [name, name]), ["", "all players"]]} onChange=${onChange}
      hint=${`${data.questions} to ask`} />`}
    <${Sentence}>${wished && data.empty && data.empty[0].toUpperCase() + data.empty.slice(1) + "."}</${Sentence}>`;
}
