/** Reads from the log what was just thrown and what was just written. */
import type { Entry, Told } from '../../club/wire';
import type { Seated } from './guide';

const REROLL = 'reroll ';

/** The names of the dice that the last events threw; the white one is `w`. */
export function thrown({ events, entries, guide }: Seated): Set<string> {
  const at = events.findLastIndex(isThrow);
  const cast = events[at];
  if (!cast) return new Set();
  const before = at > 0 ? events[at - 1] : whatCameBefore(cast, entries);
  const again = rolledAgain(before?.[1] ?? '');
  return new Set(again.length ? again : guide.dice.map((die) => die.name));
}

/** The names of the dice in a move that rolls some again; none in any other. */
export function rolledAgain(move: string): string[] {
  return move.startsWith(REROLL) ? move.slice(REROLL.length).split(',') : [];
}

/** The rows that were written last, as `<seat><colour><number>`: in this turn, or in the one before. */
export function written(sitting: Seated): Set<string> {
  const log = logOf(sitting);
  const turns: Told[][] = [[]];
  log.forEach((event, index) => {
    if (isThrow(event) && !isReroll(log[index - 1])) turns.push([]);
    turns.at(-1)?.push(event);
  });
  const last = turns.findLast((turn) => turn.some(isWriting)) ?? [];
  return new Set(last.filter(isWriting).map(([seat, text]) => `${seat}${text}`));
}

/** What happened so far; a lesson has only its last events. */
export function logOf({ events, entries }: Seated): Told[] {
  return entries.length ? flat(entries) : events;
}

/** Whether nobody has decided anything yet in a game that is followed from its beginning. */
export function isFirstThrow({ entries }: Seated): boolean {
  const log = flat(entries);
  return log.length > 0 && log.every(([actor]) => actor === '*');
}

function whatCameBefore(cast: Told, entries: Entry[]): Told | undefined {
  const log = flat(entries);
  return log[log.findLastIndex(([actor, text]) => actor === '*' && text === cast[1]) - 1];
}

function flat(entries: Entry[]): Told[] {
  return entries.flatMap((entry) => entry.events ?? []);
}

function isThrow([actor, text]: Told): boolean {
  return actor === '*' && (text?.startsWith('w') ?? false);
}

function isReroll(event: Told | undefined): boolean {
  return rolledAgain(event?.[1] ?? '').length > 0;
}

function isWriting([actor, text]: Told): boolean {
  return actor !== '*' && /^[vbry]\d+$/.test(text ?? '');
}
