// The table: a match in progress, with its controls.
// @ts-check

import { html, useEffect, useLayoutEffect, useState } from "./vendor/htm-preact.js";
import { address, post } from "./api.js";
import { After, helped } from "./aftergame.js";
import { CubeHint, CubeQuestion, useCubeTutor } from "./cubing.js";
import { useKeys } from "./keys.js";
import { sentence, useMatch } from "./match.js";
import { turned } from "./moves.js";
import { PlayBoard } from "./playboard.js";
import { hintSaid, useParts, useTable } from "./playing.js";
import { Choice, Cost, Field, Sentence, Table, counted, markOf, signed } from "./ui.js";

const TUTORS = [["off", "Off"], ["0.08", "Over 0.08"], ["0.02", "Over 0.02"], ["always", "Always"]];

const FROM = {
  exact: "Exact.",
  model: "An estimate by the fast model of races.",
  search: "An estimate by the neural network, one roll ahead, at this score and with the cube.",
};

/** Sentence on the source of the costs and of their errors. */
const source = (kind, error) =>
  `${FROM[kind]}${kind === "search" && error ? " ± is the measured difference from GNU Backgammon at two plies." : ""}`;

export function TableView({ id }) {
  const { game, scene, error, thinking, act, counted } = useMatch(`/play/matches/${id}`);
  const [settings, change] = useTable();
  const [looked, setLooked] = useState(null); // Moment of the game that is shown on the board.
  const parts = useParts(game, scene, settings, (board) => act({ do: "play", play: board }, board), counted);
  const tutor = useCubeTutor(game, settings.tutor, act);
  useKeys({
    roll: () => !scene?.busy && (parts ? parts.done && parts.play() : game?.needs === "roll" && !game.by_hand && tutor.decide({ do: "roll" })),
    double: () => mayDouble(game) && !scene?.busy && tutor.decide({ do: "double" }),
    hint: () => (parts ? !parts.stuck && parts.deeper() : document.getElementById("about-cube")?.click()),
    back: () => (parts?.moves.length ? parts.undo() : game?.may_undo && !scene?.busy && act({ do: "undo" })),
  });
  if (!game || !scene) return html`<${Sentence}>${error}</${Sentence}>`;
  const board = looked?.board ?? parts?.board ?? scene.board;
  const dice = looked ? looked.dice ?? [] : diceOf(parts, scene);
  const mine = looked ? looked.player === 0 : scene.mine;
  const canDouble = mayDouble(game) && !scene.busy && !looked;
  return html`<h1 class="hidden">Play</h1>
    <div class="table-view">
      <div class="felt-side">
        <${Rail} game=${game} side=${1} scene=${scene} board=${board} />
        <${PlayBoard} board=${board} live=${looked ? null : parts?.live} mine=${mine} mirrored=${settings.mirrored}
          dice=${looked ? dice.map((face) => ({ face })) : dice} onDice=${!looked && parts && !parts.moves.length && game.dice[0] !== game.dice[1] && !parts.stuck ? parts.swap : null}
          cube=${{ ...(looked ? { value: looked.cube_value, owner: looked.cube_owner } : { value: game.cube_value << game.offers, owner: cubeAt(game) }), dead: game.cube_dead, onClick: canDouble ? () => tutor.decide({ do: "double" }) : null }}
          flying=${looked ? null : scene.flying} marks=${looked || parts?.moves.length ? [] : scene.marks} label=${labelOf(game)} />
        <${Rail} game=${game} side=${0} scene=${scene} board=${board} />
        ${!looked && html`<${Actions} game=${game} scene=${scene} parts=${parts} thinking=${thinking} act=${act} tutor=${tutor} />`}
        ${looked && html`<div class="playbar"><button type="button" onClick=${() => setLooked(null)}>Back to the game</button></div>`}
        <${Sentence}>${error ?? parts?.trouble}</${Sentence}>
      </div>
      <aside class="table-side">
        <p class="score"><strong>${game.length ? `Match to ${game.length}` : "Money"}</strong>, game ${game.number}${game.crawford_game ? ", the Crawford game" : game.cube_dead ? ", the cube is dead" : ""}: ${game.score_after[0]}–${game.score_after[1]} against ${game.opponent_title}</p>
        <${Typed} parts=${parts} />
        ${parts && !parts.stuck && html`<${Hints} parts=${parts} />`}
        ${!scene.busy && (canDouble || game.needs === "answer") && html`<${CubeHint} key=${game.version} game=${game} counted=${counted} />`}
        <${Log} game=${game} />
        <details class="settings"><summary>Settings</summary><div class="controls">
          <${Choice} label="Tutor asks before a mistake" name="tutor" value=${settings.tutor} options=${TUTORS} onChange=${(tutor) => change({ tutor })} />
          <${Choice} label="Tap on a checker" name="taps" value=${settings.taps} options=${[["one", "Moves it"], ["two", "Chooses it"]]} onChange=${(taps) => change({ taps })} />
          <label class="check"><input type="checkbox" checked=${settings.mirrored} onChange=${(event) => change({ mirrored: event.target.checked })} />Home at the left</label>
        </div></details>
        <${More} game=${game} act=${act} busy=${scene.busy} />
      </aside>
    </div>
    ${(game.winner !== null || game.over) && game.games.length > 0 && !scene.busy && html`<${After} key=${game.number} game=${game} look=${setLooked} looked=${looked} />`}`;
}

