// No Chance Backgammon: numbers are named instead of rolled.
// @ts-check

import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { drop, get, post, send } from "./api.js";
import { useKeys, usePressed } from "./keys.js";
import { useMatch } from "./match.js";
import { NumberBar, NumberTable, resultOf } from "./naming.js";
import { PlayBoard } from "./playboard.js";
import { useParts, useTable } from "./playing.js";
import { Log, Rail, Typed, Waiting, diceOf } from "./table.js";
import { Choice, Cost, Select, Sentence, Table, announce, counted } from "./ui.js";

const GAMES = "/play/no-chance/games";

/**
 * A game in progress: the user names a number, and then plays it with the opponent's
 * number.
 */
export function NoChanceView({ id }) {
  const path = /** @type {`/play/no-chance/games/${string}`} */ (`${GAMES}/${id}`);
  const { game, scene, error, thinking, act, counted } = useMatch(path);
  const [settings] = useTable();
  const [named, setNamed] = useState(null); // { version, number }: number that was chosen but not yet played.
  const [hint, setHint] = useState(null);
  const [asking, setAsking] = useState(null); // Version of the game for which a hint is being computed.
  const [trouble, setTrouble] = useState(null);
  const ready = Boolean(scene) && !scene.busy && !scene.sent;
  const number = named?.version === game?.version ? named?.number : null;
  const chosen = ready && game.needs === "play" ? game.nameable.find((one) => one.number === number) : null;
  const pair = chosen && [chosen.number, game.named[1]];
  // After a number is named, the turn is like a turn with dice that show the two numbers.
  const turn = chosen && !chosen.silent
    ? { key: game.key, version: `${game.version} ${number}`, needs: "play", legal: chosen.legal, board: game.board, dice: pair }
    : null;
  const play = (board) => act({ do: "play", number, play: board }, board);
  const parts = useParts(turn, scene, { ...settings, tutor: "off" }, play, () => {});
  const nameable = ready ? (game.nameable ?? []) : [];
  usePressed((event) => nameable.some((one) => String(one.number) === event.key) && name(Number(event.key)));
  useKeys({
    roll: () => (chosen?.silent ? play(game.board) : parts?.done && parts.play()),
    hint: () => ready && game.needs === "play" && ask(),
    back: () => (parts?.moves.length ? parts.undo() : game?.may_undo && ready && act({ do: "undo" })),
  });
  if (!game || !scene) return html`<${Sentence}>${error}</${Sentence}>`;
  const rated = hint?.version === game.version ? hint.numbers : null;
  const name = (next) => {
    if (game.needs === "name") return act({ do: "name", number: next });
    announce(`You name ${next}.`);
    return setNamed({ version: game.version, number: next });
  };
  const ask = async () => {
    // Clicks during the move of a checker, or repeated clicks after it, are ignored.
    if (rated || asking === game.version) return;
    setAsking(game.version);
    try {
      const { numbers } = await post(`${path}/hint`, {});
      setHint({ version: game.version, numbers });
      setTrouble(null);
      counted();
      announce(`Best is ${numbers[0].number}: ${resultOf(numbers[0])}.`);
    } catch (failed) {
      setTrouble(failed.message);
    }
    setAsking(null);
  };
  const dice = parts || !pair ? diceOf(parts, scene) : pair.map((face) => ({ face }));
  const board = parts?.board ?? scene.board;
  const left = (side) => html` <span class="note">doubles left: ${game.doubles[side]}</span>`;
  const label = `The board; you bear off below. Pips: you ${game.pips[0]}, ${game.opponent_title} ${game.pips[1]}`;
  return html`<h1 class="hidden">Play without dice</h1>
    <div class="table-view nochance">
      <div class="felt-side">
        <${Rail} game=${game} side=${1} scene=${scene} board=${board} turn="to name">${left(1)}</${Rail}>
        <${PlayBoard} board=${board} live=${parts?.live} mine=${pair ? true : scene.mine} dice=${dice} mirrored=${settings.mirrored}
          onDice=${parts && !parts.moves.length && pair[0] !== pair[1] ? parts.swap : null}
          flying=${scene.flying} marks=${parts?.moves.length ? [] : scene.marks} label=${label} />
        <${Rail} game=${game} side=${0} scene=${scene} board=${board} turn="to name">${left(0)}</${Rail}>
        <${NumberBar} game=${game} ready=${ready && (game.needs === "name" || game.needs === "play")} chosen=${chosen?.number ?? null} name=${name} />
        <${Actions} game=${game} stop=${() => post(`${path}/stop`, {})} scene=${scene} chosen=${chosen} parts=${parts} thinking=${thinking} act=${act} play=${play} />
        <${Sentence}>${error ?? trouble ?? parts?.trouble}</${Sentence}>
      </div>
      <aside class="table-side">
        <p class="score"><strong>No Chance Backgammon</strong>, ${game.numbers} numbers, against ${game.opponent_title}</p>
        ${ready && game.needs === "play" && html`<div class="advice"><div class="row"><button type="button" class="small" disabled=${asking === game.version} onClick=${ask}>Which number?</button></div>
          ${asking === game.version && html`<p class="note" role="status">Computing…</p>`}
          ${rated && html`<${Rated} rated=${rated} />`}</div>`}
        <${NumberTable} game=${game} chosen=${chosen?.number ?? null} rated=${rated} />
        <${Typed} parts=${parts} />
        <${Log} game=${game} />
        <p class="note">Hints: ${game.hints}; taken back: ${game.undone}. <a href="#/play">All games</a></p>
      </aside>
    </div>`;
}

