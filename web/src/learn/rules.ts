/** The rules of a game as text and pictures, loaded for one game and one language. */
import type { Component } from 'svelte';
import type { Language } from '../words/index.svelte';

/** A piece of a section; `**` in a text stands around what is emphasized. */
export type Block =
  | { p: string }
  | { h: string }
  | { list: string[] }
  | { table: { head: string[]; rows: string[][] } }
  | { picture: string; caption: string }
  | { ruling: string }
  | { q: string; a: string };

export interface Section {
  id: string;
  title: string;
  body: Block[];
}

export interface RulesText {
  lead: string;
  /** Players and time, in a few words each. */
  facts: string[];
  sections: Section[];
}

/** Draws the picture of a name. */
export type Drawing = Component<{ name: string }>;

const texts = import.meta.glob<RulesText>('../games/*/rules/{en,fr,de,it}.json', {
  import: 'default',
});
const pictures = import.meta.glob<Drawing>('../games/*/rules/Picture.svelte', {
  import: 'default',
});

/** Load the rules of a game and what draws their pictures; null if there are none. */
export async function readRules(
  game: string,
  language: Language,
): Promise<{ text: RulesText; Picture: Drawing } | null> {
  const text = texts[`../games/${game}/rules/${language}.json`];
  const picture = pictures[`../games/${game}/rules/Picture.svelte`];
  if (!text || !picture) return null;
  const [loaded, Picture] = await Promise.all([text(), picture()]);
  return { text: loaded, Picture };
}

/** A text in pieces, every second one emphasized. */
export function pieces(text: string): string[] {
  return text.split('**');
}
