/** The one socket to the club. It comes back by itself, and what was sent is sent again until answered. */
import { newId, Refused } from './api';
import type { Command, Json, Refusal, Update } from './wire';

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5_000;
const PATIENCE = 1_500; // a gap that nobody needs to hear of
const HEARTBEAT = 20_000;
const SILENCE = 8_000;
const DOUBT = 2_000; // after which an answer that should have come makes us look
const RETRY = 1_000;

export interface Watcher {
  since: number;
  onUpdate(update: Update): void;
  onRefusal(refusal: Refusal): void;
}

interface Letter<Answer> {
  frame: Json;
  done: (answer: Answer) => void;
  failed: (error: Refused) => void;
}

type Answer =
  | Update
  | { type: 'ack'; table: string; id: string; seq: number }
  | { type: 'guide'; table: string; id: string; guide: Json }
  | ({ type: 'error'; table: string | null; id: string | null } & Refusal)
  | { type: 'pong' };

class Club {
  /** True once the connection has been gone for so long that a player should know. */
  lost = $state(false);

  #socket: WebSocket | null = null;
  #watchers = new Map<string, Watcher>();
  #letters = new Map<string, Letter<number>>();
  #questions = new Map<string, Letter<Json>>();
  #wait = FIRST_WAIT;
  #timers: Partial<
    Record<'retry' | 'lost' | 'beat' | 'silence' | 'resend', ReturnType<typeof setTimeout>>
  > = {};

  constructor() {
    addEventListener('online', () => this.#hurry());
    addEventListener('offline', () => this.#look(DOUBT));
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.#look();
    });
  }

