// Help: keyboard shortcuts, and settings for them.
// @ts-check

import { html, useState } from "./vendor/htm-preact.js";
import { KEYS, changeKey, resetKeys, switchKeys, useSettings } from "./keys.js";
import { Sentence } from "./ui.js";

const ON_THE_BOARD = [
  ["← →", "go to the next point"],
  ["↑ ↓ or + −", "add a checker, or remove one"],
  ["0 to 9", "set the number of checkers on the point; 1 and then 2 gives 12"],
  ["Delete", "remove all checkers from the point"],
];

const EVERYWHERE = [
  ["Ctrl Z", "calculator: undo a change of the board"],
  ["Ctrl Y", "calculator: redo the change"],
  ["Ctrl V", "paste a position"],
];

/** Contents of the help dialog; `dialog` is a reference to its element. */
export function Help({ dialog }) {
  const { on, keys } = useSettings();
  const [problem, setProblem] = useState(null);
  const list = (rows) => rows.map(([key, text]) => html`<dt><kbd>${key}</kbd></dt><dd>${text}</dd>`);
  // On closing, the focus is removed at once. Otherwise a field of the closed dialog would
  // keep it, and receive keys, until the next paint.
  const leave = () => /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
  return html`<dialog ref=${dialog} aria-labelledby="help-title" onCancel=${leave}>
    <h2 id="help-title">Keyboard</h2>
    <h3>Anywhere</h3><dl>${list(EVERYWHERE)}</dl>
    <h3>On a point of the board</h3><dl>${list(ON_THE_BOARD)}</dl>
    <h3>Single keys</h3>
    <label class="check"><input type="checkbox" checked=${on}
      onChange=${(event) => switchKeys(event.target.checked)} />Use single-key shortcuts everywhere</label>
    <div class="keys">${KEYS.map(([name, , text]) => html`<label key=${name}>
      <input size="2" maxlength="1" value=${keys[name]} autocomplete="off" disabled=${!on && name !== "other"}
        onFocus=${(event) => event.target.select()}
        onChange=${(event) => {
          setProblem(changeKey(name, event.target.value));
          event.target.value = keys[name]; // If the new key was rejected, the old one is shown again.
        }} /> ${text}</label>`)}</div>
    <p class="note">In the trainer, 1 to 9 choose an answer; without dice they name a number. In Play, the arrow keys move between points, and Enter moves a checker.</p>
    <${Sentence}>${problem}</${Sentence}>
    <form method="dialog" class="row"><button>Close</button>
      <button type="button" onClick=${() => setProblem(resetKeys())}>Reset keys</button></form>
  </dialog>`;
}
