/** The texts of the pages in the guest's language. */
import { settings } from '../settings.svelte';
import { fill, type Form, type Values } from './plural';

export const LANGUAGES = { en: 'English', fr: 'Français', de: 'Deutsch', it: 'Italiano' } as const;
export type Language = keyof typeof LANGUAGES;

const loaders: Record<Language, () => Promise<{ default: Record<string, unknown> }>> = {
  en: () => import('./en'),
  fr: () => import('./fr'),
  de: () => import('./de'),
  it: () => import('./it'),
};

let language = $state<Language>('en');
let texts = $state.raw<Record<string, unknown>>({});

function isLanguage(word: string): word is Language {
  return word in LANGUAGES;
}

/** The first of our languages that the guest has chosen or the browser asks for. */
function wanted(): Language {
  const chosen = [settings.language ?? '', ...navigator.languages];
  return chosen.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';
}

/** Load the texts of a language, at first the one that the browser asks for. */
export async function speak(next: Language = wanted()): Promise<void> {
  texts = (await loaders[next]()).default;
  language = next;
  document.documentElement.lang = next;
}

export function choose(next: Language): Promise<void> {
  settings.language = next;
  return speak(next);
}

export function spoken(): Language {
  return language;
}

/** The text of a key; `n` chooses its plural form. */
export function t(key: string, values: Values = {}): string {
  const form = texts[key] as Form | undefined;
  return form === undefined ? key : fill(form, values, language);
}

/** Whether there is such a text. */
export function has(key: string): boolean {
  return key in texts;
}

/** `Inès, Robin and Théo` in the guest's language. */
export function listed(
  names: string[],
  type: 'conjunction' | 'disjunction' = 'conjunction',
): string {
  return new Intl.ListFormat(language, { type }).format(names);
}

/** `3 minutes ago`, in words short enough for a list. */
export function ago(at: number, now = Date.now()): string {
  const minutes = Math.round((at - now) / 60_000);
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  if (Math.abs(minutes) < 60) return format.format(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  if (Math.abs(hours) < 24) return format.format(hours, 'hour');
  return format.format(Math.round(hours / 24), 'day');
}

/** A text that begins a sentence. */
export function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}

/** A gain with its sign: `+5`, `+0`, `−5`. */
export function signed(n: number): string {
  return n < 0 ? `−${-n}` : `+${n}`;
}
