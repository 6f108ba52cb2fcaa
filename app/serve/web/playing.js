// The user's turn: moving checkers on the board, hints, and the tutor's questions.
// @ts-check

import { useEffect, useMemo, useRef, useState } from "./vendor/htm-preact.js";
import { post } from "./api.js";
import { BAR, Roll, numbersOf, without, written } from "./moves.js";
import { announce } from "./ui.js";

const KEPT = "bearoff.play";

/**
 * Settings of the table, stored in this browser: [settings, function that changes them].
 */
export function useTable() {
  const [settings, set] = useState(kept);
  const change = (more) => {
    const next = { ...settings, ...more };
    localStorage.setItem(KEPT, JSON.stringify(next));
    set(next);
  };
  return [settings, change];
}

function kept() {
  const first = { tutor: "off", taps: "one", mirrored: false };
  try {
    return { ...first, ...JSON.parse(localStorage.getItem(KEPT)) };
  } catch {
    return first;
  }
}

const DEPTHS = 3; // Number of kinds of hints.

/** Largest cost of a decision at which the tutor does not ask, by setting. */
export const ASKED_FROM = { always: 0.0005, 0.02: 0.02, 0.08: 0.08 };

/**
 * State of a play in progress: { board, left, moves, live, done, undo, swap, play, tutor, ...
 * }, or null if the match does not wait for the user's play. `submit(board)` plays, and
 * `counted(depth)` is called after a hint.
 */
export function useParts(game, scene, settings, submit, counted) {
  const turn = `${game?.key} ${game?.version}`;
  const start = { turn, moves: [], swapped: false, selected: null, tutor: null, hint: null, deepest: 0, asking: false, judging: false, trouble: null };
  const [state, setState] = useState(start);
  const now = state.turn === turn ? state : start;
  const latest = useRef(turn);
  latest.current = turn;
  // A response that arrives late applies to the current moves; if the turn is over, it is
  // ignored.
  const set = (more) => latest.current === turn && setState((old) => ({ ...(old.turn === turn ? old : start), ...more }));
  const mine = game?.needs === "play" && scene && !scene.busy;
  const roll = useMemo(() => new Roll(game?.legal ?? []), [turn]);
  const stuck = mine && game.legal.length === 1 && String(game.legal[0]) === String(game.board);

  useEffect(() => {
    if (!stuck) return undefined;
    announce(`You roll ${game.dice.join("-")} and cannot move.`);
    const timer = setTimeout(() => submit(game.board), 1200);
    return () => clearTimeout(timer);
  }, [turn, stuck]);
  if (!mine) return null;

  const numbers = numbersOf(game.dice);
  const order = now.swapped ? [...numbers].reverse() : numbers;
  const left = now.moves.reduce((rest, moved) => without(rest, moved.die), order);
  const board = now.moves.at(-1)?.board ?? game.board;
  const done = roll.isDone(board);
  const steps = roll.steps(board, left);
  const fresh = { selected: null, tutor: null, trouble: null };
  const add = (moves) => {
    announce(written(moves));
    set({ ...fresh, moves: [...now.moves, ...moves] });
  };
  const pathTo = (from, to) => roll.targets(board, left, from).get(to);
  const refuse = (from) => {
    const place = from === BAR ? "the bar" : from ? `point ${from}` : "there";
    set({ selected: null, trouble: `No legal play moves a checker from ${place} now.` });
  };
  const live = {
    sources: [...new Set(steps.map(({ from }) => from))],
    targets: (from) => [...roll.targets(board, left, from).keys()],
    selected: now.selected,
    onMove: (from, to) => {
      const path = pathTo(from, to);
      if (path) add(path);
      else set({ trouble: "A checker cannot go there with this roll." });
    },
    onClick: (place) => {
      const path = now.selected !== null && pathTo(now.selected, place);
      if (path) return add(path);
      const first = steps.filter(({ from }) => from === place);
      if (!first.length) return now.selected === null ? refuse(place) : set({ selected: null });
      if (settings.taps === "two") return set({ selected: place === now.selected ? null : place });
      // First number, in the user's order, that the checker can play.
      const moved = left.map((die) => first.find((one) => one.die === die)).find(Boolean);
      return add([moved]);
    },
  };
  const ask = async (body) => post(`/play/matches/${game.key}/ask`, body);
  const failed = (error) => set({ asking: false, judging: false, trouble: error.message });
  const hint = async (depth) => {
    // Clicks during the move of a checker, or repeated clicks after it, are ignored.
    if (now.asking || (depth > 1 && now.hint?.depth === depth)) return;
    set({ hint: null, asking: true, trouble: null });
    try {
      const found = await ask(depth === 1 ? { depth, play: board } : { depth });
      set({ hint: { depth, ...found }, deepest: Math.max(depth, now.deepest), asking: false, trouble: null });
      counted(depth);
      announce(hintSaid({ depth, ...found }));
    } catch (error) {
      failed(error);
    }
  };
  const play = async () => {
    const most = ASKED_FROM[settings.tutor];
    if (now.judging) return;
    if (most !== undefined && !now.tutor) {
      set({ judging: true });
      try {
        const found = await ask({ depth: 0, play: board });
        if (found.cost > most) {
          set({ tutor: found, judging: false });
          announce(`That costs ${found.cost.toFixed(3)}. Take it back?`);
          return;
        }
      } catch (error) {
        failed(error);
        return;
      }
    }
    submit(board);
  };
  return {
    turn,
    board,
    left,
    done,
    stuck,
    live: stuck ? null : live,
    moves: now.moves,
    order,
    tutor: now.tutor,
    hint: now.hint,
    asking: now.asking,
    trouble: now.trouble,
    ask: hint,
    // Once all checkers have been moved, the user can ask whether the play is the best one.
    deeper: () => now.deepest < DEPTHS && hint(Math.max(now.deepest, Number(!now.moves.length || !done)) + 1),
    type: (words) => {
      const typed = typedMoves(words, roll, game.board, order);
      if (!typed) return "This is not part of a legal play of this roll, or it marks a hit without a blot.";
      announce(written(typed));
      set({ ...fresh, moves: typed });
      return null;
    },
    play,
    undo: () => set({ ...fresh, moves: now.moves.slice(0, -1) }),
    clear: () => set({ ...fresh, moves: [] }),
    swap: () => set({ swapped: !now.swapped }),
  };
}

