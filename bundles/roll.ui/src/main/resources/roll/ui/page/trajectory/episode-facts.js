// What is known of an episode beside its turns and tokens.
import { el } from '../dom.js';
import { count, number } from '../format.js';
import { legible, line } from '../legible.js';
import { signedNumber, verdict } from './score.js';
import { kindOf } from './token-colors.js';

const LONG_FACT = 4000; // characters

/** A line of figures of `episode`, an answer of the server. */
export function facts(episode) {
  const written = sum(episode.sequences, sequence => sequence.turns.filter(turn => turn >= 0).length);
  const advantage = meanAdvantage(episode.sequences);
  return figures([
    ['score', [verdict(episode), ' ', number(Number(episode.score))]],
    advantage === null ? null : ['advantage', signedNumber(advantage)],
    ['turns', count(episode.turns?.length)],
    ['tokens', count(sum(episode.sequences, sequence => sequence.tokens.length))],
    ['written', count(written)],
    ['finish', episode.finish],
    cutOf(episode).length > 0 ? ['cut', `turn ${cutOf(episode).map(turn => turn + 1).join(', ')}`] : null,
    episode.answer ? ['answer', line(episode.answer, 80)] : null,
    episode.environment ? ['environment', episode.environment] : null,
    seedOf(episode) ? ['seed', seedOf(episode)] : null,
  ]);
}

/** The turns whose responses ended at the limit of their tokens, from 0. */
export function cutOf(episode) {
  return Array.isArray(episode.cut) ? episode.cut.filter(Number.isInteger) : [];
}

/** What it came to. */
export function ending(episode) {
  return figures([
    ['score', [verdict(episode), ' ', number(Number(episode.score))]],
    ['finish', episode.finish],
    episode.answer ? ['answer', line(episode.answer, 400)] : null,
  ]);
}

/** Metrics and facts, closed at first. */
export function details(episode) {
  return [['Metrics of the episode', episode.metrics], ['What is known of the task', episode.facts]]
    .filter(([, values]) => values && Object.keys(values).length > 0)
    .map(([name, values]) => el('details', { class: 'more-facts' }, el('summary', { text: name }),
      el('dl', { class: 'facts' }, Object.entries(values).map(([key, value]) => [
        el('dt', {}, el('bdi', { text: line(key, 80) })),
        el('dd', { class: 'num' }, el('bdi', {}, typeof value === 'number' ? number(value) : legible(shortened(value)))),
      ]))));
}

function figures(pairs) {
  return el('dl', { class: 'figures' }, pairs.filter(Boolean).map(([name, value]) =>
    el('div', {}, el('dt', { text: name }),
      el('dd', { class: 'num' }, Array.isArray(value) ? value : el('bdi', {}, legible(String(value ?? '–')))))));
}

/** From the id: a number of JSON has not all digits of it. */
function seedOf({ id }) {
  return /_(-?\d+)_\d+$/.exec(id ?? '')?.[1];
}

function shortened(value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONG_FACT ? `${text.slice(0, LONG_FACT)}…` : text;
}

/** Over the tokens that are trained on, as the list has it. */
function meanAdvantage(sequences) {
  const all = sequences.flatMap(sequence => (sequence.advantages ?? [])
    .filter((value, index) => value !== null && kindOf(sequence, index) === 'trained').map(Number));
  return all.length === 0 ? null : all.reduce((total, value) => total + value, 0) / all.length;
}

function sum(sequences, of) {
  return sequences.reduce((total, sequence) => total + of(sequence), 0);
}
