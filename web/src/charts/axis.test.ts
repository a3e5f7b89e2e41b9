import { expect, test } from 'vitest';
import { bins, pathOf, scaleFor, spread, stepFor, ticks } from './axis';

test('steps are round', () => {
  expect([3, 20, 62, 70, 480].map((span) => stepFor(span, 4))).toEqual([1, 5, 20, 20, 200]);
});

test('ticks lie between the ends', () => {
  expect(ticks(0, 62)).toEqual([0, 20, 40, 60]);
  expect(ticks(-10, 62)).toEqual([0, 20, 40, 60]);
  expect(ticks(-25, 62, 5)).toEqual([-20, 0, 20, 40, 60]);
  expect(ticks(0, 0)).toEqual([0]);
});

test('labels are moved apart, and stay inside', () => {
  expect(spread([50, 52, 90], 10)).toEqual([50, 60, 90]);
  expect(spread([100, 98, 0], 8)).toEqual([100, 92, 0]);
});

test('every value is in one bin', () => {
  const found = bins([-3, 40, 44, 45, 98]);
  expect(found.map(({ from, to }) => [from, to])[0]).toEqual([-20, 0]);
  expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(5);
  expect(bins([])).toEqual([]);
  expect(bins([7])).toEqual([{ from: 5, to: 10, count: 1 }]);
});

test('a scale has room for every value and for nothing', () => {
  const scale = scaleFor([-5, 20]);
  expect(scale.up(-5)).toBe(0);
  expect(scale.up(21)).toBe(100);
  expect(scaleFor([]).low).toBe(0);
  expect(
    pathOf([
      { x: 0, y: 0 },
      { x: 50, y: 100 },
    ]),
  ).toBe('M0.00 100.00 50.00 0.00');
});
