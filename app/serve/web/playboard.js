// The board of a game: checkers of both sides, the bar, dice and the cube.
// @ts-check

import { html, useEffect, useRef, useState } from "./vendor/htm-preact.js";
import { BAR as BARWIDE, BIG, EDGE, HALF, HEIGHT, MIDDLE, TRAY, WIDE, centre, column, pointAt, x } from "./geometry.js";
import { BAR } from "./moves.js";
import { borneOff, checker, cubeAt, die, onBar, stack, triangle } from "./pieces.js";

const TRAY_AT = 8 + x(12, 0) + 8;
const WIDTH = TRAY_AT + TRAY + 8;
const FAR = 6; // Distance that a pointer must move to start a drag.

export const FLIGHT = 240; // Duration of a checker's move, in milliseconds.

/**
 * `board`: 26 counts from the user's viewpoint. `live`: { sources, targets(from),
 * onMove(from, to), onClick(from), selected } on the user's turn; `dice`: [{ face, used }],
 * the user's if `mine`; `cube`: { value, owner, dead, onClick }; `flying`: a checker that
 * moves, { side, from, to }; `marks`: points of the last move; `mirrored`: home at the
 * left.
 */
export function PlayBoard({ board, live, dice = [], mine, onDice, cube, flying, marks = [], mirrored, label }) {
  const ground = useRef(null);
  const [drag, setDrag] = useState(null);
  const [focus, setFocus] = useState(null);
  const can = new Set(live?.sources ?? []);
  const from = drag?.moving ? drag.from : live?.selected;
  const targets = new Set(from != null ? live.targets(from) : []);
  const lifted = drag?.moving ? drag.from : null;

  const spot = (event) =>
    new DOMPoint(event.clientX, event.clientY).matrixTransform(ground.current.getScreenCTM().inverse());
  const placeAt = ({ x: px, y: py }) => {
    if (px > TRAY_AT - 4) return 0;
    if (Math.abs(px - MIDDLE) <= BARWIDE / 2 + 2) return BAR;
    return pointAt(px, py, 0);
  };
  const down = (event) => {
    if (!live || event.button > 0) return;
    const at = spot(event);
    const place = placeAt(at);
    if (place === null) return;
    if (can.has(place)) ground.current.parentNode.setPointerCapture(event.pointerId);
    setDrag({ from: place, can: can.has(place), x0: at.x, y0: at.y, px: at.x, py: at.y });
  };
  const move = (event) => {
    if (!drag) return;
    const { x: px, y: py } = spot(event);
    const moving = drag.moving || (drag.can && Math.hypot(px - drag.x0, py - drag.y0) > FAR);
    if (moving) setDrag({ ...drag, moving, px, py });
  };
  const up = (event) => {
    if (!drag) return;
    setDrag(null);
    const place = placeAt(spot(event));
    if (!drag.moving) live?.onClick(drag.from);
    else if (place !== null && place !== drag.from) live?.onMove(drag.from, place);
  };
  const typed = (event, place) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = beside(place, event.key);
    if (to !== null) ground.current.querySelector(`[data-point="${to}"]`)?.focus();
    else if (event.key === "Enter" || event.key === " ") live?.onClick(place);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const reached = focus ?? Math.max(0, ...can);
  const control = (place) => (live ? pressed(place) : {
    role: "img", // Screen readers can read the board even while the opponent moves.
    "aria-label": said(board, place, null, false),
  });
  const pressed = (place) => ({
    role: "button",
    tabindex: place === reached ? 0 : -1,
    "aria-label": said(board, place, can.has(place) ? live.targets(place) : null, targets.has(place)),
    onKeyDown: (event) => typed(event, place),
    onFocus: () => setFocus(place),
  });
  const look = (place) =>
    `point ${can.has(place) ? "held" : ""} ${targets.has(place) ? "target" : ""} ${live?.selected === place ? "selected" : ""} ${marks.includes(place) ? "marked" : ""}`;
  const points = (places) => places.map((point) => html`<g key=${point} data-point=${point} class=${look(point)} ...${control(point)}>
      <rect class="reach" x=${x(column(point), 0) + 8} y=${point <= 12 ? EDGE + HALF : EDGE} width=${WIDE} height=${HALF} />
      <path class=${point % 2 ? "odd" : "even"} d=${triangle(point, 0)} />
      <text class="name" x=${centre(point, 0)} y=${point <= 12 ? HEIGHT - 7 : 15}>${point}</text>
      ${board[point] !== 0 && stack(point, board[point] > 0 ? "roller" : "opponent", Math.abs(board[point]) - Number(lifted === point), 0)}
      ${targets.has(point) && html`<circle class="here" cx=${centre(point, 0)} cy=${heightOf(point, board[point])} r="7" />`}
    </g>`);
  const off = (side) =>
    15 - Number(flying?.side === side) - board.reduce((sum, count) => sum + Math.max(0, side === "roller" ? count : -count), 0);
  const owner = cube && { null: "centred", 0: "owned", 1: "opponent" }[cube.owner];
  const side = mine ? 8 : 2;
  return html`<svg class=${`board atplay ${live ? "live" : ""} ${mirrored ? "mirrored" : ""}`} viewBox="0 0 ${WIDTH} ${HEIGHT}"
      role="group" aria-label=${label} onPointerDown=${down} onPointerMove=${move} onPointerUp=${up}
      onPointerCancel=${() => setDrag(null)}>
    <g ref=${ground} transform=${mirrored ? `matrix(-1 0 0 1 ${WIDTH} 0)` : undefined}>
      <rect class="frame" width=${WIDTH} height=${HEIGHT} rx="7" />
      ${[0, 6].map((col) => html`<rect class="felt" x=${8 + x(col, 0)} y=${EDGE} width=${6 * WIDE} height=${2 * HALF} />`)}
      <rect class="well" x=${TRAY_AT} y=${EDGE} width=${TRAY} height=${HALF - 4} />
      <g data-point="0" class=${look(0)} ...${control(0)}>
        <rect class="well" x=${TRAY_AT} y=${EDGE + HALF + 4} width=${TRAY} height=${HALF - 4} />
        <rect class="reach" x=${TRAY_AT} y=${EDGE + HALF + 4} width=${TRAY} height=${HALF - 4} /></g>
      <g role="group" aria-label="Points 13 to 24">${points(range(13, 24))}</g>
      <g role="group" aria-label="Points 12 to 1">${points(range(1, 12).reverse())}</g>
      <g data-point=${BAR} class=${look(BAR)} ...${control(BAR)}>
        <rect class="reach" x=${MIDDLE - BARWIDE / 2} y=${EDGE + HALF + 30} width=${BARWIDE} height=${HALF - 80} />
        ${onBar("roller", board[BAR] - Number(lifted === BAR))}</g>
      ${onBar("opponent", -board[0])}
      ${["opponent", "roller"].map((name) => borneOff(name, off(name), TRAY_AT))}
      ${cube && html`<g class=${`${cube.onClick ? "offer" : ""} ${cube.dead ? "dead" : ""}`} ...${cube.onClick && asButton("Double", cube.onClick)}>${cubeAt(owner, cube.value, MIDDLE)}</g>`}
      <g class=${`dice ${mine ? "mine" : "theirs"}`} ...${onDice && asButton("Swap the dice", onDice)}>
        ${dice.length > 0 && html`<rect class="reach" x=${x(side, 0) + 4} y=${HEIGHT / 2 - 21} width=${42 * dice.length} height="42" />`}
        ${dice.map(({ face, used }, i) =>
        html`<g key=${`${face} ${i}`} class=${used ? "used" : ""}>${die(face, x(side, 0) + 8 + i * 42 - 20 * Number(dice.length > 2), HEIGHT / 2 - 17)}</g>`)}</g>
      ${flying && html`<${Flying} key=${flying.key} ...${flying} board=${board} />`}
      ${drag?.moving && checker("roller", drag.px, drag.py, "dragged")}
    </g>
  </svg>`;
}