  /** Be told of a table until the returned function is called. */
  watch(table: string, watcher: Watcher): () => void {
    this.#watchers.set(table, watcher);
    if (this.#isOpen) this.#watch(table, watcher);
    else this.#connect();
    return () => {
      if (this.#watchers.get(table) !== watcher) return;
      this.#watchers.delete(table);
      if (this.#isOpen) this.#send({ do: 'unwatch', table });
      if (!this.#watchers.size && !this.#letters.size) this.#close();
    };
  }

  /** Hear everything of a table again from its first entry: one may know more of it now. */
  watchAnew(table: string): void {
    const watcher = this.#watchers.get(table);
    if (!watcher) return;
    watcher.since = 0;
    if (this.#isOpen) this.#watch(table, watcher);
  }

  /** Send a command until the club has stored or refused it. */
  command(table: string, command: Command): Promise<number> {
    const id = command.id ?? newId();
    const frame = { do: 'command', table, command: { ...command, id } };
    return new Promise((done, failed) => {
      this.#letters.set(id, { frame, done, failed });
      if (this.#isOpen) this.#send(frame);
      else this.#connect();
      setTimeout(() => this.#letters.has(id) && this.#look(DOUBT), DOUBT);
    });
  }

  /** Ask what the rules say about a move that is not finished. Only the last question matters. */
  ask(table: string, seat: number, draft: string): Promise<Json> {
    const id = newId();
    const frame = { do: 'ask', table, seat, draft, id };
    return new Promise((done, failed) => {
      this.#questions.set(id, { frame, done, failed });
      if (this.#isOpen) this.#send(frame);
      else this.#connect();
    });
  }

  /** Connect again, as whoever the cookie now says we are. */
  renew(): void {
    if (!this.#socket) return;
    this.#drop();
    this.#connect();
  }

  get #isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  #connect(): void {
    if (this.#socket) return;
    clearTimeout(this.#timers.retry);
    const address = new URL('/api/socket', location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    const socket = new WebSocket(address);
    this.#socket = socket;
    this.#timers.lost ??= setTimeout(() => (this.lost = true), PATIENCE);
    this.#timers.silence = setTimeout(() => this.#comeBack(), SILENCE);
    socket.onopen = () => this.#greet();
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#hear(JSON.parse(event.data as string) as Answer);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#comeBack();
    };
  }

  /** The connection is gone: try again, a little later each time. */
  #comeBack(): void {
    this.#drop();
    if (!this.#watchers.size && !this.#letters.size) return;
    this.#timers.lost ??= setTimeout(() => (this.lost = true), PATIENCE);
    this.#timers.retry = setTimeout(() => this.#connect(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
  }

  #greet(): void {
    this.#wait = FIRST_WAIT;
    clearTimeout(this.#timers.lost);
    delete this.#timers.lost;
    this.lost = false;
    clearTimeout(this.#timers.silence);
    this.#sayAll();
    this.#beat();
  }

  #watch(table: string, watcher: Watcher): void {
    this.#send({ do: 'watch', table, since: watcher.since, guide: true });
  }

  #send(frame: Json): void {
    this.#socket?.send(JSON.stringify(frame));
  }

  #hear(answer: Answer): void {
    clearTimeout(this.#timers.silence);
    if (answer.type === 'update') {
      const watcher = this.#watchers.get(answer.table);
      if (!watcher) return;
      watcher.since = answer.seq;
      watcher.onUpdate(answer);
    } else if (answer.type === 'ack') {
      this.#letters.get(answer.id)?.done(answer.seq);
      this.#letters.delete(answer.id);
    } else if (answer.type === 'guide') {
      this.#questions.get(answer.id)?.done(answer.guide);
      this.#questions.delete(answer.id);
    } else if (answer.type === 'error') {
      this.#refused(answer);
    }
  }

  #refused(answer: { table: string | null; id: string | null } & Refusal): void {
    const { error, message, reason, id, table } = answer;
    const letter = id ? this.#letters.get(id) : undefined;
    const question = id ? this.#questions.get(id) : undefined;
    if (error === 'too-many' && !id) {
      this.#resendSoon(); // we do not know what of all that we sent too fast
    } else if (letter && id) {
      if (error === 'not-saved') {
        setTimeout(() => this.#isOpen && this.#letters.has(id) && this.#send(letter.frame), RETRY);
        return;
      }
      this.#letters.delete(id);
      letter.failed(new Refused({ error, message, reason: reason ?? null }));
    } else if (question && id) {
      this.#questions.delete(id);
      question.failed(new Refused({ error, message, reason: reason ?? null }));
    } else if (table && !id) {
      const watcher = this.#watchers.get(table);
      if (error === 'not-saved')
        setTimeout(() => this.#isOpen && watcher && this.#watch(table, watcher), RETRY);
      else watcher?.onRefusal({ error, message });
    }
  }

  #resendSoon(): void {
    clearTimeout(this.#timers.resend);
    this.#timers.resend = setTimeout(() => this.#isOpen && this.#sayAll(), RETRY);
  }

  /** Say again what we watch and what has no answer yet; ids make everything count once. */
  #sayAll(): void {
    for (const [table, watcher] of this.#watchers) this.#watch(table, watcher);
    for (const { frame } of [...this.#letters.values(), ...this.#questions.values()])
      this.#send(frame);
  }

  #beat(): void {
    clearTimeout(this.#timers.beat);
    this.#timers.beat = setTimeout(() => {
      this.#look();
      this.#beat();
    }, HEARTBEAT);
  }

  /** Make sure that the connection still lives; a dead one may take minutes to notice by itself. */
  #look(patience = SILENCE): void {
    if (!this.#isOpen) {
      this.#hurry();
      return;
    }
    this.#send({ do: 'ping' });
    clearTimeout(this.#timers.silence);
    this.#timers.silence = setTimeout(() => this.#comeBack(), patience);
  }

  /** Do not wait for the next try. */
  #hurry(): void {
    if (this.#socket || (!this.#watchers.size && !this.#letters.size)) return;
    this.#wait = FIRST_WAIT;
    this.#connect();
  }

  #drop(): void {
    clearTimeout(this.#timers.silence);
    clearTimeout(this.#timers.beat);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #close(): void {
    clearTimeout(this.#timers.lost);
    delete this.#timers.lost;
    clearTimeout(this.#timers.retry);
    this.lost = false;
    this.#drop();
  }
}

export const club = new Club();
