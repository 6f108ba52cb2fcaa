// The board with both sides' checkers as SVG. Checkers can be set by click, drag and
// keyboard.
// @ts-check

import { html, useRef, useState } from "./vendor/htm-preact.js";
import { BAR, EDGE, HALF, HEIGHT, MIDDLE, MY_BAR, THEIR_BAR, TRAY, WIDE, centre, column, count, rows, said, x } from "./geometry.js";
import { borneOff, checker, cubeAt, die, onBar, stack, triangle } from "./pieces.js";
import { CHECKERS, POINTS, isHome, off, onPoints } from "./race.js";
import { useSetting } from "./setting.js";
import { useNarrow } from "./ui.js";

/**
 * Both sides on one board; the roller bears off at the lower right.
 *
 * `roller`, `opponent`: counts, ace first, each on the side's own points, then the bar.
 * With `onChange({ roller, opponent })` checkers can be set, and `onSay` gets messages on
 * what was done or is not possible; without `onChange`, the board is a picture with the
 * description `label`. `home`: show only the six home points of both sides, larger on a
 * phone. `cube` ("centred", "owned", "opponent"), `cubeValue` and `dice` are drawn if
 * given; `onCube` is called when the cube is clicked.
 */
export function Board({ roller, opponent, onChange, onSay, onCube, label, home: asked, cube, cubeValue, dice }) {
  const narrow = useNarrow();
  const home = asked ?? (narrow && isHome({ roller, opponent }));
  const svg = useRef(null);
  const [focus, setFocus] = useState({ low: 6, high: 19 });
  const held = { roller: onPoints(roller), opponent: onPoints(opponent) };
  const left = home ? 6 : 0;
  const tray = 8 + x(12, left) + 8;
  const width = tray + TRAY + 8;
  const { drag, sideOn, pointer, typed } = useSetting({ svg, held, left, tray, onChange, onSay });

  const reached = (point, row) => {
    const first = home && (point <= 12 ? focus.low > 6 : focus.high < 19);
    return first ? point === (row === "low" ? 6 : 19) : focus[row] === point;
  };
  const spinOf = (point, side, more) => onChange && {
    role: "spinbutton",
    "aria-valuenow": count(held, side, point),
    "aria-valuemin": 0,
    "aria-valuemax": CHECKERS,
    "aria-valuetext": said(count(held, side, point), side),
    onKeyDown: (event) => typed(event, point),
    ...more,
  };
  const barOf = (point, side, label) => {
    const now = count(held, side, point);
    const lifted = drag?.moving && drag.point === point ? 1 : 0;
    return html`<g data-point=${point} class=${`point ${now ? "held" : ""}`} ...${spinOf(point, side, { tabindex: 0, "aria-label": label })}>
      <rect class="reach" x=${MIDDLE - BAR / 2} y=${side === "roller" ? EDGE + HALF + 30 : EDGE + 50} width=${BAR} height=${HALF - 80} />
      ${onBar(side, now - lifted)}</g>`;
  };
  const pointOf = (point) => {
    const row = point <= 12 ? "low" : "high";
    const side = sideOn(point);
    const now = count(held, side, point);
    const spin = spinOf(point, side, {
      tabindex: reached(point, row) ? 0 : -1,
      "aria-label": row === "low" ? `Your ${point} point` : `Opponent's ${25 - point} point`,
      onFocus: () => setFocus({ ...focus, [row]: point }),
    });
    const lifted = drag?.moving && drag.point === point ? 1 : 0;
    return html`<${Point} key=${point} point=${point} side=${side} now=${now} lifted=${lifted} left=${left} spin=${spin} />`;
  };
  const row = (points, name) =>
    html`<g role=${onChange && "group"} aria-label=${onChange && name}>${points.map(pointOf)}</g>`;
  const [low, high] = rows(left);
  return html`<svg ref=${svg} class=${`board ${onChange ? "live" : ""} ${home ? "home" : ""}`}
      viewBox="0 0 ${width} ${HEIGHT}" role=${onChange ? "group" : "img"}
      aria-label=${label ?? (onChange ? "Board" : described(held))} ...${pointer}>
    <${Ground} left=${left} tray=${tray} width=${width} />
    ${row(high, "The opponent's side")}
    ${row(low, "Your side")}
    ${!home && barOf(THEIR_BAR, "opponent", "The opponent's bar")}
    ${!home && barOf(MY_BAR, "roller", "Your bar")}
    ${["opponent", "roller"].map((side) => borneOff(side, off(held[side]), tray))}
    ${cube && cubeAt(cube, cubeValue, 8 + x(6, left) - BAR / 2, onCube)}
    ${dice && dice.map((face, i) => die(face, x(8, left) + 8 + i * 44, HEIGHT / 2 - 17))}
    ${drag?.moving && checker(drag.side, drag.px, drag.py, "dragged")}
  </svg>`;
}

/** The frame, the playing surface of both halves, and the trays. */
function Ground({ left, tray, width }) {
  const halves = left ? [6] : [0, 6];
  return html`<rect class="frame" width=${width} height=${HEIGHT} rx="7" />
    ${halves.map((col) => html`<rect class="felt" x=${8 + x(col, left)} y=${EDGE}
      width=${6 * WIDE} height=${2 * HALF} />`)}
    <rect class="well" x=${tray} y=${EDGE} width=${TRAY} height=${HALF - 4} />
    <rect class="well" x=${tray} y=${EDGE + HALF + 4} width=${TRAY} height=${HALF - 4} />`;
}

/** A point with its checkers; `spin` has the attributes that make the point a control. */
function Point({ point, side, now, lifted, left, spin }) {
  const low = point <= 12;
  return html`<g data-point=${point} class=${`point ${now ? "held" : ""}`} ...${spin}>
    <rect class="reach" x=${x(column(point), left) + 8} y=${low ? EDGE + HALF : EDGE}
      width=${WIDE} height=${HALF} />
    <path class=${point % 2 ? "odd" : "even"} d=${triangle(point, left)} />
    <text class="name" x=${centre(point, left)} y=${low ? HEIGHT - 7 : 15}>${low ? point : 25 - point}</text>
    ${stack(point, side, now - lifted, left)}
  </g>`;
}

/** Describe a side in words, for screen readers. */
function described(held) {
  const side = (name, counts) => {
    const on = counts.flatMap((n, i) => (n ? [`${n} on the ${i === POINTS ? "bar" : `${i + 1} point`}`] : []));
    return `${name}: ${[...on, `${off(counts)} off`].join(", ")}`;
  };
  return `${side("You", held.roller)}. ${side("Opponent", held.opponent)}.`;
}
