/** The addresses of the pages. */

export type Route =
  | { page: 'home' }
  | { page: 'new'; game: string; how: 'friends' | 'device' }
  | { page: 'table'; table: string }
  | { page: 'learn'; game: string | null }
  | { page: 'rules'; game: string }
  | { page: 'results' }
  | { page: 'missing' };

const WORD = '([a-z0-9_-]+)';

/** The page of an address. */
export function read(path: string): Route {
  const is = (pattern: string) => new RegExp(`^${pattern}/?$`, 'i').exec(path);
  let found;
  if (is('')) return { page: 'home' };
  if ((found = is(`/new/${WORD}/(friends|device)`)))
    return { page: 'new', game: found[1] ?? '', how: found[2] as 'friends' | 'device' };
  if ((found = is(`/t/${WORD}`))) return { page: 'table', table: found[1] ?? '' };
  if ((found = is(`/learn(?:/${WORD})?`))) return { page: 'learn', game: found[1] ?? null };
  if ((found = is(`/rules/${WORD}`))) return { page: 'rules', game: found[1] ?? '' };
  if (is('/results')) return { page: 'results' };
  return { page: 'missing' };
}

let route = $state.raw(read(location.pathname));

export function here(): Route {
  return route;
}

/** Go to another page of the club without loading anything anew. */
export function go(path: string, replace = false): void {
  history[replace ? 'replaceState' : 'pushState']({}, '', path);
  arrive();
}

function arrive(): void {
  route = read(location.pathname);
  scrollTo(0, 0);
}

addEventListener('popstate', () => (route = read(location.pathname)));

/** Follow links of our own without a new page; everything else stays the browser's. */
export function follow(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest('a');
  if (!link || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (link.pathname.startsWith('/api')) return;
  if (link.pathname === location.pathname && link.hash) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}
