// The frame of the page: tabs, colour scheme and help. The module of a tab is loaded when
// the tab is first opened.
// @ts-check

import { html, render, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./vendor/htm-preact.js";
import { get, persist, served } from "./api.js";
import { Help } from "./help.js";
import { keyOf, useKeys, usePressed } from "./keys.js";
import { decoded } from "./race.js";
import { Sentence } from "./ui.js";

const TABS = [
  ["calculator", "Calculator"],
  ["play", "Play"],
  ["trainer", "Trainer"],
  ["review", "Review"],
  ["library", "Library"],
  ["charts", "Charts"],
].filter(([tab]) => served || tab === "calculator");

/**
 * All views. Settings and glossary have no tab, and a static site has only the calculator.
 */
const VIEWS = [...TABS, ["settings", "Settings"], ["glossary", "Glossary"]].filter(([name]) => served || name === "calculator");

/** Return the tab and the remaining parts of the address `#/tab/part/part`. */
export function place(hash = location.hash) {
  const [, tab = "", ...path] = hash.split("/");
  const known = VIEWS.some(([name]) => name === tab);
  return known ? { tab, path: path.map(decoded), lost: "" } : { tab: "calculator", path: [], lost: tab };
}

function App() {
  const [here, setHere] = useState(place);
  const [view, setView] = useState(/** @type {{ tab?: string, View?: unknown, error?: string }} */ ({}));
  const help = useRef(null);
  // This component is rendered only when its own state changes. Otherwise text that is
  // being typed would be lost.
  const keys = useMemo(() => html`<${Help} dialog=${help} />`, []);
  useLayoutEffect(() => {
    const moved = () => setHere(place());
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  useEffect(() => {
    document.title = `${VIEWS.find(([tab]) => tab === here.tab)[1]} – bearoff`;
    let left = false; // Whether the user chose another tab while this one was loading.
    const control = new AbortController();
    import(`./${here.tab}.js`).then(
      (module) => left || setView({ tab: here.tab, View: module.View }),
      async (error) => {
        if (left) return;
        setView({ tab: here.tab, error: String(error) });
        if (await wasAway(control.signal)) location.reload();
      },
    );
    return () => {
      left = true;
      control.abort();
    };
  }, [here.tab]);
  useShortcuts(help);
  useFocusKept();
  return html`
    <a class="skip" href="#main" onClick=${skip}>To the contents</a>
    <header class="top">
      <a class="brand" href="#/calculator">bearoff</a>
      <nav aria-label="Views">${TABS.map(([tab, text]) => html`
        <a key=${tab} href=${`#/${tab}`}
          aria-current=${tab === here.tab ? "page" : undefined}>${text}</a>`)}</nav>
      <div class="tools">
        ${served && html`<a class="plain" href="#/settings" title="Settings" aria-current=${here.tab === "settings" ? "page" : undefined}><span class="hidden">Settings</span><${Gear} /></a>`}
        <button type="button" class="plain" onClick=${turn} title="Light or dark">
          <span class="hidden">Light or dark</span><${HalfMoon} /></button>
        <button type="button" class="plain" onClick=${() => help.current.showModal()}
          title="Keyboard shortcuts"><span class="hidden">Keyboard shortcuts</span>?</button>
      </div>
    </header>
    <main id="main" tabindex="-1">
      ${here.lost && html`<${Sentence}>There is no view “${here.lost}”: the link is broken. This is the calculator.</${Sentence}>`}${
      view.error ? html`<${Sentence}>This view could not be loaded: ${view.error}</${Sentence}>`
      : view.tab === here.tab && html`<${view.View} path=${here.path} />`}</main>
    ${keys}`;
}

/** Wait until the server answers, and tell the user if it did not answer at first. */
async function wasAway(signal) {
  let away = false;
  const told = () => (away = true);
  await persist(() => get("/formulas", {}, { signal }), { signal, told }).catch(() => (away = false));
  return away;
}

function Gear() {
  return html`<svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" fill="none" stroke="currentColor">
    <circle cx="10" cy="10" r="6.5" stroke-width="2.6" stroke-dasharray="2.6 2.5" />
    <circle cx="10" cy="10" r="4.6" stroke-width="1.8" /></svg>`;
}

function HalfMoon() {
  return html`<svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
    <circle cx="10" cy="10" r="8" fill="none" stroke="currentColor" stroke-width="2" />
    <path d="M10 2a8 8 0 0 1 0 16z" fill="currentColor" /></svg>`;
}

function skip(event) {
  event.preventDefault();
  document.getElementById("main").focus();
}

function turn() {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  root.dataset.theme = (root.dataset.theme ?? dark) === "dark" ? "light" : "dark";
  localStorage.setItem("bearoff.theme", root.dataset.theme);
}

/** Keep the focus in the view if the focused control disappears or is disabled. */
function useFocusKept() {
  useEffect(() => {
    const main = document.getElementById("main");
    let last = null; // Element of the view that had the focus last.
    const came = ({ target }) => (last = main.contains(target) ? target : null);
    const observer = new MutationObserver(() => {
      if (!last || (last.isConnected && !last.disabled)) return;
      if ([document.body, last].includes(document.activeElement)) main.focus({ preventScroll: true });
    });
    document.addEventListener("focusin", came);
    observer.observe(main, { childList: true, subtree: true, attributeFilter: ["disabled"] });
    return () => {
      document.removeEventListener("focusin", came);
      observer.disconnect();
    };
  }, []);
}

/** Keyboard shortcuts of the whole page. */
function useShortcuts(help) {
  const go = useRef(false); // Whether the previous key was the one for opening a tab.
  usePressed((event) => {
    const tab = go.current && TABS[Number(event.key) - 1];
    go.current = event.key === keyOf("go");
    if (!tab) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    location.hash = `#/${tab[0]}`;
  });
  useKeys({ help: () => help.current.showModal(), theme: turn });
}

const root = document.getElementById("app");
root.replaceChildren();
render(html`<${App} />`, root);
