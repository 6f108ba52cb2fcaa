// Service worker of a static site. It serves the page from this device, and also tables
// that are stored on it (kept.js). `bearoff site` inserts the list of files and the
// version.
// @ts-check

const worker = /** @type {any} */ (self);
const FILES = "FILES";
const SHELL = `bearoff VERSION ${worker.registration.scope}`;
const TABLES = `bearoff tables ${worker.registration.scope}`;

worker.addEventListener("install", (event) => {
  const fresh = [...FILES].map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(fresh)).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("bearoff ") && name.endsWith(` ${worker.registration.scope}`) && ![SHELL, TABLES].includes(name);
  const clear = caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))));
  event.waitUntil(clear.then(() => worker.clients.claim()));
});

worker.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(worker.registration.scope)) event.respondWith(answer(event.request));
});

async function answer(request) {
  const kept = await keptOf(request);
  if (!kept) return fetch(request);
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get("range") ?? "");
  if (!range) return kept;
  const [from, to] = range.slice(1).map(Number);
  const part = (await kept.blob()).slice(from, to + 1);
  return new Response(part, { status: 206, headers: { "content-range": `bytes ${from}-${to}/*` } });
}

async function keptOf({ url }) {
  for (const name of [SHELL, TABLES]) {
    const found = await (await caches.open(name)).match(url, { ignoreSearch: true, ignoreVary: true });
    if (found) return found;
  }
  return undefined;
}
