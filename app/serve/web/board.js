// The board: both sides' checkers, drawn as SVG; set by click, drag and keyboard.

import { html, useRef, useState } from "./vendor/htm-preact.js";
import { keyOf } from "./keys.js";
import { CHECKERS, POINTS, off, onPoints } from "./race.js";

const WIDE = 40; // A point.
const BIG = 36; // A checker.
const TALL = 5; // Checkers that are drawn on a point; more are said by a number.
const EDGE = 22;
const HALF = TALL * BIG + 16;
const HEIGHT = 2 * EDGE + 2 * HALF;
const BAR = 26;
const TRAY = 52;
const DRAG = 6; // Pixels a pointer moves before it drags.

/**
 * Both sides of a race; the roller bears off at the lower right.
 *
 * `roller`, `opponent`: counts, ace first, each on the side's own points. With
 * `onChange({ roller, opponent })` checkers can be set; without it the board is a picture
 * that is described by `label`. `home`: only the six home points of both. `cube`
 * ("centred", "owned", "opponent"), `cubeValue` and `dice` are drawn if given.
 */
export function Board({ roller, opponent, onChange, label, home, cube, cubeValue, dice }) {
  const svg = useRef(null);
  const [drag, paint] = useState(null);
  const dragged = useRef(null); // As it is now; what is painted comes later.
  const [focus, setFocus] = useState({ low: 6, high: 19 });
  const [swapped, setSwapped] = useState(null); // An empty point that takes the other side.
  const held = { roller: onPoints(roller), opponent: onPoints(opponent) };
  const left = home ? 6 : 0;
  const width = 8 + x(12, left) + 8 + TRAY + 8;
  const felts = home ? [6] : [0, 6];
  const tray = 8 + x(12, left) + 8;

  const sideOn = (point) => {
    if (count(held, "roller", point)) return "roller";
    if (count(held, "opponent", point)) return "opponent";
    const own = point <= 12 ? "roller" : "opponent";
    return swapped === point ? other(own) : own;
  };
  const set = (changes) => {
    const next = { roller: [...held.roller], opponent: [...held.opponent] };
    for (const [side, point, value] of changes) {
      const spare = off(next[side]) + next[side][own(side, point)];
      next[side][own(side, point)] = Math.max(0, Math.min(value, spare));
    }
    onChange(next);
  };
  const setCount = (point, value) => set([[sideOn(point), point, value]]);

  const setDrag = (now) => {
    dragged.current = now;
    paint(now);
  };
  const spot = (event) => {
    const at = new DOMPoint(event.clientX, event.clientY);
    return at.matrixTransform(svg.current.getScreenCTM().inverse());
  };
  const down = (event) => {
    if (!onChange || event.button > 0) return;
    const { x: px, y: py } = spot(event);
    const point = pointAt(px, py, left);
    const side = point ? sideOn(point) : py < HEIGHT / 2 ? "opponent" : "roller";
    const full = point ? count(held, side, point) : px > tray - 4 && off(held[side]);
    if (full) svg.current.setPointerCapture(event.pointerId);
    setDrag({ point, side, full, x0: event.clientX, y0: event.clientY, px, py });
  };
  const move = (event) => {
    const drag = dragged.current;
    if (!drag) return;
    const far = Math.hypot(event.clientX - drag.x0, event.clientY - drag.y0) > DRAG;
    if (!drag.moving && !(far && drag.full)) return;
    const { x: px, y: py } = spot(event);
    setDrag({ ...drag, moving: true, px, py });
  };
  const up = (event) => {
    const drag = dragged.current;
    if (!drag) return;
    setDrag(null);
    const { x: px, y: py } = spot(event);
    const target = pointAt(px, py, left);
    const { point, side, moving } = drag;
    if (!moving) {
      if (point && point === target) setCount(point, clicked(py, count(held, side, point)));
      return;
    }
    if (target === point) return;
    const there = target && count(held, other(side), target);
    if (there) return; // Two sides cannot share a point.
    set([
      ...(point ? [[side, point, count(held, side, point) - 1]] : []),
      ...(target ? [[side, target, count(held, side, target) + 1]] : []),
    ]);
  };
  const turned = (event) => {
    if (!onChange) return;
    event.preventDefault();
    const { x: px, y: py } = spot(event);
    const point = pointAt(px, py, left);
    if (!point) return;
    const side = sideOn(point);
    const now = count(held, side, point);
    if (now) set([[side, point, now - 1]]);
    else set([[other(side), point, clicked(py, 0)]]);
  };

  const typed = (event, point) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const now = count(held, sideOn(point), point);
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -12, End: 12 }[event.key];
    const more = { ArrowUp: 1, "+": 1, "=": 1, ArrowDown: -1, "-": -1 }[event.key];
    if (step) {
      const to = along(point, step, left);
      svg.current.querySelector(`[data-point="${to}"]`).focus();
    } else if (more) setCount(point, now + more);
    else if (event.key >= "0" && event.key <= "9") setCount(point, Number(event.key));
    else if (event.key === "Delete" || event.key === "Backspace") setCount(point, 0);
    else if (event.key === keyOf("other") && !now) setSwapped(swapped === point ? null : point);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const focused = (point) => setFocus({ ...focus, [point <= 12 ? "low" : "high"]: point });

  const reached = (point, row) => {
    const first = home && (point <= 12 ? focus.low > 6 : focus.high < 19);
    return first ? point === (row === "low" ? 6 : 19) : focus[row] === point;
  };
  const pointOf = (point) => {
    const row = point <= 12 ? "low" : "high";
    const side = sideOn(point);
    const now = count(held, side, point);
    const lifted = drag?.moving && drag.point === point ? 1 : 0;
    const spin = onChange && {
      role: "spinbutton",
      tabindex: reached(point, row) ? 0 : -1,
      "aria-label": row === "low" ? `Your ${point} point` : `Opponent's ${25 - point} point`,
      "aria-valuenow": now,
      "aria-valuemin": 0,
      "aria-valuemax": CHECKERS,
      "aria-valuetext": said(now, side),
      onKeyDown: (event) => typed(event, point),
      onFocus: () => focused(point),
    };
    return html`<g key=${point} data-point=${point} class=${`point ${now ? "held" : ""}`} ...${spin}>
      <rect class="reach" x=${x(column(point), left) + 8} y=${row === "low" ? EDGE + HALF : EDGE}
        width=${WIDE} height=${HALF} />
      <path class=${point % 2 ? "odd" : "even"} d=${triangle(point, left)} />
      <text class="name" x=${centre(point, left)} y=${row === "low" ? HEIGHT - 7 : 15}>${
        row === "low" ? point : 25 - point}</text>
      ${stack(point, side, now - lifted, left)}
    </g>`;
  };

  const row = (points, name) =>
    html`<g role=${onChange && "group"} aria-label=${onChange && name}>${points.map(pointOf)}</g>`;
  const [low, high] = rows(left);
  return html`<svg ref=${svg} class=${`board ${onChange ? "live" : ""} ${home ? "home" : ""}`}
      viewBox="0 0 ${width} ${HEIGHT}" role=${onChange ? "group" : "img"}
      aria-label=${label ?? (onChange ? "Board" : described(held))}
      onPointerDown=${down} onPointerMove=${move} onPointerUp=${up}
      onPointerCancel=${() => setDrag(null)} onContextMenu=${turned}>
    <rect class="frame" width=${width} height=${HEIGHT} rx="7" />
    ${felts.map((col) => html`<rect class="felt" x=${8 + x(col, left)} y=${EDGE}
      width=${6 * WIDE} height=${2 * HALF} />`)}
    <rect class="well" x=${tray} y=${EDGE} width=${TRAY} height=${HALF - 4} />
    <rect class="well" x=${tray} y=${EDGE + HALF + 4} width=${TRAY} height=${HALF - 4} />
    ${row(high, "The opponent's side")}
    ${row(low, "Your side")}
    ${["opponent", "roller"].map((side) => borneOff(side, off(held[side]), tray))}
    ${cube && cubeAt(cube, cubeValue, 8 + x(6, left) - BAR / 2)}
    ${dice && dice.map((face, i) => die(face, x(8, left) + 8 + i * 44, HEIGHT / 2 - 17))}
    ${drag?.moving && checker(drag.side, drag.px, drag.py, "dragged")}
  </svg>`;
}

