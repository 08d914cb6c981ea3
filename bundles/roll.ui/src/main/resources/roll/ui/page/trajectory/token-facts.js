// The numbers of one token, in a line that stays in its place.
import { el, replace } from '../dom.js';
import { count, number } from '../format.js';
import { WAYS, kindOf, valueOf } from './token-colors.js';
import { tokenText } from './token-text.js';

const KINDS = { given: 'not written by the policy', trained: 'trained on', masked: 'masked out' };

/** A line of facts on tokens of `sequence`: the root, `show(index)`, and `words(index)` for labels. */
export function tokenFacts(sequence) {
  const root = el('dl', { class: 'token-facts' });

  function facts(index) {
    const kind = kindOf(sequence, index);
    const logProb = valueOf(WAYS[0], sequence, index);
    const version = sequence.versions?.[index];
    return [
      ['token', `${count(index + 1)} of ${count(sequence.tokens.length)}`],
      ['text', tokenText.quoted(sequence, index)],
      ['id', String(sequence.tokens[index])],
      ...WAYS.map(way => [way.name, number(valueOf(way, sequence, index))]),
      ...(sequence.ref_log_probs ? [['reference', kind === 'given' ? '–' : number(sequence.ref_log_probs[index])]] : []),
      ['probability', logProb === null ? number(null) : number(Math.exp(logProb))],
      ['turn', kind === 'given' ? '–' : count(sequence.turns[index] + 1)],
      ['weights of step', version >= 0 ? count(version) : '–'],
      ['training', kind === 'trained' && !sequence.mask ? 'written by the policy' : KINDS[kind]],
    ];
  }

  return {
    root,
    show(index) {
      if (index < 0) {
        replace(root, el('div', { class: 'hint' }, el('dt', { class: 'hidden', text: 'Hint' }),
          el('dd', { text: 'Point at a token, or walk along them with ← and →.' })));
        return;
      }
      replace(root, facts(index).map(([name, value]) => el('div', {}, el('dt', { text: name }), el('dd', {}, el('bdi', { text: value })))));
    },
    words(index) {
      return facts(index).filter(([name, value]) => name !== 'token' && value !== '–')
        .map(([name, value]) => (name === 'text' || name === 'training' ? value : `${name} ${value}`)).join(', ');
    },
  };
}