/** Each number with its best play, best first. */
function Rated({ rated }) {
  const exact = rated.every((one) => one.exact);
  const { depth } = rated[0];
  const source = exact ? "Exact." : `From a search ${counted(depth, "turn")} deep; your lead in pips is an estimate.`;
  return html`<${Table} caption=${source} columns=${[
    { head: "Number", scope: true, cell: (one) => one.number },
    { head: "Best play", align: "left", cell: (one) => one.text || "none" },
    { head: "Result", align: "left", cell: resultOf },
    { head: html`<span class="hidden">Best</span>`, cell: (one) => one === rated[0] && html`<${Cost} of=${0} />` },
  ]} rows=${rated} mark=${(one) => (one === rated[0] ? "best" : "")} />`;
}

/** The controls for the next step. */
function Actions({ game, stop, scene, chosen, parts, thinking, act, play }) {
  const back = game.may_undo && html`<button type="button" disabled=${scene.busy} onClick=${() => act({ do: "undo" })}>Take back</button>`;
  if (scene.busy || game.needs === "opponent") {
    return html`<${Waiting} game=${game} thinking=${thinking} stop=${stop} />`;
  }
  if (game.needs === "nothing") {
    return html`<div class="playbar"><p role="status"><strong>${ended(game)}</strong></p>${back}
      <a class="button" href="#/play">Another game</a></div>`;
  }
  if (game.needs === "name") {
    return html`<div class="playbar"><p>Name your first number. No checker moves yet.</p>${back}</div>`;
  }
  if (!chosen) return html`<div class="playbar"><p>Name a number; you will play it together with ${game.named[1]}.</p>${back}</div>`;
  if (chosen.silent) {
    return html`<div class="playbar"><p>No checker can move.</p>
      <button type="button" class="first" onClick=${() => play(game.board)}>Stay silent</button>${back}</div>`;
  }
  return html`<div class="playbar">
    <button type="button" class="first" disabled=${!parts?.done} onClick=${parts?.play}>Play</button>
    <button type="button" disabled=${!parts?.moves.length} onClick=${parts?.undo}>Undo</button>
    ${!parts?.moves.length && back}</div>`;
}

function ended(game) {
  const what = { 1: "the game", 2: "a gammon, 2 points", 3: "a backgammon, 3 points" }[game.points];
  return game.winner ? `${game.opponent_title} wins ${what}.` : `You win ${what}.`;
}

/** A form for a new game, and the list of stored games. */
export function NoChanceBegin() {
  const [lobby, setLobby] = useState(null);
  const [problem, setProblem] = useState(null);
  const [rules, set] = useState({ numbers: "6", doubles: "2", first: "you", opponent: null });
  const failed = (error) => setProblem(error.message);
  useEffect(() => {
    get("/play/no-chance").then(setLobby, failed);
  }, []);
  if (!lobby) return html`<${Sentence}>${problem}</${Sentence}>`;
  const change = (more) => set({ ...rules, ...more });
  const opponent = lobby.opponents.find(({ name }) => name === rules.opponent) ?? lobby.opponents[0];
  const choice = (label, name, options) =>
    html`<${Choice} label=${label} name=${name} value=${rules[name]} options=${options} onChange=${(value) => change({ [name]: value })} />`;
  const begin = async (event) => {
    event.preventDefault();
    try {
      const { key } = await send(GAMES, {
        numbers: Number(rules.numbers),
        doubles: Number(rules.doubles),
        first: /** @type {"you" | "opponent"} */ (rules.first),
        opponent: opponent.name,
      });
      location.hash = `#/play/no-chance/${key}`;
    } catch (error) {
      failed(error);
    }
  };
  const remove = (key) => drop(`${GAMES}/${key}`).then(setLobby, failed);
  return html`<form class="controls" onSubmit=${begin}>
      <${Select} label="Against" value=${opponent.name} hint=${opponent.text} options=${lobby.opponents.map(({ name, title }) => [name, title])} onChange=${(name) => change({ opponent: name })} />
      <div class="row">${choice("Numbers", "numbers", ["4", "5", "6", "7"].map((n) => [n, n]))}
        ${choice("Doubles per player", "doubles", ["0", "1", "2"].map((n) => [n, n]))}
        ${choice("Names first", "first", [["you", "You"], ["opponent", "The opponent"]])}</div>
      <p><button class="first">Begin without dice</button></p>
    </form>
    <${Sentence}>${problem}</${Sentence}>
    ${lobby.damaged.map((sentence) => html`<${Sentence}>${sentence}</${Sentence}>`)}
    ${lobby.games.length > 0 && html`<ul class="matches">${lobby.games.map((game) => html`<li key=${game.key}>
      <a href=${`#/play/no-chance/${game.key}`}>${game.opponent_title}, ${game.numbers} numbers</a>
      <span class="note">${game.begun.slice(0, 10)}, ${game.over ? "over" : `turn ${game.turns + 1}`}</span>
      <button type="button" class="small" onClick=${() => remove(game.key)} aria-label=${`Remove the game without dice of ${game.begun.slice(0, 10)} against ${game.opponent_title}`}>Remove</button></li>`)}</ul>`}`;
}