/** A side in words, for those who do not see the board. */
function described(held) {
  const side = (name, counts) => {
    const on = counts.flatMap((n, i) => (n ? [`${n} on the ${i + 1} point`] : []));
    return `${name}: ${[...on, `${off(counts)} off`].join(", ")}`;
  };
  return `${side("You", held.roller)}. ${side("Opponent", held.opponent)}.`;
}

const other = (side) => (side === "roller" ? "opponent" : "roller");
const own = (side, point) => (side === "roller" ? point - 1 : POINTS - point);
const count = (held, side, point) => held[side][own(side, point)];
const said = (now, side) =>
  now ? `${now} ${side === "roller" ? "of yours" : "of the opponent's"}` : "empty";

/** Columns count from the left, 0 to 11; those of the right half stand beyond the bar. */
const column = (point) => (point <= 12 ? 12 - point : point - 13);
const x = (col, left) => (col - left) * WIDE + (col >= 6 ? BAR : 0);
const centre = (point, left) => x(column(point), left) + 8 + WIDE / 2;

function rows(left) {
  const most = left ? 6 : 12;
  const low = Array.from({ length: most }, (_, i) => most - i);
  return [low, low.map((point) => 25 - point)];
}

function along(point, step, left) {
  const points = rows(left)[point <= 12 ? 0 : 1];
  const to = points.indexOf(point) + step;
  return points[Math.min(points.length - 1, Math.max(0, to))];
}

