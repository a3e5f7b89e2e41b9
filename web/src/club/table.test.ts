import { expect, test, vi } from 'vitest';
import type { Entry } from './wire';

vi.stubGlobal('addEventListener', () => undefined);
vi.stubGlobal('document', { addEventListener: () => undefined });
const { merge } = await import('./table.svelte');

const moved = (seq: number, text: string | null): Entry => ({
  seq,
  at: 0,
  what: 'moved',
  seat: 1,
  events: [[1, text]],
});

test('what comes twice is kept once', () => {
  const known = [moved(1, 'r5'), moved(2, '-')];
  const all = merge(known, { entries: [moved(2, '-'), moved(3, 'g8')], revealed: [] });
  expect(all.map((entry) => entry.seq)).toEqual([1, 2, 3]);
});

test('a sealed decision is filled in once it lies open', () => {
  const known = [moved(1, null)];
  const revealed = [{ seq: 1, seat: 1, events: [[1, 'b7']] as [number, string][] }];
  const all = merge(known, { entries: [moved(2, '-')], revealed });
  expect(all[0]?.events).toEqual([[1, 'b7']]);
  expect(known[0]?.events).toEqual([[1, null]]);
});
