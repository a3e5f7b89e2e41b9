/** A lesson that is being taken: which step, what just happened, and where a move leads. */
import { Refused } from '../club/api';
import type { Chair, Json } from '../club/wire';
import type { Lesson, LessonStep, Sitting } from '../games/contract';

export class Course {
  readonly steps: LessonStep[];
  /** The place of the step that is shown. */
  at = $state(0);
  /** How many moves of this step were allowed, but not the one that it is about. */
  strays = $state(0);

  #seq = $state(1);
  #isForward = $state(true);

  constructor(lesson: Lesson) {
    this.steps = lesson.steps;
  }

  get step(): LessonStep {
    return this.steps[this.at] as LessonStep;
  }

  get isLast(): boolean {
    return this.at === this.steps.length - 1;
  }

  play(move: string): void {
    if (this.step.expect.includes(move)) this.next();
    else this.strays += 1;
  }

  next(): void {
    if (!this.isLast) this.#go(this.at + 1, true);
  }

  back(): void {
    if (this.at > 0) this.#go(this.at - 1, false);
  }

  again(): void {
    this.#go(0, true);
  }

  /** The table as the step has it. */
  sitting(seats: Chair[]): Sitting {
    const { me, turn, view, guide, expect, events } = this.step;
    return {
      seats,
      me,
      turn,
      view,
      guide,
      options: view.options as Json,
      chosen: null,
      live: expect.length > 0,
      events: this.#isForward ? events : [],
      seq: this.#seq,
      past: true,
      entries: [],
    };
  }

  /** What the rules say about a move that is not finished: the lesson knows all that fit. */
  ask(draft: string): Promise<Json> {
    const told = draft ? this.step.drafts?.[draft] : this.step.guide;
    if (told) return Promise.resolve(told);
    return Promise.reject(new Refused({ error: 'bad-event', message: draft }));
  }

  #go(at: number, isForward: boolean): void {
    this.at = at;
    this.strays = 0;
    this.#isForward = isForward;
    this.#seq += 1;
  }
}
