/** A move that is being made: tiles laid on trial, the tile in the fingers, or tiles to exchange. */
import type { Json } from '../../club/wire';
import { Refused } from '../../club/api';
import type { Guide } from './guide';
import { type Cell, cellOf, inTileOrder, keyOf, type Placed, writeLay } from './tiles';

/** A tile of the hand; the key tells two of a kind apart. */
export interface Held {
  key: string;
  tile: string;
}

export interface Laid extends Held, Placed {
  /** All points of the trial once this tile lay there. */
  points: number;
}

export interface Spot extends Cell {
  key: string;
  points: number;
}

export class Trial {
  /** In the order of laying: each prefix may lie there. */
  laid = $state.raw<Laid[]>([]);
  picked = $state.raw<Held | null>(null);
  /** The tiles to exchange, or null when nobody thinks of it. */
  exchanged = $state.raw<Held[] | null>(null);

  #guides = $state.raw<Record<string, Guide>>({});
  #ask: (draft: string) => Promise<Json>;

  constructor(guide: Guide, ask: (draft: string) => Promise<Json>) {
    this.#guides = { '': guide };
    this.#ask = ask;
  }

  get draft(): string {
    return writeLay(this.laid);
  }

  /** What the rules say about the tiles on trial; null until the club has answered. */
  get guide(): Guide | null {
    return this.#guides[this.draft] ?? null;
  }

  get points(): number {
    return this.guide?.points ?? this.laid.at(-1)?.points ?? 0;
  }

  isLaid({ key }: Held): boolean {
    return this.laid.some((one) => one.key === key);
  }

  /** Where the picked tile may go, the best spot first; one that is laid may go elsewhere. */
  get spots(): Spot[] {
    return this.picked && !this.exchanged ? this.#spotsOf(this.picked) : [];
  }

  #spotsOf({ key, tile }: Held): Spot[] {
    const guide = this.#guides[writeLay(this.#without(key))];
    const now = this.laid.find((one) => one.key === key);
    return Object.entries(guide?.spots[tile] ?? {})
      .filter(([cell]) => !now || cell !== keyOf(now))
      .map(([cell, points]) => ({ key: cell, points, ...cellOf(cell) }))
      .sort((a, b) => b.points - a.points || a.y - b.y || a.x - b.x);
  }

  #without(key: string): Laid[] {
    return this.laid.filter((one) => one.key !== key);
  }

  pick(held: Held | null): void {
    this.picked = held;
    if (held) this.#learn(writeLay(this.#without(held.key))).catch(() => undefined);
  }

  async lay(held: Held, spot: Spot): Promise<void> {
    const { x, y, points } = spot;
    this.laid = [...this.#without(held.key), { ...held, x, y, points }];
    this.picked = held;
    await this.#learnOr(() => this.undo());
  }

  /** Take a tile back; if the others cannot lie there without it, those laid after it come too. */
  async takeBack(held: Held): Promise<void> {
    const at = this.laid.findIndex((one) => one.key === held.key);
    if (at < 0) return;
    const before = this.laid.slice(0, at);
    this.laid = this.#without(held.key);
    this.picked = null;
    await this.#learnOr(() => (this.laid = before));
  }

  undo(): void {
    this.laid = this.laid.slice(0, -1);
    this.picked = null;
  }

  clear(): void {
    this.laid = [];
    this.picked = null;
    this.exchanged = null;
  }

  /** Why a tile cannot be laid in a cell, in a word; null if nobody can say. */
  async whyNot({ key, tile }: Held, { x, y }: Cell): Promise<string | null> {
    try {
      await this.#ask(writeLay([...this.#without(key), { tile, x, y }]));
    } catch (error) {
      if (error instanceof Refused) return error.refusal.reason ?? null;
    }
    return null;
  }

  beginExchange(): void {
    this.clear();
    this.exchanged = [];
  }

  toggle(held: Held, most: number): void {
    const chosen = this.exchanged ?? [];
    const rest = chosen.filter((one) => one.key !== held.key);
    if (rest.length < chosen.length) this.exchanged = rest;
    else if (chosen.length < most) this.exchanged = [...chosen, held];
  }

  get swap(): string {
    return `swap ${inTileOrder((this.exchanged ?? []).map((one) => one.tile)).join(' ')}`;
  }

  async #learnOr(giveUp: () => void): Promise<void> {
    const draft = this.draft;
    try {
      await this.#learn(draft);
    } catch {
      if (this.draft === draft) giveUp();
    }
  }

  async #learn(draft: string): Promise<void> {
    if (this.#guides[draft]) return;
    const guide = (await this.#ask(draft)) as Guide;
    this.#guides = { ...this.#guides, [draft]: guide };
  }
}
