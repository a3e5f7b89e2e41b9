import { expect, test } from 'vitest';
import { fill } from './plural';

const tiles = { one: '{n} tile', other: '{n} tiles' };

test('the form follows the number, as the language has it', () => {
  expect(fill(tiles, { n: 1 }, 'en')).toBe('1 tile');
  expect(fill(tiles, { n: 0 }, 'en')).toBe('0 tiles');
  expect(fill({ one: '{n} point', other: '{n} points' }, { n: 0 }, 'fr')).toBe('0 point');
});

test('minus is a minus, and what has no value stays visible', () => {
  expect(fill('{n} points', { n: -5 }, 'en')).toBe('−5 points');
  expect(fill('{name} wins', {}, 'en')).toBe('{name} wins');
});

test('a name is never read as a pattern', () => {
  expect(fill('{name} wins', { name: '$& {n}' }, 'en')).toBe('$& {n} wins');
});
