/** A table as this page knows it: the last update, the log, and moves that are on their way. */
import { vibrate } from '../sound';
import { newId, Refused } from './api';
import { club } from './socket.svelte';
import type { Command, Entry, Json, Refusal, SeatView, Told, Update } from './wire';

interface Pending {
  id: string;
  seat: number;
  move: string;
}

export class Table {
  readonly id: string;
  update = $state.raw<Update | null>(null);
  /** The whole log so far, sealed decisions filled in once they lie open. */
  entries = $state.raw<Entry[]>([]);
  /** What the last update brought, for whoever animates or tells it. */
  fresh = $state.raw<Entry[]>([]);
  /** Why the table cannot be seen. */
  refusal = $state.raw<Refusal | null>(null);
  /** Why the last move was not taken; gone with the next try. */
  refused = $state.raw<Refusal | null>(null);

  #pending = $state.raw<Pending[]>([]);
  #seat = $state<number | null>(null);
  #unwatch: () => void;

  constructor(id: string) {
    this.id = id;
    this.#pending = this.#recall();
    this.#unwatch = club.watch(id, {
      since: 0,
      onUpdate: (update) => this.#take(update),
      onRefusal: (refusal) => (this.refusal = refusal),
    });
    for (const pending of this.#pending) this.#deliver(pending);
  }

  close(): void {
    this.#unwatch();
  }

  /** The seat that looks: the one of ours that must decide, if several people share this device. */
  get me(): number | null {
    const own = this.update?.you.seats ?? [];
    if (own.length < 2) return own[0] ?? null;
    if (this.#seat !== null && own.includes(this.#seat)) return this.#seat;
    return own[0] ?? null;
  }

  /** Whether one of our own seats has something to decide, and has not just done so. */
  get isOurTurn(): boolean {
    const update = this.update;
    if (update?.state.status !== 'playing') return false;
    return update.you.seats.some((seat) => this.mustDecide(seat));
  }

  get seatView(): SeatView | null {
    const me = this.me;
    return this.update?.views.find((view) => view.seat === me) ?? this.update?.views[0] ?? null;
  }

  mustDecide(seat: number): boolean {
    const state = this.update?.state;
    if (state?.status !== 'playing' || state.seats[seat]?.bot) return false;
    return (state.turn?.to_act.includes(seat) ?? false) && this.pendingOf(seat) === null;
  }

  /** The move of a seat that is on its way, shown as if it were already made. */
  pendingOf(seat: number | null): string | null {
    return this.#pending.find((pending) => pending.seat === seat)?.move ?? null;
  }

  /** Events of the last update, in order. */
  get freshEvents(): Told[] {
    return this.fresh.flatMap((entry) => entry.events ?? []);
  }

  /** Send the move of a seat; it stays pending, across reloads too, until the club has answered. */
  play(seat: number, move: string): void {
    if (this.pendingOf(seat) !== null) return;
    this.refused = null;
    vibrate(10);
    const pending = { id: newId(), seat, move };
    this.#pending = [...this.#pending, pending];
    this.#remember();
    this.#deliver(pending);
  }

  /** Do anything else at the table. */
  do(command: Command): Promise<number> {
    return club.command(this.id, command);
  }

  ask(draft: string): Promise<Json> {
    return club.ask(this.id, this.me ?? 0, draft);
  }

  #deliver(pending: Pending): void {
    const { id, seat, move } = pending;
    club
      .command(this.id, { do: 'move', id, seat, move })
      .catch((error: unknown) => {
        if (error instanceof Refused) this.refused = error.refusal;
      })
      .finally(() => {
        this.#pending = this.#pending.filter((other) => other.id !== id);
        this.#remember();
        this.#turnToNext();
      });
  }

  #take(update: Update): void {
    const before = this.update;
    this.refusal = null;
    if (!before) this.fresh = [];
    else if (update.seq > before.seq) this.fresh = newsOf(update, before.seq);
    this.entries = merge(update.since === 0 ? [] : this.entries, update);
    this.update = update;
    if (update.state.status !== 'over') this.#notePrint(update.state.fair.commitment);
    this.#turnToNext();
    const mayKnowMore =
      before &&
      (before.you.seats.join() !== update.you.seats.join() ||
        (before.state.status !== update.state.status && update.state.status === 'over'));
    if (mayKnowMore) club.watchAnew(this.id);
  }

  /** Give the device to the next of our own seats that must decide. */
  #turnToNext(): void {
    const own = this.update?.you.seats ?? [];
    const me = this.me;
    if (own.length < 2 || (me !== null && this.mustDecide(me))) return;
    const next = own.find((seat) => this.mustDecide(seat));
    if (next !== undefined) this.#seat = next;
  }

  /** The print of the sealed number as this page saw it before the end, if it did. */
  get notedPrint(): string | null {
    try {
      return sessionStorage.getItem(`qlub-print-${this.id}`);
    } catch {
      return null;
    }
  }

  #notePrint(print: string): void {
    try {
      if (this.notedPrint === null) sessionStorage.setItem(`qlub-print-${this.id}`, print);
    } catch {
      // Without storage there is nothing to compare with at the end.
    }
  }

  get #key(): string {
    return `qlub-pending-${this.id}`;
  }

  #recall(): Pending[] {
    try {
      return JSON.parse(sessionStorage.getItem(this.#key) ?? '[]') as Pending[];
    } catch {
      return [];
    }
  }

  #remember(): void {
    try {
      if (this.#pending.length) sessionStorage.setItem(this.#key, JSON.stringify(this.#pending));
      else sessionStorage.removeItem(this.#key);
    } catch {
      // Without storage a move on its way does not survive a reload; nothing else is lost.
    }
  }
}

/** What happened since an entry: decisions that were sealed and lie open now, then the new entries. */
export function newsOf(update: Pick<Update, 'entries' | 'revealed'>, since: number): Entry[] {
  const opened = update.revealed.map(({ seq, seat, events }): Entry => ({
    seq,
    at: 0,
    what: 'moved',
    seat,
    events,
  }));
  return [...opened, ...update.entries.filter((entry) => entry.seq > since)];
}

/** Add what an update tells to the log, and fill in what it reveals. */
export function merge(known: Entry[], update: Pick<Update, 'entries' | 'revealed'>): Entry[] {
  const last = known.at(-1)?.seq ?? 0;
  const all = [...known, ...update.entries.filter((entry) => entry.seq > last)];
  const opened = new Map(update.revealed.map((one) => [one.seq, one.events]));
  if (!opened.size) return all;
  return all.map((entry) => {
    const events = opened.get(entry.seq);
    return events ? { ...entry, events } : entry;
  });
}