/**
 * Moves of a play that was typed, in an order that the rules allow; null if the play is not
 * legal.
 */
function typedMoves(words, roll, board, numbers) {
  const place = (text) => ({ bar: BAR, off: 0 })[text.toLowerCase()] ?? Number(text.replace("*", ""));
  const named = ([, from, stops]) => [from, ...stops.split(/[/-]/).slice(1)];
  const marked = words.flatMap(named).filter((text) => text.endsWith("*")).map(place);
  const wanted = words.flatMap((word) => {
    const [places, times] = [named(word).map(place), word[3] ?? "1"];
    const legs = places.slice(1).map((to, i) => [places[i], to]);
    return Array(Number(times)).fill(legs).flat();
  });
  const go = (moves, now, left, rest) => {
    if (!rest.length) return marked.every((point) => moves.some((move) => move.hit && move.to === point)) ? moves : null;
    for (const [from, to] of rest) {
      const path = roll.targets(now, left, from).get(to);
      if (!path) continue;
      const others = without(rest, rest.find((leg) => leg[0] === from && leg[1] === to));
      const found = go([...moves, ...path], path.at(-1).board, path.reduce((sum, one) => without(sum, one.die), left), others);
      if (found) return found;
    }
    return null;
  };
  return go([], board, numbers, wanted);
}

/** Describe a hint in words. */
export function hintSaid({ depth, better, checkers, best }) {
  if (depth === 1) return better ? "There is a better play." : "Your play is the best.";
  if (depth === 2) return `The best play moves from ${checkers.map((point) => (point === BAR ? "the bar" : point)).join(", ")}.`;
  return best ? `Best is ${best}.` : "";
}
