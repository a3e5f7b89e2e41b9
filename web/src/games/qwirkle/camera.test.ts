/** Looking at the endless table: everything in sight, nothing lost, the finger stays where it is. */
import { expect, test } from 'vitest';
import { boxOf, FARTHEST, fit, NEAREST, reveal, within, zoomAt } from './camera';

const FRAME = { left: 0, top: 0, right: 400, bottom: 300 };

test('a large board is seen whole, a small one no nearer than usual', () => {
  const box = boxOf([
    { x: -5, y: 0 },
    { x: 5, y: 2 },
  ]);
  const look = fit(box, FRAME);
  expect(box.left * look.zoom + look.x).toBeCloseTo(0);
  expect(box.right * look.zoom + look.x).toBeCloseTo(400);
  expect(fit(boxOf([{ x: 0, y: 0 }]), FRAME).zoom).toBeLessThan(NEAREST);
});

test('zooming keeps the point under the finger, within limits', () => {
  const look = { x: 10, y: 20, zoom: 1 };
  const next = zoomAt(look, 1.5, { x: 100, y: 50 });
  expect((100 - next.x) / next.zoom).toBeCloseTo(90);
  expect((50 - next.y) / next.zoom).toBeCloseTo(30);
  expect(zoomAt(look, 100, { x: 0, y: 0 }).zoom).toBe(NEAREST);
  expect(zoomAt(look, 0.01, { x: 0, y: 0 }).zoom).toBe(FARTHEST);
});

test('the tiles cannot be lost from sight', () => {
  const box = boxOf([{ x: 0, y: 0 }]);
  const look = within({ x: 5000, y: -5000, zoom: 1 }, box, 400, 300);
  expect(look.x).toBeLessThan(400);
  expect(look.y + 48).toBeGreaterThan(0);
});

test('what should be seen is shifted into view, and no farther', () => {
  const look = { x: 0, y: 0, zoom: 1 };
  expect(reveal(look, boxOf([{ x: 1, y: 1 }]), FRAME)).toEqual(look);
  expect(reveal(look, boxOf([{ x: 8, y: 1 }]), FRAME)).toEqual({ x: 400 - 9 * 48, y: 0, zoom: 1 });
});
