/** Attached to a bar at the bottom of a page: toasts keep clear of it as long as it floats there. */
export function toastRoom(bar: HTMLElement): () => void {
  const root = document.documentElement.style;
  const watch = new ResizeObserver(() => {
    const floats = getComputedStyle(bar).position !== 'static';
    root.setProperty('--decide', floats ? `${bar.offsetHeight}px` : '0px');
  });
  watch.observe(bar);
  return () => {
    watch.disconnect();
    root.removeProperty('--decide');
  };
}
