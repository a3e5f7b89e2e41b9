/** Let the pages open without a network, where browsers allow it: on this machine, or over https. */
export function register(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const start = () =>
    // Where it is refused, everything works but without a network.
    navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch(() => undefined);
  if (document.readyState === 'complete') void start();
  else addEventListener('load', () => void start(), { once: true });
}
