/** Arrow keys among the buttons of a group; Tab goes through them too. */

const STEPS: Partial<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowUp: -1,
  ArrowRight: 1,
  ArrowDown: 1,
};

/** Let arrow keys, Home and End move the focus inside an element. */
export function arrows(group: Element): () => void {
  const walk = (event: Event) => step(group, event as KeyboardEvent);
  group.addEventListener('keydown', walk);
  return () => group.removeEventListener('keydown', walk);
}

function step(group: Element, event: KeyboardEvent): void {
  const buttons = [...group.querySelectorAll<HTMLElement>('button:enabled')];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  const by = STEPS[event.key];
  let to = by === undefined ? -1 : (at + by + buttons.length) % buttons.length;
  if (event.key === 'Home') to = 0;
  if (event.key === 'End') to = buttons.length - 1;
  if (at < 0 || to < 0) return;
  event.preventDefault();
  buttons[to]?.focus();
}
