import { tick } from 'svelte';

interface Keep {
  root: () => HTMLElement | undefined;
  /** Reads whatever makes buttons come and go. */
  watch: () => unknown;
  /** Who has the focus if it was lost. */
  heir: () => HTMLElement | null | undefined;
}

/**
 * Keep the focus on a board whose buttons come and go with every decision.
 *
 * Whoever plays by keyboard must not start anew each time.
 */
export function keepFocus({ root, watch, heir }: Keep): void {
  watch();
  const isInside = root()?.contains(document.activeElement) ?? false;
  void tick().then(() => {
    if (isInside && !root()?.contains(document.activeElement))
      heir()?.focus({ preventScroll: true });
  });
}
