/** The order of one's own tiles on the rack: everybody's own affair, and kept on this device. */
import { SHAPES, TILES } from './tiles';
import type { Held } from './trial.svelte';

const BY = {
  colour: (tile: string) => TILES.indexOf(tile),
  shape: (tile: string) =>
    SHAPES.findIndex((shape) => tile.endsWith(shape)) * 36 + TILES.indexOf(tile),
};

export class Rack {
  #order = $state.raw<string[]>([]);
  #place: string;

  constructor(seat: number | null) {
    this.#place = `qlub-hand-${location.pathname}-${seat}`;
    try {
      this.#order = JSON.parse(sessionStorage.getItem(this.#place) ?? '[]') as string[];
    } catch {
      // Whatever cannot be read is no order.
    }
  }

  /** The tiles in their order; new ones come last. */
  arrange(tiles: string[]): Held[] {
    const counts: Record<string, number> = {};
    const held = tiles.map((tile) => {
      const copy = (counts[tile] = (counts[tile] ?? 0) + 1);
      return { tile, key: `${tile}${copy}` };
    });
    const placeOf = ({ key }: Held) => this.#order.indexOf(key) + 1 || Infinity;
    return held.sort((a, b) => (placeOf(a) === placeOf(b) ? 0 : placeOf(a) - placeOf(b)));
  }

  /** Sort by colour or by shape; if nobody says which, by what it is not sorted by yet. */
  sort(hand: Held[], by?: keyof typeof BY): void {
    const sorted = (how: keyof typeof BY) =>
      [...hand].sort((a, b) => BY[how](a.tile) - BY[how](b.tile));
    const isByColour = sorted('colour').every((held, place) => held === hand[place]);
    this.#set(sorted(by ?? (isByColour ? 'shape' : 'colour')));
  }

  shuffle(hand: Held[]): void {
    const left = [...hand];
    const mixed: Held[] = [];
    while (left.length) mixed.push(...left.splice(Math.floor(Math.random() * left.length), 1));
    this.#set(mixed);
  }

  /** Remember how the hand lies, so that tiles drawn later do not move the others. */
  keep(hand: Held[]): void {
    this.#set(hand);
  }

  #set(hand: Held[]): void {
    const order = hand.map((held) => held.key);
    if (order.join() === this.#order.join()) return;
    this.#order = order;
    try {
      sessionStorage.setItem(this.#place, JSON.stringify(order));
    } catch {
      // Without storage the order lasts as long as the page.
    }
  }
}
