// Pieces of the board as SVG: points, checkers, the cube and dice.
// @ts-check

import { BIG, EDGE, HALF, HEIGHT, MIDDLE, TALL, TRAY, WIDE, barHeights, centre, column, x } from "./geometry.js";
import { html } from "./vendor/htm-preact.js";
import { CHECKERS } from "./race.js";

/** Outline of a point of the board. */
export function triangle(point, left) {
  const from = x(column(point), left) + 8;
  const [base, tip] = point <= 12 ? [HEIGHT - EDGE, HEIGHT - EDGE - 168] : [EDGE, EDGE + 168];
  return `M${from} ${base}h${WIDE}L${from + WIDE / 2} ${tip}z`;
}

/** The checkers on a point. */
export function stack(point, side, now, left) {
  const drawn = Math.min(now, TALL);
  return Array.from({ length: Math.max(drawn, 0) }, (_, i) => {
    const up = BIG / 2 + 1 + i * BIG;
    const cy = point <= 12 ? HEIGHT - EDGE - up : EDGE + up;
    const many = i === TALL - 1 && now > TALL ? now : "";
    return checker(side, centre(point, left), cy, "", many);
  });
}

export function checker(side, cx, cy, more = "", text = "") {
  return html`<g class=${`checker ${side} ${more}`}>
    <circle cx=${cx} cy=${cy} r=${BIG / 2 - 0.9} /><circle class="ring" cx=${cx} cy=${cy} r=${BIG / 2 - 6} />
    ${text && html`<text x=${cx} y=${cy + 6}>${text}</text>`}</g>`;
}

/** The checkers of a side on the bar; a number stands for those that are not drawn. */
export function onBar(side, many) {
  const heights = barHeights(side, many);
  return heights.map((cy, i) => html`<g class=${`checker ${side} onbar`}><circle cx=${MIDDLE} cy=${cy} r="12.5" />${
    i === heights.length - 1 && many > heights.length && html`<text x=${MIDDLE} y=${cy + 5}>${many}</text>`}</g>`);
}

/** The checkers that a side has borne off, in its tray. */
export function borneOff(side, many, tray) {
  const low = side === "roller";
  const each = (HALF - 34) / CHECKERS;
  const y0 = low ? HEIGHT - EDGE - 4 : EDGE + 4;
  return html`<g class=${`checker ${side} off`}>${Array.from({ length: many }, (_, i) =>
    html`<rect x=${tray + 6} y=${low ? y0 - (i + 1) * each : y0 + i * each}
      width=${TRAY - 12} height=${each - 1} rx="2" />`)}
    <text class="name" x=${tray + TRAY / 2} y=${low ? EDGE + HALF + 21 : EDGE + HALF - 11}>${many} off</text>
  </g>`;
}

const HELD_BY = { centred: "in the middle", owned: "yours", opponent: "the opponent's" };

/**
 * The cube, in the middle or on its owner's side. It is a button if a click has an effect.
 */
export function cubeAt(where, value, cx, onClick = undefined) {
  const cy = { centred: HEIGHT / 2, owned: HEIGHT - 40, opponent: 40 }[where];
  const button = onClick && {
    role: "button",
    tabindex: 0,
    "aria-label": `Cube at ${value}, ${HELD_BY[where]}: move it`,
    onClick,
    onKeyDown: (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      onClick();
    },
  };
  return html`<g class="cube" ...${button}><rect x=${cx - 15} y=${cy - 15} width="30" height="30" rx="4" />
    <text x=${cx} y=${cy + 5.5}>${where === "centred" && value === 1 ? 64 : value}</text></g>`;
}

const PIPS = { 1: "5", 2: "19", 3: "159", 4: "1379", 5: "13579", 6: "134679", 7: "1345679" };

export function die(face, left, top) {
  return html`<g class="die"><rect x=${left} y=${top} width="34" height="34" rx="6" />${
    [...PIPS[face]].map((place) => html`<circle r="3.4"
      cx=${left + 8 + 9 * ((place - 1) % 3)} cy=${top + 8 + 9 * Math.floor((place - 1) / 3)} />`)}</g>`;
}
