/** What the club sends about a game of Qwirkle: the view of docs/notation.md and the guide of guide.py. */
import type { Json } from '../../club/wire';
import type { Sitting } from '../contract';

export interface View extends Json {
  /** Cell, written `x,y`, to tile. */
  board: Record<string, string>;
  /** One's own tiles, and how many the others have. */
  hands: (string[] | number)[];
  bag: number;
  active: number | null;
}

export interface Guide extends Json {
  bag: number;
  /** How many tiles of each colour and shape one has not seen. */
  unseen: number[][];
  /** How many tiles the first move must have; 0 if it is made. */
  first: number;
  /** What is laid on trial: whether it is a move, how many tiles are missing, what it makes. */
  draft: string;
  legal: boolean;
  missing: number;
  points: number;
  lines: { length: number; points: number }[];
  bonus: number;
  /** Tile, then cell, to all points if it is laid there next. */
  spots: Record<string, Record<string, number>>;
  /** How many tiles may be exchanged at most. */
  exchange: number;
  pass: boolean;
}

export type Table = Sitting<View, Guide>;

/** One's own tiles; nobody else's are known. */
export function ownTiles({ me, view }: Table): string[] {
  const hand = me === null ? undefined : view.hands[me];
  return Array.isArray(hand) ? hand : [];
}
