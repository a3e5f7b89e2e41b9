/** The course of a game that is looked at again: its scores turn by turn, and its log at any moment. */
import type { Entry, Step } from '../club/wire';

/**
 * The moments before the first turn and after each.
 *
 * A turn is over whenever the game is again in the phase in which the first turn began.
 */
export function turnsOf(steps: Pick<Step, 'turn'>[]): number[] {
  const begin = steps.findIndex((step) => step.turn.active !== null);
  if (begin < 0) return [];
  const phase = steps[begin]?.turn.phase;
  const last = steps.length - 1;
  return [...steps.keys()].filter(
    (at) => at === last || (at >= begin && steps[at]?.turn.phase === phase),
  );
}

/** The scores before the first turn and after each. */
export function courseOf(steps: Pick<Step, 'turn'>[]): number[][] {
  return turnsOf(steps).map((at) => steps[at]?.turn.scores ?? []);
}

/** The log as it was at a moment: nothing of what came after it. */
export function logAt(entries: Entry[], steps: Step[], at: number): Entry[] {
  const seq = steps[at]?.seq ?? 0;
  const past = steps.slice(0, at + 1);
  const events = past.flatMap((step) => (step.seq === seq && step.event ? [step.event] : []));
  return entries
    .filter((entry) => entry.seq <= seq)
    .map((entry) => (entry.seq === seq && entry.events ? { ...entry, events } : entry));
}

/** A number for a moment that grows with the game: one entry may hold several events. */
export function numberOf(steps: Pick<Step, 'seq'>[], at: number): number {
  const seq = steps[at]?.seq ?? 0;
  return seq + (at - steps.findIndex((step) => step.seq === seq)) / 100;
}
