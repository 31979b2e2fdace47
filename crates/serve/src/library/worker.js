// Keeps the articles that were opened, with their stored pictures, for reading without the network:
// the last 100 of them, and 50 MB. The network goes first. Nothing else is kept: no list, no answer
// of a form, nothing of apps and programs.
"use strict";
const [ARTICLES, PICTURES, PARTS] = ["articles", "pictures", "parts"];
const MAX_ARTICLES = 100;
const MAX_BYTES = 50e6;
const MAX_PICTURES_OF_ARTICLE = 100;

// The header of a kept answer with its size.
const BYTES = "x-forest-bytes";

const scope = new URL(registration.scope);
const at = (path) => new URL(path, scope).href;
const parts = ["filter/style.css", "filter/script.js", "filter/icon.svg"];
const lists = ["", "reader", "search"];
const isArticle = (path) => /^reader\/-?\d+$/.test(path);
const isPicture = (path) => /^archive\/resource\/[0-9a-f]+\.[a-z0-9]+$/.test(path);

addEventListener("install", (event) => {
  const keep = async () => (await caches.open(PARTS)).addAll(parts.map(at));
  event.waitUntil(keep().then(() => skipWaiting()));
});

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== scope.origin) return;
  const path = url.pathname.slice(scope.pathname.length);
  const isPage = request.mode === "navigate" && request.destination === "document";
  if (isPage && isArticle(path)) event.respondWith(article(event, url));
  else if (isPage && lists.includes(path)) event.respondWith(list(event));
  else if (parts.includes(path)) event.respondWith(part(event));
  else if (isPicture(path)) event.respondWith(picture(request));
});

// The server's answer; none without the network, or from a reverse proxy without the server behind it,
// whose page has no policy of ours.
async function served(request) {
  const answer = await fetch(request).catch(() => undefined);
  const isOurs = answer?.status < 502 || answer?.headers.has("content-security-policy");
  return isOurs ? answer : undefined;
}

async function list(event) {
  return (await served(event.request)) ?? offline();
}

async function article(event, url) {
  const [articles, key] = [await caches.open(ARTICLES), url.origin + url.pathname];
  const answer = await served(event.request);
  if (!answer) return (await articles.match(key)) ?? offline();
  const isLatest = !["version", "beside"].some((name) => url.searchParams.has(name));
  if (answer.status === 404) event.waitUntil(articles.delete(key));
  else if (answer.status === 200 && isLatest) event.waitUntil(keep(key, answer.clone()));
  return answer;
}

async function picture(request) {
  // Its name is its digest.
  return (await (await caches.open(PICTURES)).match(request.url)) ?? fetch(request);
}

async function part(event) {
  const kept = await caches.open(PARTS);
  const answer = await served(event.request);
  if (answer?.ok) event.waitUntil(kept.put(event.request.url, answer.clone()));
  return answer ?? (await kept.match(event.request.url)) ?? Response.error();
}

async function keep(key, answer) {
  const text = await answer.clone().text();
  await put(await caches.open(ARTICLES), key, answer);
  const pictures = await caches.open(PICTURES);
  const named = new Set(text.match(/archive\/resource\/[0-9a-f]+\.[a-z0-9]+/g));
  for (const path of [...named].slice(0, MAX_PICTURES_OF_ARTICLE)) {
    if (await pictures.match(at(path))) continue;
    const found = await fetch(at(path));
    if (found.ok) await put(pictures, at(path), found);
  }
  await forgetOld(pictures);
}

// The last that was put in is the last of the cache.
async function put(cache, key, answer) {
  const body = await answer.blob();
  const headers = new Headers(answer.headers);
  headers.set(BYTES, body.size);
  await cache.delete(key);
  await cache.put(key, new Response(body, { headers }));
}

// Articles are kept before pictures, and new ones before old ones.
async function forgetOld(pictures) {
  const articles = await caches.open(ARTICLES);
  for (const key of (await articles.keys()).slice(0, -MAX_ARTICLES)) await articles.delete(key);
  let bytes = 0;
  for (const cache of [articles, pictures]) {
    for (const key of (await cache.keys()).reverse()) {
      const kept = await cache.match(key);
      bytes += Number(kept?.headers.get(BYTES) ?? 0);
      if (bytes > MAX_BYTES) await cache.delete(key);
    }
  }
}

// The page that lists what is kept.
async function offline() {
  const articles = await caches.open(ARTICLES);
  let list = "";
  for (const key of (await articles.keys()).reverse()) {
    const kept = await articles.match(key);
    // As our own page has it: without markup.
    const [, title] = /<title>([^<]*) – forest<\/title>/.exec(await kept.text()) ?? [];
    if (title) list += `<li><a dir="auto" href="${new URL(key.url).pathname}">${title}</a></li>`;
  }
  const page = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Offline – forest</title>
<link rel="icon" type="image/svg+xml" href="${at("filter/icon.svg")}">
<link rel="stylesheet" href="${at("filter/style.css")}"></head><body><main id="main"><div class="measure">
<h1>You are offline</h1>
${list ? `<p>These articles are kept:</p><ul>${list}</ul>` : "<p>No article is kept.</p>"}
</div></main></body></html>`;
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy":
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  };
  return new Response(page, { status: 503, headers });
}
