// Cube decisions: their equities, and the tutor's questions before a mistake.
// @ts-check

import { html, useRef, useState } from "./vendor/htm-preact.js";
import { post } from "./api.js";
import { ASKED_FROM } from "./playing.js";
import { Cost, Table, announce, capital, markOf, signed } from "./ui.js";

/** Choice of a cube decision, by the user's action. */
const CHOSEN = { roll: "no double", double: "double", take: "take", pass: "pass", beaver: "beaver" };

const written = (number, { cube }) => number.toFixed(cube.digits);

/** Describe the source of the equities and their accuracy. */
const source = ({ kind, close_lost: lost }) =>
  kind === "exact" ? "Exact." : kind === "model" ? "An estimate by the fast model of races." : `An estimate by a neural network, one roll ahead. In close decisions it loses ${lost[0]} ± ${lost[1]} thousandths of a point on average, as judged by GNU Backgammon.`;

/**
 * `decide(body)` acts at once unless the tutor asks first. The hook returns { decide,
 * asked, again, anyway }; `asked` is the action that the tutor asks about, or null.
 */
export function useCubeTutor(game, tutor, act) {
  const [asked, setAsked] = useState(null);
  const now = asked?.version === game?.version ? asked : null;
  const decide = async (body) => {
    const most = ASKED_FROM[tutor];
    const name = CHOSEN[body.do];
    if (most !== undefined && name && ((game.may_double && !game.cube_dead) || game.needs === "answer")) {
      // If the decision cannot be judged, the tutor does not ask.
      const found = await post(`/play/matches/${game.key}/ask`, { depth: 0 }).catch(() => null);
      const one = found?.cube.alternatives[found.cube.choices[name]];
      if (one?.cost > most) {
        setAsked({ ...found, version: game.version, body, one });
        announce(`That costs ${written(one.cost, found)}. The right action is ${found.cube.best}.`);
        return;
      }
    }
    act(body);
  };
  const anyway = () => {
    setAsked(null);
    act(now.body);
  };
  return { decide, asked: now, again: () => setAsked(null), anyway };
}

/** Question of the tutor. */
export function CubeQuestion({ tutor }) {
  const { asked } = tutor;
  return html`<div class="playbar" role="alert"><p>That costs <strong>${written(asked.one.cost, asked)}</strong>${asked.kind !== "search" && asked.one.error > 0 && ` ± ${written(asked.one.error, asked)}`}. Best is ${asked.cube.best}. <span class="note">${source(asked)}</span></p>
    <button type="button" class="first" onClick=${tutor.again}>Think again</button>
    <button type="button" onClick=${tutor.anyway}>${capital(asked.body.do)} anyway</button></div>`;
}

/** The right cube action, and the equity of each choice. */
export function CubeHint({ game, counted }) {
  const [hint, setHint] = useState(null);
  const [trouble, setTrouble] = useState(null);
  const asked = useRef(false); // A question that is asked again is not counted as another hint.
  const ask = async () => {
    if (asked.current) return;
    asked.current = true;
    setTrouble(null);
    try {
      const found = await post(`/play/matches/${game.key}/ask`, { depth: 3 });
      setHint(found);
      counted(3);
      announce(`Best is ${found.cube.best}.`);
    } catch (error) {
      asked.current = false;
      setTrouble(error.message);
    }
  };
  const digits = hint?.cube.digits;
  const columns = [
    { head: "Choice", scope: true, cell: ({ name }) => capital(name) },
    { head: "Equity", cell: ({ equity }) => signed(equity, digits) },
    { head: "Cost", cell: ({ cost }) => html`<${Cost} of=${cost} digits=${digits} />` },
    ...(hint?.kind === "model" ? [{ head: "±", cell: ({ error }) => (error ? error.toFixed(digits) : "") }] : []),
  ];
  return html`<div class="advice"><div class="row"><button type="button" class="small" id="about-cube" onClick=${ask}>What about the cube?</button></div>
    ${trouble && html`<p class="sentence" role="alert">${trouble}</p>`}
    ${hint && html`<p><strong>${capital(hint.cube.best)}.</strong></p><${Table} caption=${`${source(hint)} Equities are those of the side on roll.`} columns=${columns} rows=${hint.cube.alternatives} mark=${({ cost }) => markOf(cost, digits)} />`}</div>`;
}
