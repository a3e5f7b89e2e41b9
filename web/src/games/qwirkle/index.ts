import type { GameModule, Lesson } from '../contract';
import Art from './Art.svelte';

export const game: GameModule = {
  name: 'qwirkle',
  minutes: 40,
  hides: true,
  Art: Art,
  board: () => import('./Board.svelte'),
  more: () => import('./more'),
  lesson: () => import('./lesson.json') as unknown as Promise<{ default: Lesson }>,
};
