/** What somebody's results at one game add up to. */
import type { Result } from '../club/wire';

export interface Tally {
  games: number;
  /** Wins over others; alone at a table nobody is beaten. */
  wins: number;
  /** Of games that were played to the end, the oldest first. */
  finished: Result[];
  mean: number | null;
  best: number | null;
}

export function hasWon(result: Result): boolean {
  return result.place === 1 && result.seats > 1 && !result.gave_up;
}

/** Add results up; what a bot made of a game that was given up is nobody's score. */
export function tallyOf(results: Result[]): Tally {
  const finished = results.filter((one) => !one.gave_up).sort((a, b) => a.at - b.at);
  const scores = finished.map((one) => one.score);
  const sum = scores.reduce((total, score) => total + score, 0);
  return {
    games: results.length,
    wins: results.filter(hasWon).length,
    finished,
    mean: scores.length ? sum / scores.length : null,
    best: scores.length ? Math.max(...scores) : null,
  };
}
