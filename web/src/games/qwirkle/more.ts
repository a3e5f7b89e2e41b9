/** Qwirkle in words: what an event was, what somebody's points are made of, why the game ended. */
import type { GameMore, Telling } from '../contract';
import { listed, t } from '../../words/index.svelte';
import { deeds } from './story';
import { nameOf, readMove, readTiles } from './tiles';

export const tell: GameMore['tell'] = (actor, text, telling) => {
  if (actor === '*') return tellDraw(text, telling);
  const { who, name } = naming(actor, telling);
  const move = readMove(text);
  if (move.kind === 'pass') return t(`qwirkle.tell.${who}.pass`, { name });
  const tiles = (move.kind === 'lay' ? move.placed.map((one) => one.tile) : move.tiles).map(nameOf);
  if (move.kind === 'swap' && (who === 'they' || !tiles.length))
    return t(`qwirkle.tell.${who}.swap`, { name, n: move.count });
  const what = move.kind === 'lay' ? 'lay' : 'swapped';
  return t(`qwirkle.tell.${who}.${what}`, { name, n: tiles.length, tiles: listed(tiles) });
};

/** A click for tiles that are laid. */
export const sound: GameMore['sound'] = (actor, text) =>
  actor !== '*' && readMove(text).kind === 'lay' ? 'tile' : null;

/** `0: Ro Gx`, or `0: 2` for who may not see them. */
function tellDraw(text: string, telling: Telling): string {
  const [seat = '', ...words] = text.split(' ');
  const { who, name } = naming(parseInt(seat), telling);
  const { tiles, count } = readTiles(words);
  if (who === 'you' && tiles.length)
    return t('qwirkle.tell.you.draw', { n: count, tiles: listed(tiles.map(nameOf)) });
  return t(`qwirkle.tell.${who}.drew`, { name, n: count });
}

function naming(seat: number, { seats, me }: Telling): { who: 'you' | 'they'; name: string } {
  return { who: seat === me ? 'you' : 'they', name: seats[seat]?.name ?? '' };
}

/** One part for each lay. */
export const parts: GameMore['parts'] = (seat, view, guide, entries) => {
  const own = deeds(entries).filter((deed) => deed.seat === seat);
  return own.flatMap(({ move, points }, index) => {
    if (move.kind !== 'lay' || points === null) return [];
    const name = t('qwirkle.part', { move: index + 1, n: move.placed.length });
    return [{ label: String(index + 1), name, points }];
  });
};

export const why: GameMore['why'] = (reason, view, telling) => {
  const active = typeof view.active === 'number' ? view.active : -1;
  const { who, name } = naming(active, telling);
  if (reason === 'finished') return t(`qwirkle.why.finished.${who}`, { name });
  return t('qwirkle.why.blocked');
};
