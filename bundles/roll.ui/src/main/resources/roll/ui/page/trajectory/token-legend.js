// What the colors and marks of tokens mean.
import { el } from '../dom.js';
import { kindOf } from './token-colors.js';

const KINDS = { trained: 'written, trained on', masked: 'written, masked out', given: 'given' };

/** The legend of `way`, with the kinds of tokens that `sequences` have. */
export function tokenLegend(way, sequences) {
  const kinds = new Set(sequences.flatMap(sequence => sequence.tokens.map((_, index) => kindOf(sequence, index))));
  const masked = sequences.some(sequence => sequence.mask);
  const { steps, bounds, ends } = way.legend;
  return el('div', { class: 'token-legend' },
    el('div', { class: 'scale', role: 'img', 'aria-label': `${way.name}: from ${ends[0]} to ${ends[1]}, steps at ${bounds.join(', ')}` },
      el('span', { text: ends[0] }),
      steps.map((step, index) => [
        el('span', { class: `step token trained ${step}`, text: '\u2007' }),
        index < bounds.length ? el('span', { class: 'bound', text: bounds[index] }) : null,
      ]),
      el('span', { text: ends[1] })),
    el('ul', { class: 'kinds', 'aria-label': 'Marks' },
      Object.entries(KINDS).filter(([kind]) => kinds.has(kind)).map(([kind, words]) =>
        el('li', {}, el('span', { class: `token ${kind}`, text: 'token' }), ` ${masked ? words : words.replace(', trained on', '')}`))));
}