const labelOf = (game) => `The board; you bear off below. Pips: you ${game.pips[0]}, ${game.opponent_title} ${game.pips[1]}`;

/** Doubling is not offered if neither side gains from it, even if the rules allow it. */
const mayDouble = (game) => Boolean(game?.may_double && !game.cube_dead);

/** While a double is pending, the cube is on the side of the player who was doubled. */
function cubeAt(game) {
  if (!game.offers) return game.cube_owner;
  return (game.turn + game.offers) % 2;
}

export function diceOf(parts, scene) {
  if (!parts) return (scene.dice ?? []).map((face) => ({ face }));
  let unused = [...parts.left];
  return parts.order.map((face) => {
    const used = !unused.includes(face);
    if (!used) unused.splice(unused.indexOf(face), 1);
    return { face, used };
  });
}

/**
 * Line beside the board with a side's name and pip count, and a mark if it is that side's
 * turn.
 */
export function Rail({ game, side, scene, board, turn: word = "on roll", children }) {
  const own = side ? turned(board) : board;
  const { flying } = scene;
  const ours = flying && (flying.side === "opponent") === Boolean(side);
  const inAir = ours ? (side ? 25 - flying.from : flying.from) : 0;
  const pips = own.reduce((sum, count, point) => sum + Math.max(count, 0) * point, inAir);
  const turn = scene.busy ? scene.mine === !side : game.turn === side && game.winner === null;
  return html`<p class=${`rail ${turn ? "turn" : ""}`}><span class=${`dot ${side ? "opponent" : "roller"}`} aria-hidden="true"></span>
    <strong>${side ? game.opponent_title : "You"}</strong>${turn && html` <span class="note">${word}</span>`}${children}
    <span class="pips">${counted(pips, "pip")}</span></p>`;
}

/**
 * Line shown while the opponent moves or thinks: the time used, and a button that ends the
 * thinking.
 */
export function Waiting({ game, thinking, stop }) {
  const [since, setSince] = useState(0); // Seconds since the opponent began to think.
  useEffect(() => {
    setSince(0);
    if (!thinking) return undefined;
    const began = performance.now();
    const timer = setInterval(() => setSince((performance.now() - began) / 1000), 100);
    return () => clearInterval(timer);
  }, [thinking]);
  if (!thinking) return html`<div class="playbar"><p class="note">${game.opponent_title} moves.</p></div>`;
  return html`<div class="playbar"><p>${game.opponent_title} thinks, at most ${game.seconds} s.</p>
    <progress aria-label="Thinking" max=${game.seconds} value=${Math.min(since, game.seconds)} />
    <button type="button" onClick=${stop}>Stop</button></div>`;
}

