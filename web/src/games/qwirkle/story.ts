/** What happened before, as the log tells it: the last move, and what each seat gained with its own. */
import type { Entry, Told } from '../../club/wire';
import { type Move, readMove } from './tiles';

export interface Deed {
  seat: number;
  move: Move;
  /** Null when nobody here knows. */
  points: number | null;
}

/** The decisions of a log up to an entry, with what they brought. */
export function deeds(entries: Entry[], until = Infinity): Deed[] {
  const all: Deed[] = [];
  let before: number[] = [];
  for (const { seq, events, scores } of entries) {
    if (seq > until) break;
    for (const [seat, text] of events ?? []) {
      if (seat === '*' || text === null) continue;
      const points = scores ? (scores[seat] ?? 0) - (before[seat] ?? 0) : null;
      all.push({ seat, move: readMove(text), points });
    }
    before = scores ?? before;
  }
  return all;
}

/** The last decision among events that no log tells about. */
export function lastOf(events: Told[]): Deed | null {
  const [seat, text] = events.findLast(([actor, told]) => actor !== '*' && told !== null) ?? [];
  return typeof seat === 'number' && text ? { seat, move: readMove(text), points: null } : null;
}
