/** What a screen reader is told: one sentence at a time, politely. */

let said = $state('');

export function announce(sentence: string): void {
  if (sentence) said = said === sentence ? `${sentence}\u00a0` : sentence;
}

export function lastSaid(): string {
  return said;
}