/** Controls for the next step, near the thumb on a phone. */
function Actions({ game, scene, parts, thinking, act, tutor }) {
  const button = (text, body, first) =>
    html`<button type="button" class=${first && "first"} disabled=${scene.busy} onClick=${() => tutor.decide(body)}>${text}</button>`;
  if (tutor.asked) return html`<${CubeQuestion} tutor=${tutor} />`;
  if (parts?.tutor) {
    return html`<div class="playbar" role="alert"><p>That costs <strong>${parts.tutor.cost.toFixed(3)}</strong>${parts.tutor.error > 0 && ` ± ${parts.tutor.error.toFixed(3)}`}. ${parts.tutor.reason} <span class="note">${source(parts.tutor.kind, parts.tutor.error)}</span></p>
      <button type="button" class="first" onClick=${parts.clear}>Take it back</button>
      <button type="button" onClick=${parts.play}>Play it</button></div>`;
  }
  if (parts?.stuck) return html`<div class="playbar"><p>No legal move.</p></div>`;
  if (parts) {
    return html`<div class="playbar">
      <button type="button" class="first" disabled=${!parts.done} onClick=${parts.play}>Play</button>
      <button type="button" disabled=${!parts.moves.length} onClick=${parts.undo}>Undo</button>
      ${!parts.moves.length && game.may_undo && button("Take back", { do: "undo" })}</div>`;
  }
  if (scene.busy || game.needs === "opponent") {
    return html`<${Waiting} game=${game} thinking=${thinking} stop=${() => post(`/play/matches/${game.key}/stop`, {})} />`;
  }
  if (game.needs === "roll" || game.needs === "dice") {
    return html`<div class="playbar">${game.by_hand
      ? html`<${HandDice} game=${game} act=${act} />`
      : button("Roll", { do: "roll" }, true)}
      ${mayDouble(game) && button(`${game.cube_owner === null ? "Double" : "Redouble"} to ${2 * game.cube_value}`, { do: "double" })}
      ${game.may_undo && button("Take back", { do: "undo" })}</div>`;
  }
  if (game.needs === "answer") {
    const value = game.cube_value << game.offers;
    return html`<div class="playbar sheet" role="alert"><p><strong>${game.opponent_title} ${game.offers > 1 ? "beavers" : "doubles"} to ${value}.</strong> ${standing(game)} A pass loses ${value / 2}.</p>
      ${button("Take", { do: "take" }, true)}${button("Pass", { do: "pass" })}
      ${game.may_beaver && button(`Beaver to ${2 * value}`, { do: "beaver" })}</div>`;
  }
  if (game.needs === "next" || game.needs === "nothing") {
    return html`<div class="playbar"><p role="status"><strong>${result(game)}</strong></p>
      ${game.needs === "next" && button("Next game", { do: "next" }, true)}
      ${game.needs === "next" && game.may_undo && button("Take back", { do: "undo" })}
      ${game.over && html`<a class="button" href="#/play">Another match</a>`}</div>`;
  }
  return null;
}

const standing = (game) =>
  game.length ? `Score ${game.won[0]}–${game.won[1]} to ${game.length}.` : "For money.";

function result(game) {
  const wins = (who) => (who ? `${game.opponent_title} wins` : "You win");
  if (game.match_winner !== null) return `${wins(game.match_winner)} the match, ${game.score_after[0]}–${game.score_after[1]}.`;
  if (game.winner === null) return "The match was ended at this point.";
  return `${wins(game.winner)} ${counted(game.points, "point")}.`;
}

/**
 * Form for dice rolled by hand, for either side; at the opening, each side rolls one die.
 */
function HandDice({ game, act }) {
  const [dice, setDice] = useState(["", ""]);
  const opening = game.turn === null;
  const whose = opening ? ["Your die", "Opponent's die"] : game.needs === "dice" ? ["Opponent's dice", "and"] : ["Your dice", "and"];
  const thrown = (event) => {
    event.preventDefault();
    setDice(["", ""]);
    act({ do: "roll", dice: dice.map(Number) });
  };
  return html`<form class="row" onSubmit=${thrown}>${dice.map((value, i) => html`<${Field} label=${whose[i]}>
      <input type="number" min="1" max="6" required value=${value}
        onInput=${(event) => setDice(dice.map((old, j) => (j === i ? event.target.value : old)))} /></${Field}>`)}
    <button class="first">Thrown</button></form>`;
}

