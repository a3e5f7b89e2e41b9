/**
 * The service worker: keeps all files of this version of the pages, so that they open without a
 * network. The build puts VERSION and SHELF before it.
 *
 * A new version waits until no page of the old one is open, so an open page always finds its own
 * files. Nothing of a new version is ever put among the files of an old one.
 */
declare const VERSION: string;
declare const SHELF: string[];
declare const self: ServiceWorkerGlobalScope;

const OURS = 'qlub-';
const CACHE = OURS + VERSION;
const PATIENCE = 3_000; // milliseconds for the page itself; what is kept is better than waiting

self.addEventListener('install', (event) => event.waitUntil(keepAll()));
self.addEventListener('activate', (event) => event.waitUntil(tidyUp()));
self.addEventListener('notificationclick', (event) => event.waitUntil(show(event.notification)));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== 'GET' || address.origin !== location.origin) return;
  if (/^\/(api|healthz|metrics)(\/|$)/.test(address.pathname)) return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (SHELF.includes(address.pathname)) event.respondWith(file(request));
});

async function keepAll(): Promise<void> {
  const cache = await caches.open(CACHE);
  // Files under /assets never change; the others may be older in the browser's own cache.
  await cache.addAll(
    SHELF.map((path) =>
      path.startsWith('/assets/') ? path : new Request(path, { cache: 'no-cache' }),
    ),
  );
}

/** Bring the table of a notification to the front, in its own window if it has one. */
async function show(notification: Notification): Promise<void> {
  notification.close();
  const path = `/t/${notification.tag}`;
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = open.find((one) => new URL(one.url).pathname === path);
  await (there ? there.focus() : self.clients.openWindow(path));
}

async function tidyUp(): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith(OURS) && name !== CACHE) await caches.delete(name);
  await self.clients.claim();
}

/** The page from the network, so that a new version is seen at once; if that fails, as it was kept. */
async function page(request: Request): Promise<Response> {
  const fresh = fetch(request).then((response) => {
    if (response.status >= 500) throw new Error(response.statusText);
    return response;
  });
  try {
    return await soon(fresh);
  } catch {
    return (await kept('/')) ?? fresh;
  }
}

async function file(request: Request): Promise<Response> {
  return (await kept(new URL(request.url).pathname)) ?? fetch(request);
}

async function kept(path: string): Promise<Response | undefined> {
  return (await caches.open(CACHE)).match(path);
}

function soon<T>(promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    setTimeout(reject, PATIENCE);
    promise.then(resolve, reject);
  });
}

export {};
