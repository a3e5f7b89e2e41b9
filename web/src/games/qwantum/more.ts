/** Qwantum in sentences: what happened, what points are made of, why it ended. */
import type { Sound } from '../../sound';
import type { Actor } from '../../club/wire';
import { listed, t } from '../../words/index.svelte';
import type { GameMore, Part, Telling } from '../contract';
import type { Colour, Guide } from './guide';
import { dieName, sumName } from './names';

export const tell: GameMore['tell'] = (actor, text, telling) => {
  if (actor === '*') return text.startsWith('first ') ? first(text, telling) : cast(text);
  const name = telling.seats[actor]?.name ?? '';
  const who = actor === telling.me ? 'you' : 'other';
  if (text === '-') return t(`qwantum.tell.pass.${who}`, { name });
  if (text === 'keep') return t(`qwantum.tell.keep.${who}`, { name });
  if (text.startsWith('reroll '))
    return t(`qwantum.tell.reroll.${who}`, { name, n: text.split(',').length });
  const sum = sumName(text.charAt(0) as Colour, Number(text.slice(1)));
  return t(`qwantum.tell.write.${who}`, { name, sum });
};

function first(text: string, { seats, me }: Telling): string {
  const seat = Number(text.slice('first '.length));
  const who = seat === me ? 'you' : 'other';
  return t(`qwantum.tell.first.${who}`, { name: seats[seat]?.name ?? '' });
}

function cast(text: string): string {
  const dice = text.split(' ').map((face) =>
    dieName({
      name: face,
      colour: face.charAt(0) as Colour | 'w',
      number: Number(face.slice(1)),
    }),
  );
  return t('qwantum.tell.throw', { dice: listed(dice) });
}

export const parts: GameMore['parts'] = (seat, _view, told) => {
  const sheet = (told as Guide).sheets[seat];
  if (!sheet) return [];
  const columns = sheet.columns.map((column, index): Part => ({
    label: `${index + 1}`,
    name: t('qwantum.part.column', { number: index + 1 }),
    points: column.points ?? 0,
  }));
  const fails = {
    label: t('qwantum.part.fails.letter'),
    name: t('qwantum.part.fails'),
    points: sheet.fails.points,
  };
  return [...columns, fails].filter((part) => part.points !== 0);
};

export const why: GameMore['why'] = (reason, _view, { seats, me }, told) => {
  const ended = (told as Guide | undefined)?.ended;
  const [seat, ...more] = ended?.by ?? [];
  if (!ended || seat === undefined) return t(`qwantum.why.${reason}`);
  if (seat === me && !more.length) return t(`qwantum.why.${ended.why}.you`);
  const names = listed(ended.by.map((by) => seats[by]?.name ?? ''));
  return t(`qwantum.why.${ended.why}.other`, { names, n: ended.by.length });
};

export function sound(actor: Actor, text: string): Sound | null {
  if (actor === '*') return text.startsWith('first ') ? null : 'dice';
  return /^[vbry]\d/.test(text) ? 'pencil' : null;
}
