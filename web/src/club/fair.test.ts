import { expect, test } from 'vitest';
import { check, short } from './fair';
import type { Json, Proof, Told } from './wire';

// The worked example of docs/fairness.md.
const PROOF: Proof = {
  scheme: 'qlub-fair/1',
  commitment: '630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd',
  entropy: ['blue sky', 'Zoë', ''],
  secret: '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
};
const faces = (letter: string) => Array.from({ length: 6 }, (_, face) => `${letter}${face + 1}`);
const FIRST = { kind: 'first', seats: 3 };
const QWIXX = { kind: 'roll', dice: [...'wwrygb'].map(faces) };
const QWANTUM = [
  faces('w'),
  ...[
    'r1r4y5b1b5v6',
    'r2r6y1y3b5v4',
    'r1r3y2y4b4v3',
    'r5y6b2b4v1v3',
    'r3y4b2b6v2v5',
    'r6y1y5b3v2v6',
  ].map((die) => die.match(/../g) ?? []),
];
const BAG = [...'ROYGBP'].flatMap((colour) =>
  [...'oxdstc'].flatMap((shape) => Array.from({ length: 3 }, () => colour + shape)),
);

const happened = (text: string, chance: Json) => ({ event: ['*', text] as Told, chance });
const turn = [
  { event: null, chance: null },
  happened('first 1', FIRST),
  happened('w4 w2 r3 y3 g2 b6', QWIXX),
  { event: [1, 'r6'] as Told, chance: null },
  happened('w3 w1 r4 y4 g2 b6', QWIXX),
];

test('the turn of Qwixx follows from its secret', () => {
  const found = check(PROOF, turn);
  expect(found?.isFair).toBe(true);
  expect(found?.rolls.map((roll) => [roll.k, roll.kind, roll.due])).toEqual([
    [0, 'lot', 'first 1'],
    [1, 'throw', 'w4 w2 r3 y3 g2 b6'],
    [2, 'throw', 'w3 w1 r4 y4 g2 b6'],
  ]);
  expect(found?.rolls[0]?.draws).toEqual([
    { d: 0, n: 3, x: 14740097694287798716n, place: 1, what: 'first 1' },
  ]);
  expect(found?.rolls[2]?.draws[1]).toEqual({
    d: 1,
    n: 6,
    x: 99670145822737590n,
    place: 0,
    what: 'w1',
  });
});

test('a die of Qwantum that is kept takes its number too', () => {
  const lies = 'w4 r4 y1 y2 y6 v5 y5'.split(' ');
  const left = QWANTUM.map((die, i) => ([0, 3, 5].includes(i) ? die : [lies[i] ?? '']));
  const found = check(PROOF, [
    happened('first 1', FIRST),
    happened(lies.join(' '), { kind: 'roll', dice: QWANTUM }),
    happened('w3 r4 y1 y4 y6 v5 y5', { kind: 'reroll', dice: left }),
  ]);
  expect(found?.isFair).toBe(true);
  expect(found?.rolls[2]?.draws.map(({ n }) => n)).toEqual([6, 1, 1, 6, 1, 6, 1]);
});

test('the first hand of Qwirkle is drawn from the bag', () => {
  const deal = { kind: 'deal', seat: 0, count: 6, bag: BAG };
  const found = check(PROOF, [happened('0: Rd Rt Yc Bx Bs Pd', deal)]);
  expect(found?.isFair).toBe(true);
  expect(found?.rolls[0]?.draws.map(({ n, place, what }) => `${n} ${place} ${what}`)).toEqual([
    '108 52 Yc',
    '107 13 Rt',
    '106 73 Bx',
    '105 7 Rd',
    '104 78 Bs',
    '103 93 Pd',
  ]);
});

test('what was changed is found', () => {
  const changed = [...turn.slice(0, 2), happened('w4 w2 r6 y3 g2 b6', QWIXX)];
  const found = check(PROOF, changed);
  expect(found?.isFair).toBe(false);
  expect(found?.rolls[1]).toMatchObject({ matches: false, due: 'w4 w2 r3 y3 g2 b6' });
  const other = check({ ...PROOF, commitment: PROOF.commitment.replace('6', '7') }, turn);
  expect([other?.fits, other?.isFair]).toEqual([false, false]);
  expect(check({ ...PROOF, entropy: ['Blue sky', 'Zoë', ''] }, turn)?.isFair).toBe(false);
});

test('a sealed number cannot be checked', () => {
  expect(check({ ...PROOF, secret: null }, turn)).toBeNull();
});

test('digits are shown in fours', () => {
  expect(short(PROOF.commitment)).toBe('630d cd29 66c4 … 10dd');
});
