/** What the club sends and takes: the messages of docs/api.md. */

export type Actor = number | '*';
/** Who acted and the text of it; null for a decision that is still sealed. */
export type Told = [Actor, string | null];
export type Json = Record<string, unknown>;

export interface Chair {
  name: string;
  kind: 'person' | 'bot';
  bot: string | null;
  resigned: boolean;
}

export interface Turn {
  phase: string;
  active: number | null;
  to_act: number[];
  chance: string | null;
  scores: number[];
  over: boolean;
  winners: number[] | null;
  reason: string | null;
}

export interface Proof {
  scheme: string;
  commitment: string;
  entropy: string[];
  secret: string | null;
}

export type Status = 'gathering' | 'playing' | 'over' | 'closed';

export interface TableState {
  game: string;
  options: Json;
  status: Status;
  visibility: 'open' | 'link';
  clock: number | null;
  created: number;
  changed: number;
  seats: (Chair | null)[];
  turn: Turn | null;
  deadlines: Record<string, number>;
  places: number[] | null;
  fair: Proof;
  again: string | null;
  before: string | null;
}

export interface Entry {
  seq: number;
  at: number;
  what: string;
  seat?: number;
  by?: 'person' | 'bot' | 'clock';
  failure?: string | null;
  reaction?: string;
  name?: string;
  bot?: string | null;
  events?: Told[];
  /** The points of all seats after it. */
  scores?: number[];
  [field: string]: unknown;
}

export interface SeatView {
  seat: number | null;
  view: Json;
  guide: Json;
}

export interface Update {
  type: 'update';
  table: string;
  seq: number;
  since: number | null;
  entries: Entry[];
  revealed: { seq: number; seat: number; events: Told[] }[];
  state: TableState;
  you: { seats: number[]; host: boolean };
  views: SeatView[];
}

/** A refusal: `error` is a word of docs/api.md, `reason` one of the game's own. */
export interface Refusal {
  error: string;
  message: string;
  reason?: string | null;
}

export type Command = { do: string; id?: string } & Json;

export interface Summary {
  table: string;
  game: string;
  status: Status;
  visibility: 'open' | 'link';
  clock: number | null;
  seats: ({ name: string; kind: 'person' | 'bot' } | null)[];
  yours: number[];
  your_turn: boolean;
  scores: number[] | null;
  created: number;
  changed: number;
  seq: number;
}

/** What somebody with an invitation is told before they come in. */
export interface Welcome {
  game: string;
  status: Summary['status'];
  host: string | null;
  seats: Summary['seats'];
}

export interface GameInfo {
  name: string;
  seats: [number, number];
  practice: boolean;
  options: Record<string, Json>;
  bots: Record<string, string>;
}

export interface Result {
  table: string;
  at: number;
  game: string;
  seats: number;
  seat: number;
  name: string;
  score: number;
  place: number;
  gave_up: boolean;
}

export interface Leader {
  name: string;
  kind: 'person' | 'bot';
  you: boolean;
  rating: number;
  mu: number;
  sigma: number;
  games: number;
  wins: number;
}

/** One moment of a game that is looked at again: what happened, and how it lay then. */
export interface Step {
  seq: number;
  at: number;
  event: Told | null;
  turn: Turn;
  view: Json;
  guide: Json;
  /** What chance could have supplied, told when the game is over. */
  chance: Json | null;
}
