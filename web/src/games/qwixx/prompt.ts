/** What the prompt says: a step, one sentence, and a hint, for every moment of a game. */
import { listed, t } from '../../words/index.svelte';
import type { Sitting } from '../contract';
import type { Choice, Guide, Named } from './guide';
import { tell, why } from './more';
import { nameOf } from './names';

export interface Prompt {
  step: string;
  ask: string;
  hint: string;
}

/** Say what is asked; `choice` is what the player has proposed but not confirmed. */
export function promptOf(sitting: Sitting, guide: Guide, choice: Choice | null): Prompt {
  const { turn, past, live } = sitting;
  if (turn.over) return over(sitting, guide);
  const told = past && !live ? happened(sitting) : '';
  if (told) return { step: t('qwixx.step.past'), ask: told, hint: '' };
  if (turn.phase === 'first')
    return { step: t('qwixx.step.first'), ask: t('qwixx.ask.first'), hint: '' };
  const step = stepOf(sitting);
  if (turn.phase === 'roll') return { step, ask: t('qwixx.ask.roll'), hint: '' };
  if (live) {
    const hint = choice?.ends ? t('qwixx.hint.ends') : undefined;
    const asked = turn.phase === 'white' ? askWhite(sitting, guide) : askColour(guide);
    return { step, ...asked, ...(hint && { hint }) };
  }
  if (past) return { step, ask: t('qwixx.ask.sum', { n: guide.white?.sum ?? 0 }), hint: '' };
  return { step, ...wait(sitting, guide) };
}

function nameAt(sitting: Sitting, seat: number | null): string {
  return seat === null ? '' : (sitting.seats[seat]?.name ?? '');
}

function stepOf(sitting: Sitting): string {
  const { active, phase } = sitting.turn;
  const who = active === sitting.me ? 'you' : 'other';
  const name = nameAt(sitting, active);
  if (phase === 'roll') return t(`qwixx.step.roll.${who}`, { name });
  return t(`qwixx.step.action.${who}`, { name, n: phase === 'white' ? 1 : 2 });
}

function happened(sitting: Sitting): string {
  return sitting.events
    .map(([actor, text]) =>
      text === null
        ? t('qwixx.tell.sealed', { name: actor === '*' ? '' : nameAt(sitting, actor) })
        : tell(actor, text, sitting),
    )
    .filter((sentence) => sentence)
    .join('. ');
}

/** The others who have not decided yet. What the rest decided is nobody's business. */
function awaited(sitting: Sitting): string[] {
  return sitting.turn.to_act
    .filter((seat) => seat !== sitting.me)
    .map((seat) => nameAt(sitting, seat));
}

function askWhite(sitting: Sitting, guide: Guide): Pick<Prompt, 'ask' | 'hint'> {
  const sum = guide.white?.sum ?? 0;
  const fits = guide.moves.some((move) => move.colour !== null);
  return {
    ask: t(fits ? 'qwixx.ask.white' : 'qwixx.ask.white.none', { n: sum }),
    hint: whiteHint(sitting),
  };
}

function whiteHint(sitting: Sitting): string {
  if (sitting.seats.length === 1) return t('qwixx.hint.alone');
  if (sitting.past) return t('qwixx.hint.white');
  const names = awaited(sitting);
  if (!names.length) return t('qwixx.hint.last');
  if (names.length > 2) return t('qwixx.hint.many', { n: names.length });
  return t('qwixx.hint.thinking', { n: names.length, names: listed(names) });
}

function askColour(guide: Guide): Pick<Prompt, 'ask' | 'hint'> {
  const fits = guide.moves.some((move) => move.colour !== null);
  const pass = guide.moves.find((move) => move.colour === null);
  const hint = !pass?.gain ? 'free' : pass.ends ? 'fourth' : 'penalty';
  return {
    ask: t(fits ? 'qwixx.ask.colour' : 'qwixx.ask.colour.none'),
    hint: t(`qwixx.hint.${hint}`),
  };
}

/** Say who is awaited, and what became of the own decision. */
function wait(sitting: Sitting, guide: Guide): Pick<Prompt, 'ask' | 'hint'> {
  const { turn, chosen, me } = sitting;
  const names = awaited(sitting);
  const made = guide.moves.find((move) => move.move === chosen) ?? guide.decided;
  const ask = names.length ? t('qwixx.ask.wait', { names: listed(names) }) : '';
  if (made) return { ask: ask || done(made), hint: ask ? `${done(made)}.` : t('qwixx.hint.sent') };
  if (turn.phase === 'white') {
    const hint = t('qwixx.hint.everyone', { n: guide.white?.sum ?? 0 });
    return { ask: ask || t('qwixx.ask.wait', { names: nameAt(sitting, me) }), hint };
  }
  const name = nameAt(sitting, turn.active);
  return {
    ask: t('qwixx.ask.wait', { names: name }),
    hint: t('qwixx.hint.colour', { name }),
  };
}

function done(move: Named): string {
  if (move.colour === null) return t('qwixx.done.pass');
  return t('qwixx.done.cross', { cross: nameOf(move) });
}

function over(sitting: Sitting, guide: Guide): Prompt {
  const { turn, me, seats, view } = sitting;
  const winners = turn.winners ?? [];
  const points = turn.scores[winners[0] ?? 0] ?? 0;
  const names = listed(winners.map((seat) => nameAt(sitting, seat)));
  let ask = t('qwixx.over.other', { names, n: points });
  if (winners.length > 1) ask = t('qwixx.over.shared', { names, n: points });
  else if (winners[0] === me) ask = t('qwixx.over.you', { n: points });
  if (seats.length === 1 && me !== null) ask = t('qwixx.over.alone', { n: points });
  const hint = why(turn.reason ?? '', view, sitting, guide as unknown as Sitting['guide']);
  return { step: t('qwixx.step.over'), ask, hint };
}