/** Buttons for three kinds of hints; each hint is counted. */
function Hints({ parts }) {
  const { hint } = parts;
  const error = hint?.plays?.some((play) => play.error);
  const columns = [
    { head: "Play", scope: true, cell: (play) => html`${play.text}${play.reason && html`<span class="note reason">${play.reason}</span>`}` },
    { head: "Equity", cell: (play) => signed(play.equity, 3) },
    { head: "Cost", cell: (play) => html`<${Cost} of=${play.cost} digits=${3} />` },
    ...(error ? [{ head: "±", cell: (play) => (play.error ? play.error.toFixed(3) : "") }] : []),
  ];
  return html`<div class="advice"><div class="row">
      <button type="button" class="small" disabled=${!parts.done || !parts.moves.length} onClick=${() => parts.ask(1)}>Is my play the best?</button>
      <button type="button" class="small" onClick=${() => parts.ask(2)}>Which checkers?</button>
      <button type="button" class="small" onClick=${() => parts.ask(3)}>All plays</button></div>
    ${parts.asking && html`<p class="note" role="status">Computing…</p>`}
    ${hint && (hint.plays
      ? html`<${Table} caption=${source(hint.kind, error)} columns=${columns} rows=${hint.plays} mark=${(play) => markOf(play.cost, 3)} />${hint.more > 0 && html`<p class="note">and ${counted(hint.more, "more play")}, none better</p>`}`
      : html`<p>${hintSaid(hint)} <span class="note">${FROM[hint.kind]}</span></p>`)}</div>`;
}

/** Moves of a checker in the program's notation. */
const WRITTEN = /^(bar|\d{1,2}\*?)((?:[/-](?:off|\d{1,2}\*?))+)(?:\(([1-4])\))?$/i;

/** Field for typing a play, or part of a play. */
export function Typed({ parts }) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState(null);
  // An error message disappears at the next turn, or when the moves change.
  const moved = parts?.moves.length;
  useLayoutEffect(() => setProblem(null), [parts?.turn, moved]);
  const entered = (event) => {
    event.preventDefault();
    if (!text.trim()) return parts.done ? parts.play() : setProblem(null);
    const words = text.trim().split(/\s+/);
    const found = words.map((word) => WRITTEN.exec(word));
    const wrong = found.findIndex((one) => !one);
    if (wrong >= 0) return setProblem(`A play is typed as 13/7 8/7, bar/22* or 6/off(2)${words[wrong] && `, not ${words[wrong]}`}.`);
    setProblem(parts.type(found) ?? null);
    setText("");
    return undefined;
  };
  return parts && !parts.stuck && html`<form onSubmit=${entered}><${Field} label="Type a play">
      <input value=${text} autocomplete="off" placeholder="8/5 6/5" onInput=${(event) => setText(event.target.value)} /></${Field}>
    <${Sentence}>${problem}</${Sentence}></form>`;
}

export function Log({ game }) {
  const actions = game.actions.slice(-8);
  return actions.length > 0 && html`<ol class="log" aria-label="The last actions">${actions.map((action) =>
    html`<li>${sentence(action, game)}</li>`)}</ol>`;
}

/** Controls for resigning, for files and for verifiable dice. */
function More({ game, act, busy }) {
  const worth = (lost) => lost * game.cube_value * (game.jacoby && game.cube_owner === null && !game.length ? 1 / lost : 1);
  const under = game.turn !== null && game.winner === null;
  return html`<details class="settings"><summary>Give up, files, dice</summary><div class="controls">
    ${under && html`<div class="row">${["a game", "a gammon", "a backgammon"].map((name, i) => html`<button type="button" class="small" disabled=${busy}
      onClick=${() => confirm(`Give up ${name}?`) && act({ do: "resign", lost: i + 1 })}>Give up ${name} (${worth(i + 1)})</button>`)}</div>`}
    <p class="row"><a class="button small" href=${address(`/play/matches/${game.key}/match.mat`)} download>.mat</a>
      <a class="button small" href=${address(`/play/matches/${game.key}/match.sgf`)} download>.sgf</a>
      ${!game.over && html`<button type="button" class="small" onClick=${() => act({ do: "end" })}>End it here</button>`}</p>
    <p class="note">${helped(game)}</p>
    ${game.by_hand ? html`<p class="note">You enter real dice.</p>` : html`<p class="note wrap">SHA-256 of the seed of all dice: <code>${game.seed_hash}</code>${game.seed ? html`. The seed: <code>${game.seed}</code>` : ". The seed is revealed at the end."}</p>`}
  </div></details>`;
}
