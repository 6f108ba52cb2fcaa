// Glossary: terms of the field, from the documentation.
// @ts-check

import { html, useEffect, useRef } from "./vendor/htm-preact.js";
import { useGet } from "./asking.js";
import { Section, Sentence, capital } from "./ui.js";

/** `#/glossary/epc` shows one term instead of all. */
export function View({ path }) {
  const { data, error, trouble } = useGet("/glossary");
  const there = useRef(null);
  useEffect(() => {
    there.current?.scrollIntoView({ block: "center" });
    there.current?.focus({ preventScroll: true });
  }, [data, path[0]]);
  return html`<h1 class="hidden">Glossary</h1>
    <${Section} title="Glossary" id="glossary"><${Sentence}>${error ?? trouble}</${Sentence}>
      <dl class="glossary">${(data?.terms ?? []).map(({ id, name, text }) => html`<div key=${id} id=${`term-${id}`}
          class=${id === path[0] ? "there" : undefined} tabindex=${id === path[0] ? -1 : undefined} ref=${id === path[0] ? there : undefined}>
        <dt>${name}</dt><dd>${capital(text)}</dd></div>`)}</dl>
    </${Section}>`;
}
