import { keepClear } from './toasts.svelte';

/** Attached to a bar at the bottom of a page: toasts keep clear of it as long as it floats there. */
export function toastRoom(bar: HTMLElement): () => void {
  const watch = new ResizeObserver(() => {
    const floats = getComputedStyle(bar).position !== 'static';
    keepClear(floats ? bar.offsetHeight : 0);
  });
  watch.observe(bar);
  return () => {
    watch.disconnect();
    keepClear(0);
  };
}
