// Charts and sheets.

import { html } from "./vendor/htm-preact.js";

export function View() {
  return html`<h1>Charts</h1>`;
}
