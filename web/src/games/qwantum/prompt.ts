/** What the board asks or tells, in one sentence, for everybody who looks and every step of a turn. */
import { capital, listed, t } from '../../words/index.svelte';
import type { Choice, Seated, Writing } from './guide';
import { isFirstThrow, logOf } from './log';
import { tell, why } from './more';
import { colourName, sumName } from './names';

export interface Prompt {
  step: string;
  sentence: string;
  hint: string;
}

const LETTERS: Partial<Record<string, string>> = { keep: 'a', reroll: 'a', pick: 'b', share: 'c' };

export function promptOf(sitting: Seated): Prompt {
  if (sitting.turn.over) return over(sitting);
  const step = stepOf(sitting);
  if (sitting.live) return { step, ...asked(sitting) };
  if (sitting.past) return { step, ...happened(sitting) };
  if (sitting.chosen !== null) return { step, sentence: onItsWay(sitting), hint: '' };
  return { step, ...awaited(sitting) };
}

function nameOf({ seats }: Seated, seat: number | null): string {
  return seats[seat ?? 0]?.name ?? '';
}

function stepOf(sitting: Seated): string {
  const { active, phase } = sitting.view;
  if (active === null) return t('qwantum.step.lot');
  const whose = active === sitting.me ? 'you' : 'other';
  const name = nameOf(sitting, active);
  const letter = LETTERS[phase];
  if (!letter) return t(`qwantum.step.throw.${whose}`, { name });
  if (letter === 'a' && !sitting.past && isFirstThrow(sitting))
    return t(`qwantum.step.first.${whose}`, { name });
  return t(`qwantum.step.${letter}.${whose}`, { name });
}

/** What `me` must decide now. */
function asked(sitting: Seated): Omit<Prompt, 'step'> {
  const { guide, view, seats, me } = sitting;
  if (view.phase === 'keep')
    return { sentence: t('qwantum.ask.keep'), hint: t('qwantum.ask.keep.hint') };
  const alone = seats.length === 1;
  if (!guide.choices.some((choice) => choice.colour !== null)) {
    const cost = guide.fail?.cost;
    const hint = cost ? t('qwantum.ask.nothing.fails', { n: cost }) : t('qwantum.ask.nothing.hint');
    return { sentence: t('qwantum.ask.nothing'), hint };
  }
  if (view.phase === 'pick') {
    const hint = alone ? t('qwantum.ask.pick.alone') : t('qwantum.ask.pick.hint');
    return { sentence: t('qwantum.ask.pick'), hint };
  }
  if (guide.fail)
    return { sentence: t('qwantum.ask.any'), hint: t('qwantum.ask.fail', { n: guide.fail.cost }) };
  const hint = alone ? t('qwantum.ask.share.alone') : t('qwantum.ask.share.hint');
  if (!view.picked) return { sentence: t('qwantum.ask.any'), hint };
  const taken = t('qwantum.ask.taken', { colour: capital(colourName(view.picked)) });
  const sentence = view.active === me ? t('qwantum.ask.again') : t('qwantum.ask.share');
  return { sentence, hint: `${taken} ${hint}` };
}

/** The move of `me` that the club has not confirmed yet. */
function onItsWay({ chosen, seats, me }: Seated): string {
  return tell(me ?? 0, chosen ?? '', { seats, me });
}

/** Who is waited for, by names alone, and what one has sealed oneself. */
function awaited(sitting: Seated): Omit<Prompt, 'step'> {
  const { guide, view, turn, me } = sitting;
  const names = turn.to_act
    .filter((seat) => seat !== me || guide.made === null)
    .map((seat) => nameOf(sitting, seat));
  const values = { names: listed(names), n: names.length, name: nameOf(sitting, view.active) };
  if (view.phase === 'keep' || view.phase === 'reroll')
    return { sentence: t('qwantum.wait.a', values), hint: t('qwantum.wait.a.hint') };
  if (view.phase === 'pick')
    return { sentence: t('qwantum.wait.b', values), hint: t('qwantum.wait.b.hint') };
  if (view.phase === 'share') {
    const hint = guide.made ? sealed(guide.made) : t('qwantum.wait.c.hint');
    return { sentence: t('qwantum.wait.c', values), hint };
  }
  return { sentence: t(`qwantum.wait.${view.phase}`, values), hint: '' };
}

function sealed(made: Choice): string {
  if (made.colour === null) return t('qwantum.sealed.pass');
  return t('qwantum.sealed.write', { sum: sumName(made.colour, made.number) });
}

/** What the last event was; the page that looks back has no events when it goes backwards. */
function happened(sitting: Seated): Omit<Prompt, 'step'> {
  const { seats, me, view } = sitting;
  const [actor, text] = logOf(sitting).at(-1) ?? [];
  if (actor === undefined || text === undefined) {
    const hint = view.phase === 'first' ? t('qwantum.past.lot') : '';
    return { sentence: t('qwantum.past.begins'), hint };
  }
  const sentence =
    text === null
      ? t('qwantum.past.sealed', { name: nameOf(sitting, Number(actor)) })
      : tell(actor, text, { seats, me });
  return { sentence, hint: '' };
}

function over(sitting: Seated): Prompt {
  const { turn, seats, me, view, guide } = sitting;
  const winners = turn.winners ?? [];
  const score = turn.scores[winners[0] ?? 0] ?? 0;
  const values = { n: score, names: listed(winners.map((seat) => nameOf(sitting, seat))) };
  let how = winners.length > 1 ? 'shared' : winners[0] === me ? 'you' : 'other';
  if (seats.length === 1) how = 'alone';
  return {
    step: t('qwantum.step.over'),
    sentence: t(`qwantum.over.${how}`, values),
    hint: why(turn.reason ?? '', view, { seats, me }, guide),
  };
}

/** What a number would bring, in a sentence for the decision bar. */
export function worthOf(choice: Writing): string {
  const number = choice.cell + 1;
  if (choice.gain) return t('qwantum.worth.column', { number, n: choice.gain });
  return t('qwantum.worth.lacks', { number, n: choice.lacks });
}
