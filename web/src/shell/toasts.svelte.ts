/** One sentence at the bottom for five seconds. */

export interface Toast {
  id: number;
  text: string;
}

const LASTS = 5_000;
let next = 1;
let toasts = $state<Toast[]>([]);
let below = $state(0);

export function shown(): Toast[] {
  return toasts;
}

/** How many pixels at the bottom of the page toasts keep clear of. */
export function room(): number {
  return below;
}

export function keepClear(pixels: number): void {
  below = pixels;
}

export function toast(text: string): void {
  const id = next++;
  toasts = [...toasts.filter((other) => other.text !== text), { id, text }];
  rest(id);
}

function dismiss(id: number): void {
  toasts = toasts.filter((other) => other.id !== id);
}

const timers = new Map<number, ReturnType<typeof setTimeout>>();

/** Let a toast go after its time. */
export function rest(id: number): void {
  hold(id);
  timers.set(
    id,
    setTimeout(() => dismiss(id), LASTS),
  );
}

/** Keep a toast while somebody is at it. */
export function hold(id: number): void {
  clearTimeout(timers.get(id));
}
