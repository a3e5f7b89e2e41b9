/** How colours, sums and dice are called. */
import { t } from '../../words/index.svelte';
import { PIGMENTS, type Colour, type DieFace } from './guide';

export function colourName(colour: Colour): string {
  return t(`colour.${PIGMENTS[colour]}`);
}

/** `violet 14` */
export function sumName(colour: Colour, number: number): string {
  return t('qwantum.sum', { colour: colourName(colour), number });
}

export function dieName({ colour, number }: DieFace): string {
  return colour === 'w' ? t('qwantum.die.white', { number }) : sumName(colour, number);
}
