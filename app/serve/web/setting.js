// Setting up checkers by click, drag and key, with a message if something is not possible.
// @ts-check

import { useRef, useState } from "./vendor/htm-preact.js";
import { HEIGHT, MY_BAR, along, barOf, clicked, count, isBar, other, own, pointAt, said } from "./geometry.js";
import { keyOf } from "./keys.js";
import { CHECKERS, off } from "./race.js";

const DRAG = 6; // Distance in pixels that a pointer must move to start a drag.
const TOGETHER = 1000; // Milliseconds within which the keys 1 and 2 are read as 12.

/**
 * Event handlers of a board that can be set: { drag, sideOn, pointer, typed }. `held`
 * contains both sides' checkers, `left` is the first visible column, `tray` the x coordinate
 * of the trays; `onChange(held)` is called with new checkers, `onSay(sentence)` with a
 * message.
 */
export function useSetting({ svg, held, left, tray, onChange, onSay = /** @type {(sentence: string) => void} */ (() => {}) }) {
  const [swapped, setSwapped] = useState(null); // Empty point on which the next checkers are those of the other side.
  const sideOn = (point) => {
    if (isBar(point)) return point === MY_BAR ? "roller" : "opponent";
    if (count(held, "roller", point)) return "roller";
    if (count(held, "opponent", point)) return "opponent";
    const side = point <= 12 ? "roller" : "opponent";
    return swapped === point ? other(side) : side;
  };
  const set = (changes) => {
    const next = { roller: [...held.roller], opponent: [...held.opponent] };
    let short = null; // Side that has no checkers left to place.
    for (const [side, point, value] of changes) {
      const spare = off(next[side]) + next[side][own(side, point)];
      if (value > spare) short = side;
      next[side][own(side, point)] = Math.max(0, Math.min(value, spare));
    }
    onChange(next);
    if (short) onSay(`All ${CHECKERS} checkers ${whose(short)} are on the board.`);
  };
  const setCount = (point, value) => set([[sideOn(point), point, value]]);
  const digit = useRef({ point: 0, at: 0, number: 0 }); // Last digit that was typed.
  const numbered = (point, number) => {
    const { point: before, at, number: first } = digit.current;
    const both = before === point && performance.now() - at < TOGETHER ? 10 * first + number : number;
    const many = both <= CHECKERS ? both : number;
    digit.current = { point, at: performance.now(), number: many };
    return many;
  };
  const { drag, ...pointer } = usePointer({ svg, held, left, tray, sideOn, set, onSay, onChange });
  const typed = (event, point) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const now = count(held, sideOn(point), point);
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -12, End: 12 }[event.key];
    const more = { ArrowUp: 1, "+": 1, "=": 1, ArrowDown: -1, "-": -1 }[event.key];
    if (step) svg.current.querySelector(`[data-point="${along(point, step, left)}"]`).focus();
    else if (more) setCount(point, now + more);
    else if (event.key >= "0" && event.key <= "9") setCount(point, numbered(point, Number(event.key)));
    else if (event.key === "Delete" || event.key === "Backspace") setCount(point, 0);
    else if (event.key === keyOf("other") && !now) setSwapped(swapped === point ? null : point);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { drag, sideOn, pointer, typed };
}

/** Pointer events: clicks, drags, and clicks with the secondary button. */
function usePointer({ svg, held, left, tray, sideOn, set, onSay, onChange }) {
  const [drag, paint] = useState(null);
  const dragged = useRef(null); // Current state of the drag; the rendered state may be older.
  const setDrag = (now) => {
    dragged.current = now;
    paint(now);
  };
  const spot = (event) => {
    const at = new DOMPoint(event.clientX, event.clientY);
    return at.matrixTransform(svg.current.getScreenCTM().inverse());
  };
  const onPointerDown = (event) => {
    // The cube is drawn on the bar and handles its own clicks.
    if (!onChange || event.button > 0 || event.target.closest("[role='button']")) return;
    const { x: px, y: py } = spot(event);
    const point = pointAt(px, py, left);
    const side = point ? sideOn(point) : py < HEIGHT / 2 ? "opponent" : "roller";
    const full = point ? count(held, side, point) : px > tray - 4 && off(held[side]);
    if (full) svg.current.setPointerCapture(event.pointerId);
    setDrag({ point, side, full, x0: event.clientX, y0: event.clientY, px, py });
  };
  const onPointerMove = (event) => {
    const drag = dragged.current;
    if (!drag) return;
    const far = Math.hypot(event.clientX - drag.x0, event.clientY - drag.y0) > DRAG;
    if (!drag.moving && !(far && drag.full)) return;
    const { x: px, y: py } = spot(event);
    if (!drag.moving) onSay(`A checker ${whose(drag.side)} is lifted from ${place(drag.side, drag.point)}.`);
    setDrag({ ...drag, moving: true, px, py });
  };
  const onPointerUp = (event) => {
    const drag = dragged.current;
    if (!drag) return;
    setDrag(null);
    const { x: px, y: py } = spot(event);
    const { point, side, moving } = drag;
    const reached = pointAt(px, py, left);
    // A checker dragged to the bar is put on its own side's half of the bar.
    const target = moving && reached && isBar(reached) ? barOf(side) : reached;
    const now = point && count(held, side, point);
    if (!moving) {
      if (point && point === target) set([[side, point, clicked(py, now, isBar(point))]]);
      return;
    }
    const there = target ? count(held, other(side), target) : 0;
    if (there || target === point) {
      onSay(there ? `${said(there, other(side))} on that point: both sides cannot share a point.` : "The checker is put back.");
      return;
    }
    set([
      ...(point ? [[side, point, now - 1]] : []),
      ...(target ? [[side, target, count(held, side, target) + 1]] : []),
    ]);
    onSay(`The checker is put ${target ? "on" : "into"} ${place(side, target)}.`);
  };
  const onContextMenu = (event) => {
    if (!onChange) return;
    event.preventDefault();
    const { x: px, y: py } = spot(event);
    const point = pointAt(px, py, left);
    if (!point) return;
    const side = sideOn(point);
    const now = count(held, side, point);
    if (now) set([[side, point, now - 1]]);
    else set([[isBar(point) ? side : other(side), point, clicked(py, 0, isBar(point))]]);
  };
  return { drag, onPointerDown, onPointerMove, onPointerUp, onContextMenu, onPointerCancel: () => setDrag(null) };
}

const whose = (side) => (side === "roller" ? "of yours" : "of the opponent's");

function place(side, point) {
  if (!point) return side === "roller" ? "your tray" : "the opponent's tray";
  return `${side === "roller" ? "your" : "the opponent's"} ${isBar(point) ? "bar" : `${own(side, point) + 1} point`}`;
}
