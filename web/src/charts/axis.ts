/** Round numbers for the axes of charts. */

/** A number as it is written: with a minus sign, not a hyphen. */
export function written(n: number): string {
  return String(n).replace('-', '−');
}

const STEPS = [1, 2, 5];

/** A step of 1, 2 or 5 times a power of ten with which a span has at most so many parts. */
export function stepFor(span: number, parts: number): number {
  for (let power = 1; ; power *= 10)
    for (const step of STEPS) if (span <= step * power * parts) return step * power;
}

/** The round numbers from `low` to `high`, ends included if they are round themselves. */
export function ticks(low: number, high: number, parts = 4): number[] {
  const step = stepFor(high - low, parts);
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step || 0);
}

export interface Scale {
  low: number;
  high: number;
  /** How high a value stands, in percent. */
  up: (value: number) => number;
}

/** A scale on which all values have room, and nothing. */
export function scaleFor(values: number[]): Scale {
  const low = Math.min(0, ...values);
  const high = Math.max(10, ...values) * 1.05;
  return { low, high, up: (value) => (100 * (value - low)) / (high - low) };
}

/** A path through points given in percent, on a drawing of 100 by 100. */
export function pathOf(points: { x: number; y: number }[]): string {
  return `M${points.map(({ x, y }) => `${x.toFixed(2)} ${(100 - y).toFixed(2)}`).join(' ')}`;
}

/** Move labels apart until none is nearer to the next than `gap`, within 0 to 100. */
export function spread(places: number[], gap: number): number[] {
  const order = places.map((at, i) => ({ at, i })).sort((a, b) => a.at - b.at);
  let floor = -Infinity;
  for (const one of order) floor = one.at = Math.max(one.at, floor + gap);
  let ceiling = 100 + gap;
  for (const one of order.reverse()) ceiling = one.at = Math.min(one.at, ceiling - gap);
  const moved: number[] = [];
  for (const { at, i } of order) moved[i] = at;
  return moved;
}

export interface Bin {
  from: number;
  to: number;
  count: number;
}

/** How often values fall between round numbers; `to` is not included. */
export function bins(values: number[], most = 10): Bin[] {
  if (!values.length) return [];
  const step = Math.max(5, stepFor(Math.max(...values) - Math.min(...values) + 1, most - 1));
  const first = Math.floor(Math.min(...values) / step);
  const last = Math.floor(Math.max(...values) / step);
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const from = (first + i) * step;
    const count = values.filter((value) => value >= from && value < from + step).length;
    return { from, to: from + step, count };
  });
}
