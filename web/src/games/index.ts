/** The games, found by their folders. */
import type { GameModule } from './contract';

const found = import.meta.glob<GameModule>('./*/index.ts', { eager: true, import: 'game' });

/** The usual order: the shortest game first. */
export const games: GameModule[] = Object.values(found).sort((a, b) => a.minutes - b.minutes);

export function gameOf(name: string): GameModule | undefined {
  return games.find((game) => game.name === name);
}

/** A game's name as it is written. */
export function titleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