function pointAt(px, py, left) {
  if (py < 0 || py > HEIGHT) return null;
  const col = Array.from({ length: 12 - left }, (_, i) => i + left).find(
    (c) => px >= x(c, left) + 8 && px < x(c, left) + 8 + WIDE,
  );
  if (col === undefined) return null;
  return py < HEIGHT / 2 ? 13 + col : 12 - col;
}

/** The count after a click at a height: up to there, one less on the last, one more above. */
function clicked(py, now) {
  const depth = py < HEIGHT / 2 ? py - EDGE : HEIGHT - EDGE - py;
  const slot = Math.max(0, Math.floor(depth / BIG)) + 1;
  if (slot > TALL || (slot === TALL && now >= TALL)) return now + 1;
  return slot === now ? now - 1 : slot;
}

function triangle(point, left) {
  const from = x(column(point), left) + 8;
  const [base, tip] = point <= 12 ? [HEIGHT - EDGE, HEIGHT - EDGE - 168] : [EDGE, EDGE + 168];
  return `M${from} ${base}h${WIDE}L${from + WIDE / 2} ${tip}z`;
}

function stack(point, side, now, left) {
  const drawn = Math.min(now, TALL);
  return Array.from({ length: Math.max(drawn, 0) }, (_, i) => {
    const up = BIG / 2 + 1 + i * BIG;
    const cy = point <= 12 ? HEIGHT - EDGE - up : EDGE + up;
    const many = i === TALL - 1 && now > TALL ? now : "";
    return checker(side, centre(point, left), cy, "", many);
  });
}

function checker(side, cx, cy, more = "", text = "") {
  return html`<g class=${`checker ${side} ${more}`}>
    <circle cx=${cx} cy=${cy} r=${BIG / 2 - 0.9} /><circle class="ring" cx=${cx} cy=${cy} r=${BIG / 2 - 6} />
    ${text && html`<text x=${cx} y=${cy + 6}>${text}</text>`}</g>`;
}

function borneOff(side, many, tray) {
  const low = side === "roller";
  const each = (HALF - 34) / CHECKERS;
  const y0 = low ? HEIGHT - EDGE - 4 : EDGE + 4;
  return html`<g class=${`checker ${side} off`}>${Array.from({ length: many }, (_, i) =>
    html`<rect x=${tray + 6} y=${low ? y0 - (i + 1) * each : y0 + i * each}
      width=${TRAY - 12} height=${each - 1} rx="2" />`)}
    <text class="name" x=${tray + TRAY / 2} y=${low ? EDGE + HALF + 21 : EDGE + HALF - 11}>${many} off</text>
  </g>`;
}

function cubeAt(where, value, cx) {
  const cy = { centred: HEIGHT / 2, owned: HEIGHT - 40, opponent: 40 }[where];
  return html`<g class="cube"><rect x=${cx - 15} y=${cy - 15} width="30" height="30" rx="4" />
    <text x=${cx} y=${cy + 5.5}>${where === "centred" && value === 1 ? 64 : value}</text></g>`;
}

const PIPS = { 1: "5", 2: "19", 3: "159", 4: "1379", 5: "13579", 6: "134679" };

function die(face, left, top) {
  return html`<g class="die"><rect x=${left} y=${top} width="34" height="34" rx="6" />${
    [...PIPS[face]].map((place) => html`<circle r="3.4"
      cx=${left + 8 + 9 * ((place - 1) % 3)} cy=${top + 8 + 9 * Math.floor((place - 1) / 3)} />`)}</g>`;
}
