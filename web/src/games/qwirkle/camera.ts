/** Where one looks at the endless table from: a shift in pixels and a zoom. */
import { CELL, type Cell } from './tiles';

export interface Look {
  x: number;
  y: number;
  zoom: number;
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export const NEAREST = 1.75;
export const FARTHEST = 0.3;
const USUAL = 1.17;

/** The cells around some others, in units of the table. */
export function boxOf(cells: Cell[], margin = 0): Box {
  const xs = cells.length ? cells.map((cell) => cell.x) : [0];
  const ys = cells.length ? cells.map((cell) => cell.y) : [0];
  return {
    left: (Math.min(...xs) - margin) * CELL,
    top: (Math.min(...ys) - margin) * CELL,
    right: (Math.max(...xs) + 1 + margin) * CELL,
    bottom: (Math.max(...ys) + 1 + margin) * CELL,
  };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), Math.max(least, most));
}

/** Look at a box from as near as usual, or so far that all of it can be seen in the frame. */
export function fit(box: Box, frame: Box): Look {
  const [width, height] = [frame.right - frame.left, frame.bottom - frame.top];
  const across = width / (box.right - box.left);
  const down = height / (box.bottom - box.top);
  const zoom = clamp(Math.min(across, down), FARTHEST, USUAL);
  return {
    zoom,
    x: frame.left + width / 2 - (zoom * (box.left + box.right)) / 2,
    y: frame.top + height / 2 - (zoom * (box.top + box.bottom)) / 2,
  };
}

/** Come nearer or go farther, with one point of the screen staying over its place. */
export function zoomAt(look: Look, factor: number, at: { x: number; y: number }): Look {
  const zoom = clamp(look.zoom * factor, FARTHEST, NEAREST);
  const ratio = zoom / look.zoom;
  return { zoom, x: at.x - (at.x - look.x) * ratio, y: at.y - (at.y - look.y) * ratio };
}

/** Do not lose sight of the tiles altogether. */
export function within(look: Look, box: Box, width: number, height: number): Look {
  const { zoom } = look;
  const edge = CELL * zoom * 2;
  return {
    zoom,
    x: clamp(look.x, edge - box.right * zoom, width - edge - box.left * zoom),
    y: clamp(look.y, edge - box.bottom * zoom, height - edge - box.top * zoom),
  };
}

/** Shift no more than needed for a box to be seen; go farther only if it is too large. */
export function reveal(look: Look, box: Box, frame: Box): Look {
  const { zoom } = look;
  const fitting = fit(box, frame);
  if (fitting.zoom < zoom) return fitting;
  return {
    zoom,
    x: clamp(look.x, frame.left - box.left * zoom, frame.right - box.right * zoom),
    y: clamp(look.y, frame.top - box.top * zoom, frame.bottom - box.bottom * zoom),
  };
}
