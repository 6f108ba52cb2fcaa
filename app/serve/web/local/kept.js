// Section below the calculator of a static site: what the site can answer, and which tables
// are stored on this device.
// @ts-check

import { html, render, useEffect, useState } from "../vendor/htm-preact.js";
import { Sentence, announce } from "../ui.js";

const SITE = new URL("../", import.meta.url);
const TABLES = `bearoff tables ${SITE.href}`;

function Kept() {
  const [contents, setContents] = useState(/** @type {any} */ (null));
  const [state, setState] = useState({ kept: false, done: null, problem: null });
  const [working, setWorking] = useState(false);
  useEffect(() => {
    fetch(new URL("data/site.json", SITE)).then((response) => response.json()).then(async (found) => {
      setContents(found);
      setWorking(Boolean(navigator.serviceWorker) && "caches" in globalThis);
      setState({ kept: await areKept(filesOf(found)), done: null, problem: null });
    }).catch(() => {}); // The calculator reports what cannot be loaded.
  }, []);
  if (!contents) return null;
  const [own, ...others] = contents.tables;
  const keep = async () => {
    try {
      await keepAll(filesOf(contents), (done) => setState({ kept: false, done, problem: null }));
      setState({ kept: true, done: null, problem: null });
      announce("All tables are stored on this device");
    } catch (error) {
      setState({ kept: false, done: null, problem: `The tables could not be stored: ${error.message}.` });
    }
  };
  const forget = async () => {
    await caches.delete(TABLES);
    setState({ kept: false, done: null, problem: null });
  };
  const size = `${Math.round(own.bytes / 1e6)} MB`;
  return html`<p class="note">Answers are computed in this browser; nothing is sent. In money play they are exact up to
      ${" "}${own.checkers} checkers a side${others.length > 0 && " and in races of a larger table"}; all other answers are from the fast model.${" "}
      <a href="LICENSE.txt">Licence</a>. bearoff ${contents.version}.</p>
    ${working && html`<p class="row">${state.done !== null
      ? html`<progress value=${state.done} aria-label="Tables stored" />`
      : state.kept ? html`<button type="button" class="small" onClick=${forget}>Remove the tables from this device</button>`
      : html`<button type="button" class="small" onClick=${keep}>Store the tables for offline use (${size})</button>`}
      <span class="note">${state.kept ? "Works offline." : "Without the tables, exact answers require the network."}</span></p>`}
    <${Sentence}>${state.problem}</${Sentence}>`;
}

const filesOf = ({ files, tables }) => files.filter((name) => name.startsWith(`${tables[0].folder}/`)).map((name) => new URL(name, SITE).href);

async function areKept(urls) {
  if (!("caches" in globalThis) || !(await caches.has(TABLES))) return false;
  const cache = await caches.open(TABLES);
  return (await Promise.all(urls.map((url) => cache.match(url)))).every(Boolean);
}

async function keepAll(urls, tell) {
  const cache = await caches.open(TABLES);
  for (const [place, url] of urls.entries()) {
    tell(place / urls.length);
    await cache.add(url);
  }
}

render(html`<${Kept} />`, document.getElementById("site"));
navigator.serviceWorker?.register(new URL("sw.js", SITE)).catch(() => {}); // Without a service worker, the page does not work offline.
