// Play: begin or continue a match.
// @ts-check

import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { drop, get, pause, persist, send } from "./api.js";
import { tell, useGet, useNews } from "./asking.js";
import { NoChanceBegin, NoChanceView } from "./nochance.js";
import { TableView } from "./table.js";
import { Choice, Field, Section, Select, Sentence } from "./ui.js";

const LENGTHS = [1, 3, 5, 7, 9, 11, 13, 15, 17, 21, 25];

/**
 * `#/play` begins matches, `#/play/KEY` shows one, `#/play/no-chance/KEY` one without dice.
 */
export function View({ path }) {
  const without = path[0] === "no-chance";
  const ready = useReady();
  if (!ready) return null;
  if (!(without ? ready.without_dice : ready.with_dice)) {
    return html`<h1 class="hidden">Play</h1><p role="status">The code of the players is being compiled for this machine, which takes a minute or more and happens only once. The page continues by itself.</p>
      <progress aria-label="Compiling" />`;
  }
  if (without && path[1]) return html`<${NoChanceView} key=${path[1]} id=${path[1]} />`;
  return path[0] ? html`<${TableView} key=${path[0]} id=${path[0]} />` : html`<${Lobby} />`;
}

/**
 * Which code has been compiled: { with_dice, without_dice }. This is requested until all
 * code is compiled.
 */
function useReady() {
  const [ready, set] = useState(null);
  useEffect(() => {
    const life = new AbortController();
    const { signal } = life;
    const look = async () => {
      for (;;) {
        const found = await persist(() => get("/play/ready", {}, { signal }), { signal });
        set(found);
        if (found.with_dice && found.without_dice) return;
        await pause(1000, signal);
      }
    };
    // A server for several users has no stored games, and says so when they are requested.
    look().catch(() => !signal.aborted && set({ with_dice: true, without_dice: true }));
    return () => life.abort();
  }, []);
  return ready;
}

function Lobby() {
  const { data: lobby, error } = useGet("/play", {}, useNews("matches"));
  const [problem, setProblem] = useState(null);
  const failed = (error) => setProblem(error.message);
  const remove = (key) => drop(`/play/matches/${key}`).then(() => tell("matches"), failed);
  if (!lobby) return html`<h1 class="hidden">Play</h1><${Sentence}>${error}</${Sentence}>`;
  const open = lobby.matches.filter((match) => !match.over);
  const over = lobby.matches.filter((match) => match.over);
  return html`<h1 class="hidden">Play</h1><div class="lobby">
    <${Section} title="A new match" id="new"><${Begin} lobby=${lobby} failed=${failed} /><${Sentence}>${problem}</${Sentence}>
      <p class="note wrap">Finished games are saved as .mat and .sgf in ${lobby.folder}.</p></${Section}>
    <div>
      <${Section} title="Without dice" id="without" note="No Chance Backgammon: in each turn, a side names a number and plays it together with the opponent's last number."><${NoChanceBegin} /></${Section}>
      ${open.length > 0 && html`<${Section} title="Continue" id="open"><${Matches} matches=${open} remove=${remove} /></${Section}>`}
      ${over.length > 0 && html`<${Section} title="Finished" id="over"><${Matches} matches=${over} remove=${remove} /></${Section}>`}
      ${lobby.damaged.map((sentence) => html`<${Sentence}>${sentence}</${Sentence}>`)}
    </div></div>`;
}

function Begin({ lobby, failed }) {
  const [rules, set] = useState({ length: "5", opponent: lobby.default, crawford: true, jacoby: true, beavers: false, by_hand: false });
  const change = (more) => set({ ...rules, ...more });
  const opponent = lobby.opponents.find(({ name }) => name === rules.opponent);
  const money = rules.length === "0";
  const check = (name, text) => html`<label class="check"><input type="checkbox" checked=${rules[name]}
    onChange=${(event) => change({ [name]: event.target.checked })} />${text}</label>`;
  const begin = async (event) => {
    event.preventDefault();
    try {
      const match = await send("/play/matches", {
        length: Number(rules.length),
        opponent: rules.opponent,
        crawford: rules.crawford,
        jacoby: money && rules.jacoby,
        beavers: money && opponent.beavers && rules.beavers ? 1 : 0,
        by_hand: rules.by_hand,
      });
      tell("matches");
      location.hash = `#/play/${match.key}`;
    } catch (error) {
      failed(error);
    }
  };
  return html`<form class="controls" onSubmit=${begin}>
    <${Against} lobby=${lobby} opponent=${opponent} choose=${(name) => change({ opponent: name })} />
    <div class="row"><${Choice} label="Play" name="kind" value=${money ? "money" : "match"} options=${[["match", "Match"], ["money", "Money"]]}
        onChange=${(kind) => change({ length: kind === "money" ? "0" : "5" })} />
      ${!money && html`<${Field} label="Points"><input type="number" min="1" max="99" required value=${rules.length} list="lengths"
        onInput=${(event) => Number(event.target.value) > 0 && change({ length: event.target.value })} /></${Field}>
        <datalist id="lengths">${LENGTHS.map((length) => html`<option value=${length} />`)}</datalist>`}</div>
    <div class="row">${money ? html`${check("jacoby", "Jacoby rule")}${opponent.beavers && check("beavers", "Beavers")}` : check("crawford", "Crawford rule")}
      ${check("by_hand", "Enter real dice")}</div>
    <p><button class="first">Begin</button></p>
  </form>`;
}

/** Choice of the opponent: levels and experiments, each sorted by strength. */
function Against({ lobby, opponent, choose }) {
  const options = (experiment) => lobby.opponents.filter((one) => one.experiment === experiment)
    .map(({ name, title, rating }) => [name, `${title}: PR ${rating.toFixed(1)}`]);
  return html`<${Select} label="Opponent, the strongest of each group first" groups=${[["Levels", options(false)], ["Experiments", options(true)]]} value=${opponent.name} onChange=${choose} />
    <p class="note"><strong>PR about ${opponent.rating.toFixed(1)}; 0 is perfect.</strong> ${opponent.text} At most ${opponent.seconds} s per play. The performance rating (PR) is 500 times the mean loss per play before the race: ${opponent.lost} ± ${opponent.lost_error} thousandths of a point, judged by GNU Backgammon two plies ahead.</p>`;
}

function Matches({ matches, remove }) {
  return html`<ul class="matches">${matches.map((match) => html`<li key=${match.key}>
    <a href=${`#/play/${match.key}`}>${match.opponent_title}, ${match.length ? `to ${match.length}` : "money"}: ${match.won[0]}–${match.won[1]}</a>
    <span class="note">${match.begun.slice(0, 10)}, game ${match.number}</span>
    <button type="button" class="small" onClick=${() => remove(match.key)} aria-label=${`Remove the match against ${match.opponent_title} of ${match.begun.slice(0, 10)}`}>Remove</button></li>`)}</ul>`;
}
