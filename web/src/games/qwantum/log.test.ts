import { describe, expect, it } from 'vitest';
import type { Entry, Told } from '../../club/wire';
import type { Seated } from './guide';
import { isFirstThrow, rolledAgain, thrown, written } from './log';

const FIRST = 'w4 v6 v4 b4 y6 b6 r6';
const SECOND = 'w4 v6 v4 b4 y6 b2 y1';
const dice = [...'w123456'].map((name) => ({ name, colour: 'v', number: 1 }));

function sitting(events: Told[], log: Told[][] = []): Seated {
  const entries = log.map((told, index): Entry => ({
    seq: index,
    at: 0,
    what: 'moved',
    events: told,
  }));
  return { events, entries, guide: { dice } } as unknown as Seated;
}

describe('thrown', () => {
  it('is all seven dice after a first throw', () => {
    expect(thrown(sitting([['*', FIRST]])).size).toBe(7);
  });

  it('is the dice that were rolled again after a second', () => {
    const events: Told[] = [
      [0, 'reroll 5,6'],
      ['*', SECOND],
    ];
    expect([...thrown(sitting(events))]).toEqual(['5', '6']);
  });

  it('is found in the log when events come one by one', () => {
    const log: Told[][] = [
      [['*', FIRST]],
      [
        [0, 'reroll w,2'],
        ['*', SECOND],
      ],
    ];
    expect([...thrown(sitting([['*', SECOND]], log))]).toEqual(['w', '2']);
  });

  it('is nothing when nobody threw', () => {
    expect(thrown(sitting([[0, 'v14']])).size).toBe(0);
  });
});

describe('written', () => {
  it('is what everybody wrote in the last turn in which somebody did', () => {
    const log: Told[][] = [
      [
        ['*', 'first 0'],
        ['*', FIRST],
      ],
      [[0, 'y3']],
      [['*', FIRST]],
      [
        [1, 'reroll 6'],
        ['*', SECOND],
      ],
      [[1, 'v14']],
      [[0, 'b8']],
      [
        [1, '-'],
        ['*', FIRST],
      ],
    ];
    expect([...written(sitting([], log))]).toEqual(['1v14', '0b8']);
  });
});

describe('the beginning', () => {
  it('lasts until somebody decides', () => {
    const start: Told[] = [
      ['*', 'first 1'],
      ['*', FIRST],
    ];
    expect(isFirstThrow(sitting([], [start]))).toBe(true);
    expect(isFirstThrow(sitting([], [start, [[1, 'keep']]]))).toBe(false);
    expect(isFirstThrow(sitting([]))).toBe(false);
  });

  it('knows moves that roll dice again', () => {
    expect(rolledAgain('reroll w,1,4')).toEqual(['w', '1', '4']);
    expect(rolledAgain('keep')).toEqual([]);
  });
});
