/** Tells what just happened: to screen readers in words, to ears in sounds, to all what is unusual. */
import type { Table } from '../club/table.svelte';
import type { Chair, Entry } from '../club/wire';
import type { GameMore } from '../games/contract';
import { announce } from '../shell/announce.svelte';
import { toast } from '../shell/toasts.svelte';
import { sound } from '../sound';
import { t } from '../words/index.svelte';

const told = new WeakSet<Entry[]>();

export function tellFresh(table: Table, more: GameMore): void {
  const { update, fresh: news } = table;
  if (!update || told.has(news)) return;
  told.add(news);
  const telling = { seats: update.state.seats as Chair[], me: table.me };
  const sentences = news.flatMap((entry) =>
    (entry.events ?? []).flatMap(([actor, text]) =>
      text ? [more.tell(actor, text, telling)] : [],
    ),
  );
  announce(sentences.filter(Boolean).map(closed).join(' '));
  for (const entry of news) {
    warn(entry, table);
    for (const [actor, text] of entry.events ?? []) {
      const heard = text && more.sound?.(actor, text);
      if (heard) sound(heard);
    }
  }
  const isEnd = news.some((entry) => entry.what === 'moved' || entry.what === 'resigned');
  if (update.state.status === 'over' && isEnd) sound('end');
}

/** A sentence with its full stop. */
function closed(sentence: string): string {
  return /[.?]$/.test(sentence) ? sentence : `${sentence}.`;
}

function warn(entry: Entry, table: Table): void {
  const { you, state } = table.update ?? {};
  const name = state?.seats[entry.seat ?? -1]?.name ?? '';
  const isOurs = you?.seats.includes(entry.seat ?? -1) ?? false;
  if (entry.what === 'moved' && entry.by === 'clock')
    toast(isOurs ? t('told.clock.you') : t('told.clock', { name }));
  else if (entry.what === 'moved' && entry.failure) toast(t('told.failure', { name }));
  else if (entry.what === 'handed' && !isOurs) toast(t('told.handed', { name }));
  else if (entry.what === 'resumed' && !isOurs) toast(t('told.resumed', { name }));
  else if (entry.what === 'claimed' && !isOurs) toast(t('told.claimed', { name }));
  else if (entry.what === 'resigned' && !isOurs) toast(t('told.resigned', { name }));
}
