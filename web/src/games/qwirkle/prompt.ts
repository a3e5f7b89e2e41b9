/** What the prompt says: whose move it is, what the tiles on trial make, what just happened. */
import { capital, t } from '../../words/index.svelte';
import { ownTiles, type Guide, type Table } from './guide';
import { tell, why } from './more';
import type { Deed } from './story';
import { nameOf, readMove } from './tiles';
import type { Trial } from './trial.svelte';

export interface Prompt {
  step: string;
  title: string;
  hint: string;
}

export function promptOf(table: Table, trial: Trial, last: Deed | null): Prompt {
  if (table.chosen !== null) return onItsWay(table, table.chosen, trial);
  if (!table.live) return looking(table, last);
  const step = t('qwirkle.prompt.yours');
  if (trial.exchanged) return { step, ...exchanging(trial.exchanged.length, table) };
  if (trial.laid.length) return { step, ...laying(trial) };
  if (trial.picked) return { step, ...picking(trial, trial.picked.tile) };
  return { step, ...asking(table.guide) };
}

type Words = Omit<Prompt, 'step'>;

function asking(guide: Guide): Words {
  if (guide.first)
    return {
      title: t('qwirkle.prompt.first', { n: guide.first }),
      hint: t('qwirkle.hint.first'),
    };
  if (guide.pass) return { title: t('qwirkle.prompt.pass'), hint: t('qwirkle.hint.pass') };
  if (!Object.keys(guide.spots).length)
    return { title: t('qwirkle.prompt.stuck'), hint: t('qwirkle.hint.exchange') };
  if (!guide.exchange) return { title: t('qwirkle.prompt.must'), hint: t('qwirkle.hint.empty') };
  return { title: t('qwirkle.prompt.lay'), hint: t('qwirkle.hint.lay') };
}

function picking(trial: Trial, tile: string): Words {
  const title = capital(nameOf(tile));
  if (trial.spots.length)
    return { title: t('qwirkle.prompt.picked', { tile: title }), hint: t('qwirkle.hint.picked') };
  return { title: t('qwirkle.prompt.nowhere', { tile: title }), hint: t('qwirkle.hint.nowhere') };
}

function laying(trial: Trial): Words {
  const { guide, laid } = trial;
  const what =
    laid.length === 1
      ? t('qwirkle.trial.one', { tile: capital(nameOf(laid[0]?.tile ?? '')) })
      : t('qwirkle.trial.more', { n: laid.length });
  if (guide?.missing)
    return {
      title: t('qwirkle.trial.missing', { what, n: guide.missing }),
      hint: t('qwirkle.hint.missing'),
    };
  return { title: t('qwirkle.trial.sum', { what, sum: sumOf(trial) }), hint: hintOf(guide) };
}

/** `3 + 4 = 7 points`; as long as only the total is known, that. */
function sumOf({ guide, points }: Trial): string {
  const parts = guide ? guide.lines.map((line) => line.points) : [];
  if (guide?.bonus) parts.push(guide.bonus);
  const total = t('qwirkle.points', { n: points });
  return parts.length > 1 ? `${parts.join(' + ')} = ${total}` : total;
}

function hintOf(guide: Guide | null): string {
  if (!guide) return '';
  if (guide.bonus) return t('qwirkle.hint.bonus', { n: guide.bonus });
  const qwirkles = guide.lines.filter((line) => line.points > line.length).length;
  if (qwirkles) return t('qwirkle.hint.qwirkle', { n: qwirkles });
  if (Object.keys(guide.spots).length) return t('qwirkle.hint.more');
  return t('qwirkle.hint.done');
}

function exchanging(count: number, table: Table): Words {
  const most = table.guide.exchange;
  return {
    title: count ? t('qwirkle.prompt.exchange', { n: count }) : t('qwirkle.prompt.which'),
    hint:
      most < ownTiles(table).length
        ? t('qwirkle.hint.bag', { n: most })
        : t('qwirkle.hint.exchange'),
  };
}

function onItsWay(table: Table, chosen: string, trial: Trial): Prompt {
  const move = readMove(chosen);
  const known = trial.draft === chosen && trial.points > 0;
  const points = known && move.kind === 'lay' ? trial.points : null;
  const title = said(table, { seat: table.me ?? 0, move, points });
  return { step: t('qwirkle.prompt.yours'), title, hint: '' };
}

function looking(table: Table, last: Deed | null): Prompt {
  const telling = { seats: table.seats, me: table.me };
  if (table.past) {
    const told = table.events.map(([actor, text]) => (text ? tell(actor, text, telling) : ''));
    const title = told.filter(Boolean).join(' ') || (last ? said(table, last) : '');
    return { step: t('qwirkle.prompt.past'), title, hint: '' };
  }
  if (table.turn.over) {
    const title = why(table.turn.reason ?? '', table.view, telling);
    return { step: t('qwirkle.prompt.over'), title, hint: '' };
  }
  const name = table.seats[table.turn.active ?? -1]?.name;
  const title = name ? t('qwirkle.prompt.waiting', { name }) : t('qwirkle.prompt.dealing');
  return { step: t('qwirkle.prompt.table'), title, hint: '' };
}

/** `Robin laid 3 tiles for 9`. */
export function said(
  { seats, me }: Pick<Table, 'seats' | 'me'>,
  { seat, move, points }: Deed,
): string {
  const who = seat === me ? 'you' : 'they';
  const name = seats[seat]?.name ?? '';
  if (move.kind === 'pass') return t(`qwirkle.said.${who}.pass`, { name });
  if (move.kind === 'swap') return t(`qwirkle.said.${who}.swap`, { name, n: move.count });
  const n = move.placed.length;
  if (points === null) return t(`qwirkle.said.${who}.lay`, { name, n });
  return t(`qwirkle.said.${who}.points`, { name, n, points });
}
