/** What the club says about a game of Qwixx: the shape of `guide.py`. */

export type Colour = 'red' | 'yellow' | 'green' | 'blue';
export type CellState = 'crossed' | 'lost' | 'open' | 'closed';

/** What a row is for everybody: what is printed on it, its die, and who closed it. */
export interface Print {
  colour: Colour;
  numbers: number[];
  /** Null before the roll, and for a die that is out of the game. */
  die: number | null;
  /** The sums of the die with one white die each. */
  sums: number[];
  closed_by: number[];
}

/** A row on somebody's sheet. */
export interface Row {
  cells: CellState[];
  lock: 'taken' | 'closed' | 'open' | 'lost';
  /** How many crosses are missing before the last number may be crossed. */
  needs: number;
  crosses: number;
  points: number;
}

export interface Sheet {
  rows: Row[];
  penalties: number;
  /** How many penalties a sheet has room for. */
  boxes: number;
  penalty_points: number;
  points: number;
}

/** A cross, or a pass with neither colour nor number. */
export interface Named {
  move: string;
  colour: Colour | null;
  number: number | null;
  /** Whether the lock of the row is crossed with it. */
  locks: boolean;
}

/** A legal move, and the sheet as it would be after it. */
export interface Choice extends Named {
  gain: number;
  points: number;
  penalties: number;
  penalty_points: number;
  /** Whether it ends the game, whatever the others do. */
  ends: boolean;
  row: Row | null;
}

export interface Guide {
  rows: Print[];
  /** By seat; an own decision that is still sealed counts as made. */
  sheets: Sheet[];
  white: { dice: number[]; sum: number } | null;
  moves: Choice[];
  /** The own decision that waits for those of the others. */
  decided: Named | null;
  ended: { why: 'rows' | 'player' | 'all' | 'penalties'; by: number[] } | null;
}
