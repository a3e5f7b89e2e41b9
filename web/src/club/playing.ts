/** Opens tables: at once against bots, or for people who are still to come. */
import { settings } from '../settings.svelte';
import { api, newId, type NewTable } from './api';
import { guest } from './guest.svelte';
import type { GameInfo } from './wire';

const USUAL_BOTS = 2;

let known: Promise<Map<string, GameInfo>> | null = null;

/** What the club says about its games; asked once. */
export function gameInfos(): Promise<Map<string, GameInfo>> {
  known ??= api
    .games()
    .then(({ games }) => new Map(games.map((game) => [game.name, game])))
    .catch((error: unknown) => {
      known = null;
      throw error;
    });
  return known;
}

/** The bot that the guest has chosen last, or the best where a game has no such bot. */
export function usualBot(info: GameInfo): string {
  return settings.bot in info.bots ? settings.bot : (Object.keys(info.bots).at(-1) ?? 'random');
}

/** Open a table against bots and begin; returns its name. */
export async function playNow(game: string): Promise<string> {
  const name = await guest.ensure();
  const info = (await gameInfos()).get(game);
  const bots = info ? Array.from({ length: USUAL_BOTS }, () => usualBot(info)) : [];
  return begin({ game, seats: 1 + bots.length, people: [name], bots });
}

/**
 * Open a table at which everybody already sits, and begin.
 *
 * The club shows its print first; only then each seat adds a text of its own to the chance, so that
 * nobody, the host of the club included, could have known the dice.
 */
export async function begin(wish: NewTable): Promise<string> {
  const { table } = await api.create({ ...wish, id: newId() });
  for (let seat = 0; seat < (wish.people?.length ?? 0); seat++)
    await api.command(table, { do: 'stir', id: newId(), seat, entropy: newId() });
  await api.command(table, { do: 'start', id: newId() });
  return table;
}
