/** A tile that hangs on the pointer until it is dropped. */
import type { Held } from './trial.svelte';

export interface Droppable {
  /** The tile has left its place. */
  onlift(held: Held): void;
  /** It hangs at a point of the screen; the answer is how large a cell is there. */
  onhang(x: number, y: number): number | null;
  ondrop(held: Held, x: number, y: number): void;
}

const SLOP = 6;

export class Drag {
  held = $state.raw<Held | null>(null);
  /** The picture of the tile that follows the pointer. */
  ghost = $state.raw<HTMLElement | null>(null);
  /** The click that ends a drag is none. */
  justDone = false;

  #target: Droppable;
  #stop: () => void = () => undefined;

  constructor(target: Droppable) {
    this.#target = target;
  }

  /** A pointer came down on a tile: perhaps it is a tap, perhaps the tile goes with it. */
  begin(held: Held, down: PointerEvent): void {
    if (down.button !== 0 || this.held) return;
    this.#stop();
    const size = (down.currentTarget as Element).getBoundingClientRect().width;
    const onmove = (event: PointerEvent) => {
      if (event.pointerId !== down.pointerId) return;
      const far = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY);
      if (!this.held && far < SLOP) return;
      if (!this.held) {
        this.held = held;
        this.#target.onlift(held);
      }
      this.#hang(event, size);
    };
    const onup = (event: PointerEvent) => {
      if (event.pointerId !== down.pointerId) return;
      this.#stop();
      if (!this.held) return;
      this.held = null;
      this.justDone = true;
      setTimeout(() => (this.justDone = false));
      if (event.type === 'pointerup')
        this.#target.ondrop(held, event.clientX, event.clientY - liftOf(event, size));
    };
    addEventListener('pointermove', onmove);
    addEventListener('pointerup', onup);
    addEventListener('pointercancel', onup);
    this.#stop = () => {
      removeEventListener('pointermove', onmove);
      removeEventListener('pointerup', onup);
      removeEventListener('pointercancel', onup);
    };
  }

  end(): void {
    this.#stop();
    this.held = null;
  }

  #hang(event: PointerEvent, size: number): void {
    const middle = event.clientY - liftOf(event, size);
    const side = this.#target.onhang(event.clientX, middle);
    if (!this.ghost) return;
    const [x, y] = [event.clientX - size / 2, middle - size / 2];
    this.ghost.style.width = `${size}px`;
    this.ghost.style.transform = `translate3d(${x}px, ${y}px, 0) scale(${(side ?? size) / size})`;
  }
}

/** How far a tile hangs above the pointer: under a finger it could not be seen. */
function liftOf(event: PointerEvent, size: number): number {
  return event.pointerType === 'touch' ? size * 0.6 : 0;
}