/** A moving checker; it is no longer drawn on the point that it left. */
function Flying({ side, from, to, board }) {
  const moved = useRef(null);
  const [x0, y0] = placeOf(side, from, board);
  const [x1, y1] = placeOf(side, to, board);
  useEffect(() => {
    moved.current.animate(
      [{ transform: `translate(${x0 - x1}px, ${y0 - y1}px)` }, { transform: "none" }],
      { duration: FLIGHT, easing: "ease-in-out", fill: "both" },
    );
  }, []);
  return html`<g ref=${moved}>${checker(side, x1, y1, "dragged")}</g>`;
}

/**
 * Location of the top checker of a side on a point, on the bar or off the board; points are
 * numbered for the user.
 */
function placeOf(side, point, board) {
  const mine = side === "roller";
  if (point === (mine ? 0 : BAR)) return [TRAY_AT + TRAY / 2, mine ? HEIGHT - EDGE - 40 : EDGE + 40];
  if (point === (mine ? BAR : 0)) return [MIDDLE, mine ? EDGE + HALF + 60 : EDGE + HALF - 60];
  return [centre(point, 0), heightOf(point, board[point])];
}

function heightOf(point, now) {
  const up = BIG / 2 + 1 + Math.min(Math.abs(now), 4) * BIG;
  return point <= 12 ? HEIGHT - EDGE - up : EDGE + up;
}

const range = (low, high) => Array.from({ length: high - low + 1 }, (_, i) => low + i);

const asButton = (label, act) => ({
  role: "button",
  tabindex: 0,
  "aria-label": label,
  onPointerDown: (event) => event.stopPropagation(),
  onClick: act,
  onKeyDown: (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  },
});

/** Point that an arrow key selects: the next one in the row, or the one opposite. */
function beside(place, key) {
  const row = place === BAR ? 18 : place || 1;
  const along = { ArrowLeft: row <= 12 ? 1 : -1, ArrowRight: row <= 12 ? -1 : 1 }[key];
  if (along && place === 0) return key === "ArrowLeft" ? 1 : null;
  if (along) return Math.max(0, Math.min(BAR, place + along));
  if (key === "ArrowUp" || key === "ArrowDown") return 25 - row;
  return null;
}

function said(board, place, targets, isTarget) {
  const name = { 0: "Off", [BAR]: "The bar" }[place] ?? `Point ${place}`;
  const now = place === 0 ? "" : board[place] ? `, ${Math.abs(board[place])} ${board[place] > 0 ? "of yours" : "of the opponent's"}` : ", empty";
  const to = targets && [...targets].map((point) => point || "off").join(", ");
  return `${name}${now}${to ? `, can move to ${to}` : ""}${isTarget ? ", can be moved to" : ""}`;
}
