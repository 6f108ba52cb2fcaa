// The race that is looked at: in the address, in storage, and what was changed, to take back.
// @ts-check

import { useEffect, useLayoutEffect, useRef, useState } from "./vendor/htm-preact.js";
import { START, fromXgid, toXgid } from "./race.js";

const KEPT = "bearoff.race";
const TOGETHER = 1000; // Milliseconds within which changes are one step of the back button.
const MOST = 500; // Changes that can be taken back.

// A browser takes only so many changes of the address in some seconds; the rest waits.
const WRITES = 80;
const WINDOW = 30_000;
const PAUSE = 400;
let written = [];
let later = 0;

// Of this tab, whatever view is looked at: XGIDs, the latest last.
let past = [];
let future = [];

/** The race of the calculator as it was left. */
export function keptRace() {
  return fromXgid(localStorage.getItem(KEPT) ?? "") ?? START;
}

/**
 * The race that the address holds, and what changes both: { race, set, undo, redo }; undo
 * and redo are null where there is nothing to take back or to make again.
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
  useEffect(() => {
    if (!linked || fromXgid(linked)) remember(race, true);
    const moved = () => {
      const there = fromXgid(decodeURIComponent(location.hash.split("/")[2] ?? ""));
      if (!there) return;
      past = [...past, toXgid(latest.current)].slice(-MOST);
      localStorage.setItem(KEPT, toXgid(there));
      setRace(there);
    };
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

/** Ctrl+Z and Ctrl+Y or Ctrl+Shift+Z, but for fields, which have their own. */
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

/** Keep a race, and have the address hold it; `same` replaces the one of before. */
function remember(race, same) {
  const xgid = toXgid(race);
  localStorage.setItem(KEPT, xgid);
  clearTimeout(later);
  const now = performance.now();
  written = written.filter((at) => now - at < WINDOW);
  const write = () => {
    written.push(performance.now());
    // Another view may have been opened meanwhile.
    if (/^#?$|^#\/calculator/.test(location.hash)) history[same ? "replaceState" : "pushState"](null, "", `#/calculator/${xgid}`);
  };
  if (written.length < WRITES) write();
  else later = setTimeout(write, PAUSE);
}
