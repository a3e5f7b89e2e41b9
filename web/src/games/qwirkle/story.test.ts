/** What the log tells: moves, and what each move brought. */
import { describe, expect, test } from 'vitest';
import type { Entry } from '../../club/wire';
import { deeds, lastOf } from './story';
import { inTileOrder, readMove, writeLay } from './tiles';

const moved = (seq: number, seat: number, text: string, scores?: number[]): Entry => ({
  seq,
  at: 0,
  what: 'moved',
  seat,
  events: [
    [seat, text],
    ['*', `${seat}: 1`],
  ],
  ...(scores && { scores }),
});

describe('moves', () => {
  test('are read as they are told', () => {
    expect(readMove('Ro@-1,0 Rx@0,0')).toEqual({
      kind: 'lay',
      placed: [
        { tile: 'Ro', x: -1, y: 0 },
        { tile: 'Rx', x: 0, y: 0 },
      ],
    });
    expect(readMove('swap Ro Gx')).toEqual({ kind: 'swap', tiles: ['Ro', 'Gx'], count: 2 });
    expect(readMove('swap 2')).toEqual({ kind: 'swap', tiles: [], count: 2 });
    expect(readMove('-')).toEqual({ kind: 'pass' });
  });

  test('are written by y, then by x, and tiles in tile order', () => {
    const placed = [
      { tile: 'Rx', x: 2, y: -1 },
      { tile: 'Ro', x: 1, y: 3 },
      { tile: 'Gd', x: -4, y: -1 },
    ];
    expect(writeLay(placed)).toBe('Gd@-4,-1 Rx@2,-1 Ro@1,3');
    expect(inTileOrder(['Pc', 'Gx', 'Ro'])).toEqual(['Ro', 'Gx', 'Pc']);
  });
});

describe('points', () => {
  test('are the difference of scores that the log has', () => {
    const log = [
      moved(2, 0, 'Ro@0,0', [1, 0]),
      moved(3, 1, '-', [1, 0]),
      moved(4, 0, 'Rx@1,0', [3, 0]),
    ];
    expect(deeds(log).map((deed) => deed.points)).toEqual([1, 0, 2]);
    expect(deeds(log, 3)).toHaveLength(2);
  });

  test('are unknown where the log does not tell them', () => {
    expect(deeds([moved(2, 0, 'Ro@0,0')])[0]?.points).toBeNull();
    expect(lastOf([[1, 'swap 3']])?.move).toEqual({ kind: 'swap', tiles: [], count: 3 });
  });
});
