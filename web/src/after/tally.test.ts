import { expect, test } from 'vitest';
import type { Result } from '../club/wire';
import { tallyOf } from './tally';

const result = (at: number, score: number, more: Partial<Result> = {}): Result => ({
  table: 'abc',
  at,
  game: 'qwixx',
  seats: 2,
  seat: 0,
  name: 'Ann',
  score,
  place: 1,
  gave_up: false,
  ...more,
});

test('nobody is beaten alone, and who gave up has no score', () => {
  const tally = tallyOf([
    result(3, 90, { gave_up: true }),
    result(2, 60, { seats: 1 }),
    result(1, 40),
    result(0, 50, { place: 2 }),
  ]);
  expect(tally).toMatchObject({ games: 4, wins: 1, mean: 50, best: 60 });
  expect(tally.finished.map((one) => one.at)).toEqual([0, 1, 2]);
  expect(tallyOf([])).toMatchObject({ games: 0, mean: null, best: null });
});
