// Shortcuts of a single key. Each key can be changed, and all shortcuts can be switched
// off.
// @ts-check

import { useLayoutEffect, useRef, useState } from "./vendor/htm-preact.js";

const KEPT = "bearoff.keys";

/** Name of each action, its default key, and its description. */
export const KEYS = [
  ["help", "?", "this help"],
  ["theme", "t", "light or dark"],
  ["go", "g", "then 1 to 6: open a tab"],
  ["next", "j", "review: the next decision"],
  ["previous", "k", "review: the previous decision"],
  ["roll", "r", "play: roll, or confirm your moves"],
  ["back", "u", "play: undo a move, or take back a decision; trainer: undo the last answer"],
  ["double", "d", "play: double"],
  ["hint", "h", "play and trainer: a hint"],
  ["skip", "s", "trainer: skip the question"],
  ["knew", "w", "trainer: count a mistyped answer as correct"],
  ["other", "x", "board: the other side's checkers on an empty point"],
];

const FIRST = Object.fromEntries(KEYS.map(([name, key]) => [name, key]));
const heard = new Set();
let settings = kept();

/** { on, keys }: whether shortcuts are active, and the key of each action by name. */
export function useSettings() {
  const [, show] = useState(settings);
  useLayoutEffect(() => {
    heard.add(show);
    return () => heard.delete(show);
  }, []);
  return settings;
}

export function keyOf(name) {
  return settings.keys[name];
}

export function areOn() {
  return settings.on;
}

export function switchKeys(on) {
  set({ ...settings, on });
}

/** Restore all default keys. */
export function resetKeys() {
  set({ on: true, keys: FIRST });
}

/** Assign another key to an action; return an error message, or null. */
export function changeKey(name, key) {
  if ([...key].length !== 1 || key === " ") return "A key is a single character, not a space.";
  if (/\d/.test(key)) return "Digits cannot be chosen, because they answer questions and set checkers.";
  const taken = KEYS.find(([other]) => other !== name && settings.keys[other] === key);
  if (taken) return `${key} is taken: ${taken[2]}.`;
  set({ ...settings, keys: { ...settings.keys, [name]: key } });
  return null;
}

/**
 * Call the function in `actions` for a pressed key, unless the user types or shortcuts are
 * off.
 */
export function useKeys(actions) {
  usePressed((event) => {
    const name = Object.keys(actions).find((action) => keyOf(action) === event.key);
    if (!name) return;
    event.preventDefault();
    actions[name]();
  });
}

/** Call `act` with each single key pressed, unless the user types or shortcuts are off. */
export function usePressed(act) {
  const latest = useRef(act);
  latest.current = act;
  // Registered before the screen is painted. A key that is pressed when a question appears
  // then answers this question.
  useLayoutEffect(() => {
    const pressed = (event) => {
      const field = "input:not([type=checkbox], [type=radio]), select, textarea, dialog[open]";
      if (!settings.on || event.target.closest?.(field)) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      latest.current(event);
    };
    addEventListener("keydown", pressed, true);
    return () => removeEventListener("keydown", pressed, true);
  }, []);
}

function set(next) {
  settings = next;
  localStorage.setItem(KEPT, JSON.stringify(settings));
  heard.forEach((show) => show(settings));
}

function kept() {
  try {
    const { on = true, keys } = JSON.parse(localStorage.getItem(KEPT));
    return { on, keys: { ...FIRST, ...keys } };
  } catch {
    return { on: true, keys: FIRST };
  }
}
