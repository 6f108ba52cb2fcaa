// The calculator: a race on the board, and what is right there.

import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { useAnswer } from "./api.js";
import { Board } from "./board.js";
import { START, asRequest, fromXgid, toXgid } from "./race.js";
import { Sentence, Verdict, announce } from "./ui.js";

export function View({ path }) {
  const [race, setRace] = useState(() => fromXgid(path[0] ?? "") ?? START);
  useEffect(() => {
    const linked = fromXgid(path[0] ?? "");
    if (linked && toXgid(linked) !== toXgid(race)) setRace(linked);
  }, [path[0]]);
  const change = (more) => {
    const next = { ...race, ...more };
    setRace(next);
    history.replaceState(null, "", `#/calculator/${toXgid(next)}`);
  };
  const { data, error } = useAnswer("/race", asRequest(race));
  useEffect(() => data && announce(data.action ?? "No cube decision"), [data]);
  return html`<h1 class="hidden">Calculator</h1>
    <div class="columns"><${Board} ...${race} onChange=${change} />
    <div>${error ? html`<${Sentence}>${error}</${Sentence}>`
      : data && html`<${Verdict} action=${data.action} tooClose=${data.too_close} />`}</div></div>`;
}
