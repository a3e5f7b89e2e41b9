/** Requests to the club over HTTP. */
import type {
  Command,
  GameInfo,
  Leader,
  Refusal,
  Result,
  Step,
  Summary,
  Update,
  Welcome,
} from './wire';

/** Why something was not done; `error` is `offline` when the club could not be reached. */
export class Refused extends Error {
  constructor(
    readonly refusal: Refusal,
    readonly status = 0,
  ) {
    super(refusal.message);
  }
}

/** How far the club's clock is ahead of ours, in milliseconds, as far as anybody would notice. */
export let skew = 0;

function compareClocks(response: Response): void {
  const theirs = Date.parse(response.headers.get('date') ?? '');
  const ahead = theirs - Date.now();
  if (!Number.isNaN(ahead)) skew = Math.abs(ahead) > 3_000 ? ahead : 0;
}

async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/api${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch {
    throw new Refused({ error: 'offline', message: 'the club cannot be reached' });
  }
  compareClocks(response);
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer as T;
  const refusal = answer as Refusal | null;
  if (refusal?.error) throw new Refused(refusal, response.status);
  throw new Refused({ error: 'offline', message: `status ${response.status}` }, response.status);
}

export interface NewTable {
  game: string;
  seats: number;
  options?: Record<string, unknown>;
  visibility?: 'open' | 'link';
  clock?: number | null;
  people?: string[];
  bots?: string[];
  start?: boolean;
  id?: string;
}

export interface Rating {
  game: string;
  seats: number;
  rating: number;
  games: number;
  wins: number;
}

export const api = {
  me: () => request<{ name: string | null }>('GET', '/guest'),
  introduce: (name: string) => request<{ name: string }>('PUT', '/guest', { name }),
  games: () => request<{ games: GameInfo[]; reactions: string[] }>('GET', '/games'),
  open: () => request<{ tables: Summary[] }>('GET', '/tables'),
  watchable: () => request<{ tables: Summary[] }>('GET', '/tables?status=playing'),
  mine: (status: 'running' | 'over' = 'running') =>
    request<{ tables: Summary[] }>('GET', `/tables/mine?status=${status}`),
  create: (wish: NewTable) =>
    request<{ table: string; invite: string; seq: number }>('POST', '/tables', wish),
  look: (table: string) => request<Update>('GET', `/tables/${table}`),
  command: (table: string, command: Command) =>
    request<{ seq: number }>('POST', `/tables/${table}`, command),
  invite: (table: string) => request<{ invite: string }>('GET', `/tables/${table}/invite`),
  knock: (table: string, invite: string) =>
    request<Welcome>('POST', `/tables/${table}/invite`, { invite }),
  seatKey: (table: string, seat: number) =>
    request<{ key: string }>('POST', `/tables/${table}/seats/${seat}/key`),
  history: (table: string) => request<{ steps: Step[] }>('GET', `/tables/${table}/history`),
  results: () => request<{ results: Result[] }>('GET', '/results?limit=1000'),
  ratings: () => request<{ ratings: Rating[] }>('GET', '/ratings'),
  leaders: (game: string, seats: number) =>
    request<{ leaders: Leader[] }>('GET', `/leaderboard?game=${game}&seats=${seats}`),
};

/** An id that makes a command count once, however often it is sent. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
