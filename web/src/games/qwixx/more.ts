/** Qwixx in sentences: what happened, what points are made of, why it ended. */
import { listed, t } from '../../words/index.svelte';
import type { GameMore, Part, Telling } from '../contract';
import type { Guide } from './guide';
import { byWhom, cellName, colourWords } from './names';

const COLOURS: Record<string, string> = { r: 'red', y: 'yellow', g: 'green', b: 'blue' };

export const tell: GameMore['tell'] = (actor, text, telling) => {
  if (actor === '*') return text.startsWith('first ') ? first(text, telling) : roll(text);
  const name = telling.seats[actor]?.name ?? '';
  const who = actor === telling.me ? 'you' : 'other';
  if (text === '-') return t(`qwixx.tell.pass.${who}`, { name });
  const words = colourWords(COLOURS[text.charAt(0)] ?? '');
  return t(`qwixx.tell.cross.${who}`, { name, ...words, number: text.slice(1) });
};

/** Dice on felt for a roll, a pencil for a cross. */
export const sound: GameMore['sound'] = (actor, text) => {
  if (actor === '*') return text.startsWith('first ') ? null : 'dice';
  return text === '-' ? null : 'pencil';
};

function first(text: string, { seats, me }: Telling): string {
  const seat = Number(text.slice('first '.length));
  const who = seat === me ? 'you' : 'other';
  return t(`qwixx.tell.first.${who}`, { name: seats[seat]?.name ?? '' });
}

function roll(text: string): string {
  const dice = text.split(' ').map((die) => ({ letter: die.charAt(0), face: die.slice(1) }));
  const white = dice.filter((die) => die.letter === 'w').map((die) => die.face);
  const coloured = dice
    .filter((die) => die.letter !== 'w')
    .map((die) => cellName(COLOURS[die.letter] ?? '', Number(die.face)));
  const whites = `${t('qwixx.white')} ${white.join(' + ')}`;
  return t('qwixx.tell.roll', { dice: listed([whites, ...coloured]) });
}

export const parts: GameMore['parts'] = (seat, _view, told) => {
  const guide = told as unknown as Guide;
  const sheet = guide.sheets[seat];
  if (!sheet) return [];
  const found = guide.rows.map(({ colour }, index): Part => ({
    label: t(`letter.${colour}`),
    name: t(`colour.${colour}`),
    points: sheet.rows[index]?.points ?? 0,
    pigment: colour,
  }));
  const lost = {
    label: t('qwixx.penalties.letter'),
    name: t('qwixx.penalties'),
    points: sheet.penalty_points,
  };
  return [...found, lost].filter((part) => part.points !== 0);
};

export const why: GameMore['why'] = (reason, _view, telling, told) => {
  const guide = told as Guide | undefined;
  if (!guide?.ended) return t(`qwixx.why.${reason}`);
  const { why: cause, by } = guide.ended;
  if (cause === 'penalties' || cause === 'player') return blame(cause, by, guide, telling);
  const closed = guide.rows.filter((row) => row.closed_by.length > 0);
  const rows = closed.map(({ colour, closed_by }) => {
    const names = byWhom(closed_by, telling.seats, telling.me);
    return t('qwixx.why.row', { ...colourWords(colour), names });
  });
  return t(`qwixx.why.closed.${closed.length}`, { rows: rows.join(', ') });
};

/** Name who ended the game on their own: with penalties, or with two rows where one must have both. */
function blame(cause: string, by: number[], guide: Guide, { seats, me }: Telling): string {
  const locked = guide.rows.filter((row) => row.closed_by.some((seat) => by.includes(seat)));
  const colours = listed(locked.map((row) => t(`colour.${row.colour}`)));
  if (by.length === 1 && by[0] === me) return t(`qwixx.why.${cause}.you`, { colours });
  const names = listed(by.map((seat) => seats[seat]?.name ?? ''));
  return t(`qwixx.why.${cause}.other`, { n: by.length, names, colours });
}
