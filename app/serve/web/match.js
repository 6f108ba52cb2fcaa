// A match on the server; plays are shown one checker at a time.
// @ts-check

import { useEffect, useRef, useState } from "./vendor/htm-preact.js";
import { get, pause, send } from "./api.js";
import { tell, useTold } from "./asking.js";
import { BAR, turned } from "./moves.js";
import { FLIGHT } from "./playboard.js";
import { announce } from "./ui.js";

const LOOK = 450; // Milliseconds for which dice or a decision are shown before the next step.

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * { game, scene, error, thinking, act, counted }. `game` is the server's state of the match
 * at a path, `scene` is what the board shows: { board, dice, mine, flying, marks, busy, sent },
 * where `sent` means that the server has not yet answered the user's action.
 * `act(body)` sends an action, and then lets the opponent act; it does nothing while another
 * action is sent.
 *
 * @param {`/play/matches/${string}` | `/play/no-chance/games/${string}`} path
 */
export function useMatch(path) {
  const [game, setGame] = useState(null);
  const [scene, setScene] = useState(null);
  const [error, setError] = useState(null);
  const [thinking, setThinking] = useState(false);
  const latest = useRef(null);
  const life = useRef(null);
  const sending = useRef(false); // Whether an action is being sent.

  const settle = (found) => setScene({
    board: found.board,
    dice: found.dice,
    mine: found.turn === 0,
    marks: marksOf(found.actions.at(-1)),
    busy: false,
  });

  /** Show a new state from the server, with an animation of what the opponent has done. */
  const arrive = async (found, mine = false) => {
    const before = latest.current;
    if (before && found.version < before.version) return; // A later state has already been shown.
    const { signal } = life.current;
    latest.current = found;
    const same = before && before.number === found.number && found.actions.length >= before.actions.length;
    const news = same ? found.actions.slice(before.actions.length) : [];
    setGame(found);
    // Actions are announced in one message, because screen readers would read only the last
    // of several.
    const told = news.map((action) => sentence(action, found));
    if (found.needs === "play" && found.dice) told.push(`You roll ${found.dice.join("-")}.`);
    if (!same && before && found.turn !== null) told.unshift(`Game ${found.number}.`);
    if (told.length) announce(told.join(" "));
    const shown = news.filter((action) => action.kind === "play" && !(mine && action.player === 0));
    if (!still()) for (const action of shown) await fly(action, setScene, signal);
    if (latest.current.version === found.version) settle(found);
  };

  /** Request the opponent's actions until it is the user's turn. */
  const goOn = async () => {
    const { signal } = life.current;
    while (latest.current.needs === "opponent" && !signal.aborted) {
      const slow = setTimeout(() => setThinking(true), 250);
      try {
        const found = await send(`${path}/decide`, {}).finally(() => {
          clearTimeout(slow);
          setThinking(false);
        });
        if (signal.aborted) return;
        tell(path);
        await arrive(found);
      } catch (failed) {
        if (!signal.aborted) throw failed;
      }
    }
  };

  const guarded = async (work) => {
    setError(null);
    try {
      await work();
      await goOn();
    } catch (failed) {
      if (failed.name === "AbortError") return;
      setError(failed.message);
      if (failed.status === 409) await look().catch(() => {});
      if (latest.current) settle(latest.current);
    }
  };
  const look = async () => arrive(await get(path));
  const act = (body, seen) => !sending.current && guarded(async () => {
    const { signal } = life.current;
    sending.current = true;
    // The user's moves stay on the board while the server processes them.
    setScene((now) => ({ ...now, sent: true, ...(seen && { board: seen, busy: true }) }));
    const found = await send(`${path}/actions`, { ...body, version: latest.current.version })
      .finally(() => (sending.current = false));
    if (signal.aborted) return;
    tell(path);
    if (found.said) {
      announce(found.said);
      setError(found.said);
    }
    await arrive(found, true);
  });

  useEffect(() => {
    life.current = new AbortController();
    latest.current = null;
    setGame(null);
    guarded(look);
    const back = async () => {
      if (document.visibilityState !== "visible" || !latest.current) return;
      const found = await get(path).catch(() => null);
      if (found && found.version > latest.current.version) guarded(() => arrive(found));
    };
    document.addEventListener("visibilitychange", back);
    addEventListener("focus", back);
    return () => {
      life.current.abort();
      document.removeEventListener("visibilitychange", back);
      removeEventListener("focus", back);
    };
  }, [path]);
  // If another tab continues the match, that tab requests the opponent's decisions.
  useTold(path, async () => {
    const found = await get(path).catch(() => null);
    if (found && found.version !== latest.current?.version) await arrive(found).catch(() => {});
  });
  /** Count a hint, as the server did. Hints of different depths are counted separately. */
  const counted = (depth) => {
    const { hints: before } = latest.current;
    const hints = depth ? before.map((many, i) => many + Number(i === depth - 1)) : before + 1;
    latest.current = { ...latest.current, hints };
    setGame(latest.current);
  };
  return { game, scene, error, thinking, act, counted };
}

/** Animate a play: first its dice, and then each checker. */
async function fly(action, setScene, signal) {
  const mine = action.player === 0;
  const side = mine ? "roller" : "opponent";
  let board = action.board;
  const here = (point) => (mine ? point : BAR - point);
  const marks = [];
  setScene({ board, dice: action.dice, mine, marks: [], busy: true });
  await pause(LOOK, signal);
  for (const [number, [from, to]] of action.moves.entries()) {
    const lifted = mine ? lift(board, from) : turned(lift(turned(board), from));
    const flying = { key: `${action.board} ${number}`, side, from: here(from), to: here(to) };
    setScene({ board: lifted, dice: action.dice, mine, flying, marks: [...marks], busy: true });
    await pause(FLIGHT + 30, signal);
    board = mine ? lay(lifted, to) : turned(lay(turned(lifted), to));
    marks.push(here(from), here(to));
  }
  setScene({ board, dice: action.dice, mine, marks, busy: true });
  await pause(LOOK, signal);
}

const lift = (board, from) => board.map((count, point) => count - Number(point === from));

/** Put down a checker of the player who moves, and hit a blot on that point. */
function lay(board, to) {
  if (!to) return board;
  const next = [...board];
  if (next[to] === -1) {
    next[to] = 0;
    next[0] -= 1;
  }
  next[to] += 1;
  return next;
}

function marksOf(action) {
  if (action?.kind !== "play") return [];
  return action.moves.flatMap(([from, to]) => [from, to].map((point) => (action.player ? BAR - point : point)));
}

/** Describe an action in words. */
export function sentence(action, game) {
  const who = action.player ? game.opponent_title : "You";
  const s = action.player ? "s" : "";
  if (action.kind === "name") return `${who} name${s} ${action.number}.`;
  if (action.number) return `${who} name${s} ${action.number}, ${action.dice.join("-")}: ${action.silent ? "no checker can move" : action.text}.`;
  if (action.kind === "play") return `${who} ${action.dice.join("-")}: ${action.text || "no checker can move"}.`;
  if (action.kind === "pass") return `${who} pass${action.player ? "es" : ""}.`;
  if (action.kind === "resign") return `${who} give${s} up.`;
  return `${who} ${action.kind}${s}.`;
}
