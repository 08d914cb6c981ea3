// What is known of the episode in hand, beside the list.
import { el, replace } from '../dom.js';
import { count, number } from '../format.js';
import { legible, line } from '../legible.js';
import { episodeName, finishOf } from './episode-names.js';
import { signedNumber, verdict } from './score.js';

/** A panel: the root, `show(episode or null)` and `step(number)`. */
export function episodePeek(run) {
  const root = el('aside', { class: 'peek', 'aria-label': 'Episode in hand' });
  let step = 0;

  function show(episode) {
    if (episode === null) {
      replace(root, el('p', { class: 'none', text: 'Point at an episode, or walk with the keys.' }),
        el('p', { class: 'key-hints' }, ['j', 'k', '←', '→'].map(key => [el('kbd', { text: key }), ' ']), 'walk, ',
          el('kbd', { text: 'Enter' }), ' opens, ', el('kbd', { text: ',' }), ' ', el('kbd', { text: '.' }), ' step'));
      return;
    }
    const facts = [
      ['score', number(episode.score)], ['advantage', signedNumber(episode.advantage)],
      ['turns', count(episode.turns)], ['tokens', count(episode.tokens)], ['written', count(episode.written)],
      ['surprise', number(episode.surprise)], ['finish', finishOf(episode)],
      episode.answer ? ['answer', line(episode.answer, 80)] : null,
    ];
    replace(root,
      el('h2', {}, verdict(episode), ' ', el('bdi', { text: line(episode.tag ?? '', 40) }), ` ${episodeName(episode)}`),
      el('dl', { class: 'facts' }, facts.filter(Boolean).map(([name, value]) => [
        el('dt', { text: name }), el('dd', { class: 'num' }, el('bdi', { text: value })),
      ])),
      el('p', { class: 'said-last', dir: 'auto' }, legible(episode.peek ?? '')),
      el('p', {}, el('a', { href: `#/run/${run}/trajectory/${step}/${episode.index}`, tabindex: '-1', text: 'Replay' })));
  }

  show(null);
  return { root, show, step: number => step = number };
}
