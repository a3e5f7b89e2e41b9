/** How crosses and rows are called. */
import type { Chair } from '../../club/wire';
import { capital, listed, t } from '../../words/index.svelte';
import type { Named } from './guide';

/** `red 8`, `red 12 and the lock`, `pass`. */
export function nameOf(move: Named): string {
  if (move.colour === null || move.number === null) return t('qwixx.pass');
  const name = cellName(move.colour, move.number);
  return move.locks ? t('qwixx.cross.lock', { name }) : name;
}

export function cellName(colour: string, number: number): string {
  return t('qwixx.cross', { ...colourWords(colour), number });
}

/** A colour for a text: `{colour}`, or `{Colour}` where the language makes a noun of it. */
export function colourWords(colour: string): { colour: string; Colour: string } {
  const word = t(`colour.${colour}`);
  return { colour: word, Colour: capital(word) };
}

/** A number with a true minus. */
export function written(n: number): string {
  return String(n).replace('-', '−');
}

/** `Robin and you`: who did something, for texts that go on with "by". */
export function byWhom(by: number[], seats: Chair[], me: number | null): string {
  const others = by.filter((seat) => seat !== me).map((seat) => seats[seat]?.name ?? '');
  return listed(me !== null && by.includes(me) ? [...others, t('qwixx.by.you')] : others);
}
