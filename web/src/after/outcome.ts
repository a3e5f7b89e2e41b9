/** How a game came out: who has which place, in what words, and how it came to that. */
import type { Chair, Entry, TableState } from '../club/wire';
import { listed, spoken, t } from '../words/index.svelte';

export interface Place {
  seat: number;
  place: number;
  score: number;
  chair: Chair;
  name: string;
  isMe: boolean;
  /** Whether somebody else than the person who sat down played to the end. */
  gaveUp: boolean;
}

/** The seats by place, the winner first; `me` is called "you". */
export function placesOf(state: TableState, me: number | null): Place[] {
  const { places, turn, seats } = state;
  if (!places || !turn) return [];
  const all = places.flatMap((place, seat) => {
    const chair = seats[seat];
    if (!chair) return [];
    const isMe = seat === me;
    const gaveUp = chair.kind === 'person' && (chair.resigned || chair.bot !== null);
    const name = isMe ? t('end.you') : chair.name;
    return [{ seat, place, score: turn.scores[seat] ?? 0, chair, name, isMe, gaveUp }];
  });
  return all.sort((a, b) => a.place - b.place || b.score - a.score || a.seat - b.seat);
}

/** Who won, in a sentence. */
export function verdictOf(places: Place[]): string {
  const [first] = places;
  if (!first) return '';
  const winners = places.filter((one) => one.place === 1);
  const n = first.score;
  if (winners.every((one) => one.gaveUp)) return t('end.nobody');
  if (places.length === 1) return t('end.alone', { n });
  const others = winners.filter((one) => !one.isMe).map((one) => one.name);
  if (winners.length === 1)
    return first.isMe ? t('end.won', { n }) : t('end.lost', { n, name: first.name });
  if (winners.length > others.length) return t('end.shared.you', { n, names: listed(others) });
  return t('end.shared', { n, names: listed(others) });
}

/** Why a game ended that nobody played to its end. */
export function endedEarly(places: Place[]): string {
  const resigned = places.filter((one) => one.chair.resigned);
  if (resigned.some((one) => one.isMe)) return t('end.early.you');
  return t('end.early', { n: resigned.length, names: listed(resigned.map((one) => one.name)) });
}

/** What to say under a name. */
export function remark({ chair, gaveUp }: Place): string {
  if (chair.resigned) return t('end.resigned');
  if (gaveUp) return t('end.handed');
  return chair.kind === 'bot' ? t('end.bot') : '';
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long a game took from its first roll to its last move: `27 minutes`. */
export function lasted(entries: Entry[]): string {
  const moves = entries.filter((entry) => entry.what === 'started' || entry.what === 'moved');
  const time = (moves.at(-1)?.at ?? 0) - (moves[0]?.at ?? 0);
  const [unit, size] =
    time < 2 * HOUR ? ['minute', MINUTE] : time < 2 * DAY ? ['hour', HOUR] : ['day', DAY];
  const format = new Intl.NumberFormat(spoken(), {
    style: 'unit',
    unit: String(unit),
    unitDisplay: 'long',
  });
  return format.format(Math.max(1, Math.round(time / Number(size))));
}
