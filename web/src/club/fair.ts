/**
 * Works out again, in this page, what chance had to supply: docs/fairness.md byte by byte.
 *
 * The browser's own SHA-256 is not used: it is missing where the club is reached without https.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Proof, Step } from './wire';

const SCHEME = 'qlub-fair/1';
const SPAN = 2n ** 64n;

export type Chance =
  | { kind: string; seats: number }
  | { kind: string; dice: string[][] }
  | { kind: string; seat: number; count: number; bag: string[] };

/** One number that was drawn: place `place` of `n`, from the block `d` of its chance event. */
export interface Draw {
  d: number;
  n: number;
  x: bigint;
  place: number;
  /** What lay at that place. */
  what: string;
}

/** One chance event, as it was told and as it had to be. */
export interface Roll {
  k: number;
  kind: 'lot' | 'throw' | 'draw';
  told: string;
  due: string;
  matches: boolean;
  draws: Draw[];
}

export interface Check {
  /** Whether the number that was opened is the one whose print was shown. */
  fits: boolean;
  rolls: Roll[];
  /** Whether everything is as it had to be. */
  isFair: boolean;
}

/** Check the chance of a game that is over, or nothing if its number is still sealed. */
export function check(
  proof: Proof,
  steps: Pick<Step, 'event' | 'chance'>[],
  noted: string | null = null,
): Check | null {
  if (proof.secret === null || proof.scheme !== SCHEME) return null;
  const secret = hexToBytes(proof.secret);
  const rolls: Roll[] = [];
  for (const { event, chance } of steps) {
    if (event?.[0] !== '*' || !chance) continue;
    const source = new Source(secret, prefix(proof.entropy), rolls.length);
    const [kind, due] = supply(chance as unknown as Chance, source);
    const told = event[1] ?? '';
    const { draws } = source;
    rolls.push({ k: rolls.length, kind, told, due, matches: told === due, draws });
  }
  const print = bytesToHex(sha256(secret));
  const fits = print === proof.commitment && (noted ?? print) === print;
  return { fits, rolls, isFair: fits && rolls.every((roll) => roll.matches) };
}

/** What every block of a game begins with: the scheme, and the texts that the seats added. */
function prefix(entropy: string[]): Uint8Array {
  const texts = entropy.map((text) => utf8ToBytes(text));
  return concatBytes(
    utf8ToBytes(SCHEME),
    ...texts.flatMap((text) => [bigEndian(text.length, 4), text]),
  );
}

/** Supply what was needed, from the numbers of a source. */
function supply(chance: Chance, source: Source): [Roll['kind'], string] {
  if ('seats' in chance) {
    const places = Array.from({ length: chance.seats }, (_, seat) => `first ${seat}`);
    return ['lot', source.pick(places).what];
  }
  if ('dice' in chance)
    return ['throw', chance.dice.map((faces) => source.pick(faces).what).join(' ')];
  const left = chance.bag.map((tile, place) => ({ tile, place }));
  const taken = Array.from({ length: chance.count }, () => {
    const { place } = source.pick(left.map(({ tile }) => tile));
    return left.splice(place, 1)[0];
  });
  // The bag lies in tile order, and so does what is written of a draw.
  const tiles = taken.sort((a, b) => (a?.place ?? 0) - (b?.place ?? 0)).map((one) => one?.tile);
  return ['draw', `${chance.seat}: ${tiles.join(' ')}`];
}

/** The numbers of one chance event, one after the other. */
class Source {
  draws: Draw[] = [];
  #secret: Uint8Array;
  #start: Uint8Array;
  #d = 0;

  constructor(secret: Uint8Array, start: Uint8Array, k: number) {
    this.#secret = secret;
    this.#start = concatBytes(start, bigEndian(k, 8));
  }

  /** Pick one of a list. */
  pick(from: string[]): Draw {
    const n = BigInt(from.length);
    const fitting = SPAN - (SPAN % n); // from here on, some remainders would come up more often
    for (;;) {
      const d = this.#d++;
      const block = hmac(sha256, this.#secret, concatBytes(this.#start, bigEndian(d, 8)));
      const x = new DataView(block.buffer, block.byteOffset).getBigUint64(0);
      if (x >= fitting) continue;
      const place = Number(x % n);
      const draw = { d, n: from.length, x, place, what: from[place] ?? '' };
      this.draws.push(draw);
      return draw;
    }
  }
}

function bigEndian(number: number, length: 4 | 8): Uint8Array {
  const bytes = new Uint8Array(length);
  new DataView(bytes.buffer).setUint32(length - 4, number);
  return bytes;
}

/** Hexadecimal digits in fours, the middle left out: enough to compare at a glance. */
export function short(digits: string): string {
  const fours = digits.match(/.{1,4}/g) ?? [];
  return fours.length < 6 ? fours.join(' ') : `${fours.slice(0, 3).join(' ')} … ${fours.at(-1)}`;
}
