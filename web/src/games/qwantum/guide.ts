/** What the club tells a board of Qwantum: the view of docs/notation.md and the guide of guide.py. */
import type { Json } from '../../club/wire';
import type { Sitting } from '../contract';

export interface View extends Json {
  phase: 'first' | 'roll' | 'keep' | 'reroll' | 'pick' | 'share' | 'over';
  active: number | null;
  picked: Colour | null;
}

export type Colour = 'v' | 'b' | 'r' | 'y';

/** The pigments of the club that the colours of this game are painted with. */
export const PIGMENTS: Record<Colour, string> = {
  v: 'violet',
  b: 'sky',
  r: 'scarlet',
  y: 'yellow',
};

export interface DieFace {
  name: string;
  colour: Colour | 'w';
  number: number;
}

export interface Sum {
  colour: Colour;
  total: number;
  /** The dice that it is made of, the white one first. */
  parts: number[];
  /** Whether it was written in B and is nobody's any more. */
  taken: boolean;
}

export interface Next {
  cell: number;
  relation: '>' | '<' | null;
  limit: number | null;
  /** Whether the sum of the colour may go there; null while there is none. */
  fits: boolean | null;
  gain: number;
}

export interface RowGuide {
  colour: Colour;
  numbers: number[];
  /** How many cells can ever be filled. */
  reach: number;
  next: Next | null;
}

export interface Column {
  points: number | null;
  lacks: number;
  /** What the last number would make of it: with the sum as it is now, and at best. */
  soon: { colour: Colour; now: number | null; least: number; most: number } | null;
}

export interface SheetGuide {
  rows: RowGuide[];
  columns: Column[];
  fails: { count: number; boxes: number[]; points: number };
  total: number;
}

export interface Writing {
  move: string;
  colour: Colour;
  number: number;
  cell: number;
  gain: number;
  /** How many numbers the column still lacks afterwards. */
  lacks: number;
}

export interface Passing {
  move: string;
  colour: null;
  gain: number;
}

export type Choice = Writing | Passing;

export interface Guide extends Json {
  /** How many cells stand before the thick line. */
  line: number;
  dice: DieFace[];
  sums: Sum[];
  sheets: SheetGuide[];
  throw: { keep: string; reroll: string; comma: string } | null;
  choices: Choice[];
  made: Choice | null;
  fail: { cost: number; certain: boolean } | null;
  ended: { why: string; by: number[] } | null;
}

export type Seated = Sitting<View, Guide>;
