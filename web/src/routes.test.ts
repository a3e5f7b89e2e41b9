import { expect, test, vi } from 'vitest';

vi.stubGlobal('location', { pathname: '/' });
vi.stubGlobal('addEventListener', () => undefined);
const { read } = await import('./routes.svelte');

test.each([
  ['/', { page: 'home' }],
  ['/t/hxf3bpewgq', { page: 'table', table: 'hxf3bpewgq' }],
  ['/t/hxf3bpewgq/', { page: 'table', table: 'hxf3bpewgq' }],
  ['/new/qwixx/friends', { page: 'new', game: 'qwixx', how: 'friends' }],
  ['/new/qwixx/strangers', { page: 'missing' }],
  ['/learn', { page: 'learn', game: null }],
  ['/learn/qwirkle', { page: 'learn', game: 'qwirkle' }],
  ['/rules/qwantum', { page: 'rules', game: 'qwantum' }],
  ['/results', { page: 'results' }],
  ['/t/<script>', { page: 'missing' }],
  ['/there/is/no/page', { page: 'missing' }],
])('%s', (path, route) => {
  expect(read(path)).toEqual(route);
});
