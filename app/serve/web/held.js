// The race of the calculator, kept in the address and in storage, with undo and redo.
// @ts-check

import { useLayoutEffect, useRef, useState } from "./vendor/htm-preact.js";
import { START, fromXgid, pastedText, toXgid } from "./race.js";

const KEPT = "bearoff.race";
const TOGETHER = 1000; // Changes within this number of milliseconds are undone by one press of the back button.
const MOST = 500; // Maximum number of changes that can be undone.

// Browsers limit the number of address changes within a few seconds; further changes are
// delayed.
const WRITES = 80;
const WINDOW = 30_000;
const PAUSE = 400;
let written = [];
let later = 0;

// Races that were shown in any view of this tab, as XGIDs, ending with the latest.
let past = [];
let future = [];

/** The race in the address; null if the address has no valid race. */
const inAddress = () => fromXgid(pastedText(location.hash));

/** Return the race that was in the calculator when the user last left it. */
export function keptRace() {
  return fromXgid(localStorage.getItem(KEPT) ?? "") ?? START;
}

/**
 * The race in the address, with functions that change it: { race, set, undo, redo }. `undo`
 * and `redo` are null if there is nothing to undo or redo.
 */
export function useRace(linked) {
  const [race, setRace] = useState(fromXgid(linked ?? "") ?? keptRace());
  const changed = useRef(-Infinity);
  const latest = useRef(race);
  latest.current = race;
  const show = (next, same) => {
    remember(next, same);
    setRace(next);
  };
  const set = (next) => {
    const now = performance.now();
    past = [...past, toXgid(race)].slice(-MOST);
    future = [];
    show(next, now - changed.current < TOGETHER);
    changed.current = now;
  };
  // This runs before the browser handles another event. An address that is opened in the
  // meantime would otherwise be overwritten.
  useLayoutEffect(() => {
    const moved = () => {
      clearTimeout(later);
      const there = inAddress();
      if (!there) return;
      past = [...past, toXgid(latest.current)].slice(-MOST);
      localStorage.setItem(KEPT, toXgid(there));
      setRace(there);
    };
    // The address may have changed since this view began to load.
    const there = inAddress();
    if (there && toXgid(there) !== toXgid(latest.current)) moved();
    else if (there || !linked) remember(race, true);
    addEventListener("popstate", moved);
    return () => removeEventListener("popstate", moved);
  }, []);
  const undo = () => {
    future = [...future, toXgid(race)];
    show(fromXgid(past.pop()), true);
  };
  const redo = () => {
    past = [...past, toXgid(race)];
    show(fromXgid(future.pop()), true);
  };
  return { race, set, undo: past.length ? undo : null, redo: future.length ? redo : null };
}

/**
 * Keys Ctrl+Z, and Ctrl+Y or Ctrl+Shift+Z. They are ignored in fields, which have their own
 * undo.
 */
export function useUndoKeys({ undo, redo }) {
  const latest = useRef(/** @type {{ undo?: () => void, redo?: () => void }} */ ({}));
  latest.current = { undo, redo };
  useLayoutEffect(() => {
    const pressed = (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      if (event.target.closest?.("input:not([type=radio], [type=checkbox]), textarea, dialog")) return;
      const key = event.key.toLowerCase();
      const again = key === "y" || (key === "z" && event.shiftKey);
      if (!again && key !== "z") return;
      event.preventDefault();
      (again ? latest.current.redo : latest.current.undo)?.();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

/**
 * Store a race, and put it in the address. If `same` is true, no entry is added to the
 * browser's history.
 */
function remember(race, same) {
  const xgid = toXgid(race);
  localStorage.setItem(KEPT, xgid);
  clearTimeout(later);
  const now = performance.now();
  written = written.filter((at) => now - at < WINDOW);
  const write = () => {
    written.push(performance.now());
    // Another view may have been opened in the meantime.
    if (/^#?$|^#\/calculator/.test(location.hash)) history[same ? "replaceState" : "pushState"](null, "", `#/calculator/${xgid}`);
  };
  if (written.length < WRITES) write();
  else later = setTimeout(write, PAUSE);
}
