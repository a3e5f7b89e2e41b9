/** A game that is looked at again: which moment is shown, and playing it like a film. */
import { reducedMotion } from '../settings.svelte';
import type { Step } from '../club/wire';
import { turnsOf } from './course';

/** Milliseconds from one moment to the next: dice need a while to come to rest. */
const PACE = { chance: 1500, seat: 1100 };
export const SPEEDS = [1, 2, 4] as const;

export class Replay {
  steps = $state.raw<Step[]>([]);
  /** The moment that is shown. */
  at = $state(0);
  playing = $state(false);
  speed = $state<(typeof SPEEDS)[number]>(1);
  /** Whether the moment was come to from the one before, so that it may be animated. */
  forward = $state(false);
  /** The moments before the first turn and after each. */
  readonly turns = $derived(turnsOf(this.steps));
  /** The turn that is shown: 0 before the first. */
  readonly turn = $derived(this.turns.filter((end) => end < this.at).length);
  #timer: ReturnType<typeof setTimeout> | undefined;

  get step(): Step | undefined {
    return this.steps[this.at];
  }
  get last(): number {
    return Math.max(0, this.steps.length - 1);
  }

  /** Take the moments of a game; of one that runs there may be more each time. */
  take(steps: Step[]): void {
    if (steps.length < this.steps.length) return; // an older answer that came late
    const isNew = !this.steps.length;
    this.steps = steps;
    if (isNew) this.at = this.last;
  }

  /** Show a moment, and stop the film. */
  go(at: number): void {
    this.pause();
    this.#show(at);
  }

  /** Go to the end of the turn before, or of the next. */
  goTurn(way: -1 | 1): void {
    const next =
      way < 0
        ? this.turns.findLast((end) => end < this.at)
        : this.turns.find((end) => end > this.at);
    this.go(next ?? (way < 0 ? 0 : this.last));
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.#play();
  }

  pause(): void {
    clearTimeout(this.#timer);
    this.playing = false;
  }

  faster(): void {
    this.speed = SPEEDS[(SPEEDS.indexOf(this.speed) + 1) % SPEEDS.length] ?? 1;
  }

  #play(): void {
    if (this.at >= this.last) this.#show(0);
    this.playing = true;
    this.#wait();
  }

  #wait(): void {
    const pace = this.step?.event?.[0] === '*' ? PACE.chance : PACE.seat;
    this.#timer = setTimeout(() => {
      this.#show(this.at + 1);
      if (this.at < this.last) this.#wait();
      else this.playing = false;
    }, pace / this.speed);
  }

  #show(at: number): void {
    const next = Math.min(Math.max(0, at), this.last);
    this.forward = next === this.at + 1 && !reducedMotion();
    this.at = next;
  }
}
