/** Tiles: how they are drawn, called and written. */
import { t } from '../../words/index.svelte';

export const COLOURS = ['R', 'O', 'Y', 'G', 'B', 'P'] as const;
export const SHAPES = ['o', 'x', 'd', 's', 't', 'c'] as const;
export const TILES = COLOURS.flatMap((colour) => SHAPES.map((shape) => colour + shape));

/** The side of a cell, in the units that tiles are drawn in. */
export const CELL = 48;

/** The pigments of tokens.css. */
export const PIGMENTS: Record<string, string> = {
  R: 'red',
  O: 'orange',
  Y: 'yellow',
  G: 'green',
  B: 'blue',
  P: 'purple',
};

/** The engraver's lines of each colour on a square of 8; yellow has dots, orange is plain. */
export const HATCHES: Record<string, { lines: string; width: number }> = {
  R: { lines: 'M0 0v8M8 0v8', width: 2.6 },
  B: { lines: 'M0 0h8M0 8h8', width: 2.6 },
  G: { lines: 'M-2-2l12 12M-2 6l4 4M6-2l4 4', width: 2.2 },
  P: { lines: 'M10-2l-12 12M2-2l-4 4M10 6l-4 4', width: 2.2 },
  Y: { lines: 'M0 0h.01M8 0h.01M0 8h.01M8 8h.01M4 4h.01', width: 3.4 },
  O: { lines: '', width: 0 },
};

export const OUTLINES: Record<string, string> = {
  o: 'M24 10a14 14 0 1 1 0 28a14 14 0 1 1 0-28z',
  x: 'M24 18.2l7.7-7.7a4.1 4.1 0 0 1 5.8 5.8L29.8 24l7.7 7.7a4.1 4.1 0 0 1-5.8 5.8L24 29.8l-7.7 7.7a4.1 4.1 0 0 1-5.8-5.8L18.2 24l-7.7-7.7a4.1 4.1 0 0 1 5.8-5.8z',
  d: 'M24 6.5L41.5 24 24 41.5 6.5 24z',
  s: 'M13 11.5h22a1.5 1.5 0 0 1 1.5 1.5v22a1.5 1.5 0 0 1-1.5 1.5H13a1.5 1.5 0 0 1-1.5-1.5V13a1.5 1.5 0 0 1 1.5-1.5z',
  t: 'M24 7.2l5.1 11 12 1.4-8.9 8.3 2.4 11.9L24 33.8l-10.6 6 2.4-11.9-8.9-8.3 12-1.4z',
  c: 'M19.2 19.2a8.2 8.2 0 1 1 9.6 0a8.2 8.2 0 1 1 0 9.6a8.2 8.2 0 1 1-9.6 0a8.2 8.2 0 1 1 0-9.6z',
};

export interface Cell {
  x: number;
  y: number;
}

/** A tile in a cell. */
export interface Placed extends Cell {
  tile: string;
}

/** `red star` in the guest's language. */
export function nameOf(tile: string): string {
  return t(`qwirkle.tile.${tile}`);
}

export function keyOf({ x, y }: Cell): string {
  return `${x},${y}`;
}

export function cellOf(key: string): Cell {
  const [x = 0, y = 0] = key.split(',').map(Number);
  return { x, y };
}

export function inTileOrder(tiles: string[]): string[] {
  return [...tiles].sort((a, b) => TILES.indexOf(a) - TILES.indexOf(b));
}

/** `Ro@0,0 Rx@1,0`: ordered by y, then by x, as the notation wants it. */
export function writeLay(placed: Placed[]): string {
  return [...placed]
    .sort((a, b) => a.y - b.y || a.x - b.x)
    .map((one) => `${one.tile}@${keyOf(one)}`)
    .join(' ');
}

export type Move =
  | { kind: 'lay'; placed: Placed[] }
  /** What others exchange is only counted. */
  | { kind: 'swap'; tiles: string[]; count: number }
  | { kind: 'pass' };

/** A decision as it was told. */
export function readMove(text: string): Move {
  if (text === '-') return { kind: 'pass' };
  const words = text.split(' ');
  if (words[0] === 'swap') return { kind: 'swap', ...readTiles(words.slice(1)) };
  const placed = words.map((word) => {
    const [tile = '', at = ''] = word.split('@');
    return { tile, ...cellOf(at) };
  });
  return { kind: 'lay', placed };
}

/** Tiles that are named, or only how many there are. */
export function readTiles(words: string[]): { tiles: string[]; count: number } {
  const count = Number(words[0]);
  return Number.isNaN(count) ? { tiles: words, count: words.length } : { tiles: [], count };
}
