import { expect, test } from 'vitest';
import type { Entry, Step, Told, Turn } from '../club/wire';
import { courseOf, logAt, numberOf, turnsOf } from './course';

function moment(seq: number, event: Told | null, phase: string, scores: number[]): Step {
  const turn = { phase, active: phase === 'first' ? null : 0, scores } as Turn;
  return { seq, at: 0, event, turn, view: {}, guide: {}, chance: null };
}

const STEPS = [
  moment(3, null, 'first', [0, 0]),
  moment(3, ['*', 'first 0'], 'roll', [0, 0]),
  moment(3, ['*', 'w1 w1 r1 y1 g1 b1'], 'white', [0, 0]),
  moment(4, [0, 'r2'], 'white', [0, 0]),
  moment(6, [1, '-'], 'color', [1, 0]),
  moment(7, [0, '-'], 'roll', [1, 0]),
  moment(7, ['*', 'w2 w2 r1 y1 g1 b1'], 'white', [1, 0]),
];
const ENTRIES = [1, 2, 3, 4, 5, 6, 7].map((seq): Entry => {
  const events = STEPS.flatMap((step) => (step.seq === seq && step.event ? [step.event] : []));
  return {
    seq,
    at: 0,
    what: events.length ? 'moved' : 'reacted',
    ...(events.length && { events }),
  };
});

test('turns lie between the moments at which one may begin', () => {
  expect(turnsOf(STEPS)).toEqual([1, 5, 6]);
  expect(turnsOf(STEPS.slice(0, 6))).toEqual([1, 5]);
  expect(turnsOf(STEPS.slice(0, 1))).toEqual([]);
});

test('a turn is over when the next begins, and the last is where the game stands', () => {
  expect(courseOf(STEPS.slice(0, 6))).toEqual([
    [0, 0],
    [1, 0],
  ]);
  expect(courseOf(STEPS)).toEqual([
    [0, 0],
    [1, 0],
    [1, 0],
  ]);
  expect(courseOf([])).toEqual([]);
  expect(courseOf(STEPS.slice(0, 1))).toEqual([]);
});

test('the log at a moment knows nothing of what came after it', () => {
  expect(logAt(ENTRIES, STEPS, 5).at(-1)).toMatchObject({ seq: 7, events: [[0, '-']] });
  expect(logAt(ENTRIES, STEPS, 6).at(-1)?.events).toHaveLength(2);
  expect(logAt(ENTRIES, STEPS, 3).map((entry) => entry.seq)).toEqual([1, 2, 3, 4]);
  expect(logAt(ENTRIES, STEPS, 0).at(-1)?.events).toEqual([]);
});

test('the numbers of moments grow with the game', () => {
  expect(STEPS.map((_, at) => numberOf(STEPS, at))).toEqual([3, 3.01, 3.02, 4, 6, 7, 7.01]);
});
