/** Fingers on the felt: one drags it, two zoom it, and what does not move is a tap. */

interface Point {
  x: number;
  y: number;
}

export interface Followed {
  /** A finger has come down. */
  ontouch(): void;
  /** It has moved so far that it is no tap. */
  ongrab(): void;
  ondrag(dx: number, dy: number): void;
  /** Two fingers have moved apart by a factor, around a point of the screen. */
  onpinch(factor: number, middle: Point, dx: number, dy: number): void;
  /** All fingers are gone; the speed is in pixels a millisecond. */
  onrelease(vx: number, vy: number): void;
}

const SLOP = 6; // pixels that a finger may tremble
const TAIL = 80; // milliseconds that make the speed of a throw
const REST = 60; // who held still so long does not throw

export class Gestures {
  /** Whether the felt is being dragged, or has been until just now. */
  dragging = false;

  #fingers = new Map<number, Point>();
  #start: Point = { x: 0, y: 0 };
  #track: (Point & { at: number })[] = [];
  #followed: Followed;

  constructor(followed: Followed) {
    this.#followed = followed;
  }

  down(event: PointerEvent, felt: Element): void {
    if (event.button !== 0) return;
    this.#followed.ontouch();
    const at = { x: event.clientX, y: event.clientY };
    this.#fingers.set(event.pointerId, at);
    if (this.#fingers.size > 1) {
      for (const id of this.#fingers.keys()) this.#grab(id, felt);
      return;
    }
    this.dragging = false;
    this.#start = at;
    this.#track = [];
  }

  move(event: PointerEvent, felt: Element): void {
    const before = this.#fingers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    if (!this.dragging) {
      if (Math.hypot(now.x - this.#start.x, now.y - this.#start.y) < SLOP) return;
      this.#grab(event.pointerId, felt);
    }
    const other = [...this.#fingers].find(([id]) => id !== event.pointerId)?.[1];
    this.#fingers.set(event.pointerId, now);
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    if (other) this.#pinch(before, now, other);
    else this.#followed.ondrag(dx, dy);
    const recent = this.#track.filter((one) => event.timeStamp - one.at < TAIL);
    this.#track = [...recent, { ...now, at: event.timeStamp }];
  }

  up(event: PointerEvent): void {
    if (!this.#fingers.delete(event.pointerId) || this.#fingers.size || !this.dragging) return;
    setTimeout(() => (this.dragging = false)); // the click that ends a drag is none
    const [first, last] = [this.#track[0], this.#track.at(-1)];
    const passed = first && last ? last.at - first.at : 0;
    if (!first || !last || passed < 8 || event.timeStamp - last.at > REST)
      this.#followed.onrelease(0, 0);
    else this.#followed.onrelease((last.x - first.x) / passed, (last.y - first.y) / passed);
  }

  /** Only what drags is captured: a tap belongs to whatever lies under it. */
  #grab(id: number, felt: Element): void {
    if (felt.hasPointerCapture(id)) return;
    felt.setPointerCapture(id);
    this.dragging = true;
    this.#followed.ongrab();
  }

  #pinch(before: Point, now: Point, other: Point): void {
    const apart = (one: Point) => Math.max(1, Math.hypot(one.x - other.x, one.y - other.y));
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    const [dx, dy] = [(now.x - before.x) / 2, (now.y - before.y) / 2];
    this.#followed.onpinch(apart(now) / apart(before), middle, dx, dy);
    this.#track = [];
  }
}
