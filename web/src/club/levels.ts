/** How bots are called. */
import { capital, has, t } from '../words/index.svelte';

/** A bot's level in a word; programs of the host have names of their own. */
export function levelOf(bot: string | null): string {
  return has(`level.${bot}`) ? t(`level.${bot}`) : (bot ?? '');
}

/** A sentence on how a bot thinks in a game. */
export function aboutBot(game: string, bot: string): string {
  if (has(`${game}.bot.${bot}`)) return t(`${game}.bot.${bot}`);
  return has(`bot.${bot}`) ? t(`bot.${bot}`) : t('bot.program');
}

/** A bot in a list of players: `Bot, greedy`. */
export function botName(bot: string): string {
  return capital(t('seat.bot', { level: levelOf(bot) }));
}
