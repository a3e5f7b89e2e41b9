/**
 * What a game's folder gives to the pages, and what the pages give to its board.
 *
 * No rule of any game is written here or in a board: the club sends a view and a guide, which says
 * what may be done and what it is worth (`guide.py` of each game).
 */
import type { Component } from 'svelte';
import type { Actor, Chair, Entry, Json, Told, Turn } from '../club/wire';
import type { Sound } from '../sound';

export interface Sitting<V = Json, G = Json> {
  /** Who sits where. */
  seats: Chair[];
  /** The seat that looks, or null for a spectator. */
  me: number | null;
  turn: Turn;
  view: V;
  guide: G;
  options: Json;
  /** The move of `me` that is on its way: shown as made, with nothing left to choose. */
  chosen: string | null;
  /** Whether `me` may decide now. False for spectators, bots' seats, and when looking back. */
  live: boolean;
  /** What just happened, for animations; empty when the page has only just come. */
  events: Told[];
  /** Changes with every update: key animations by it. */
  seq: number;
  /** Whether this is a step of the history or a lesson: do not say who is awaited. */
  past: boolean;
  /** The whole log, for what a board wants to say about earlier turns. */
  entries: Entry[];
}

export interface BoardProps<V = Json, G = Json> {
  sitting: Sitting<V, G>;
  /** Decide. The text is a move of the guide. */
  play: (move: string) => void;
  /** Ask for the guide of a move that is not finished, such as tiles laid so far. */
  ask: (draft: string) => Promise<Json>;
}

/** A part of somebody's points, for the picture at the end. */
export interface Part {
  /** One or two letters on the bar. */
  label: string;
  /** What it is, in full, for screen readers and the legend. */
  name: string;
  points: number;
  /** A pigment of tokens.css, such as `red`. */
  pigment?: string;
}

export interface Telling {
  /** The names of the seats; `me` is called "you" by texts of their own. */
  seats: Chair[];
  me: number | null;
}

export interface GameModule {
  name: string;
  /** How many minutes a game takes at a table. */
  minutes: number;
  /** Whether a seat sees what others must not, such as tiles: several at one device take turns then. */
  hides: boolean;
  /** The picture on the home page: an SVG of 400 by 220. */
  Art: Component<{ small?: boolean }>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each board knows its own view and guide
  board: () => Promise<{ default: Component<BoardProps<any, any>> }>;
  /** What belongs to the board but has no picture, loaded with it. */
  more: () => Promise<GameMore>;
  lesson: () => Promise<{ default: Lesson }>;
}

export interface GameMore {
  /** Say in a sentence what an event was, or nothing for what is not worth a word. */
  tell: (actor: Actor, text: string, telling: Telling) => string;
  /** What an event sounds like, if like anything. */
  sound?: (actor: Actor, text: string) => Sound | null;
  /** What somebody's points are made of at the end; `log` has all events of the game. */
  parts: (seat: number, view: Json, guide: Json, entries: Entry[]) => Part[];
  /** Why the game ended, in a sentence; with the guide it can name who and what brought it about. */
  why: (reason: string, view: Json, telling: Telling, guide?: Json) => string;
}

/** A lesson: moments of a real game, each with what to read and which moves go on. */
export interface Lesson {
  steps: LessonStep[];
}

export interface LessonStep {
  /** The text to read: `<game>.lesson.<say>`. */
  say: string;
  /** Moves that go on to the next step; empty for a step that is only read. */
  expect: string[];
  me: number;
  turn: Turn;
  view: Json;
  guide: Json;
  events: Told[];
  /** Answers to the drafts that a player may ask about on the way. */
  drafts?: Record<string, Json>;
}
