/** Says in the guest's language why something was not done. */
import { has, t } from '../words/index.svelte';
import { Refused } from './api';
import type { Refusal } from './wire';

/** A sentence for a refusal: by its reason if we know it, else by its word. */
export function sentence(refusal: Refusal, game = ''): string {
  const { error, reason } = refusal;
  if (reason && has(`${game}.illegal.${reason}`)) return t(`${game}.illegal.${reason}`);
  if (reason && has(`refused.${reason}`)) return t(`refused.${reason}`);
  return has(`refused.${error}`) ? t(`refused.${error}`) : t('refused.other');
}

export function explain(error: unknown, game = ''): string {
  return error instanceof Refused ? sentence(error.refusal, game) : t('refused.other');
}
