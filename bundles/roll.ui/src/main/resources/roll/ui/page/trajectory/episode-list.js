// Episodes one below the other, for what is sorted across groups.
import { el } from '../dom.js';
import { count, number } from '../format.js';
import { line } from '../legible.js';
import { episodeName, finishOf } from './episode-names.js';
import { signedNumber, verdict, verdictOf } from './score.js';

const COLUMNS = [
  ['episode', ''], ['score', 'num'], ['advantage', 'num'], ['turns', 'num'], ['written', 'num'],
  ['surprise', 'num', 'mean −log-prob of written tokens'], ['finish', ''], ['last message', 'wide'],
];

/** The table of `episodes`; `addressOf(episode)` is where each is shown. */
export function episodeList(episodes, addressOf) {
  return el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Episodes' },
    el('table', { class: 'episode-list' },
      el('thead', {}, el('tr', {}, COLUMNS.map(([text, kind, title]) => el('th', { scope: 'col', class: kind, title, text })))),
      el('tbody', {}, episodes.map(episode => row(episode, addressOf(episode))))));
}

function row(episode, address) {
  return el('tr', {},
    el('th', { scope: 'row' }, el('a', { class: `episode ${verdictOf(episode)}`, href: address, 'data-index': episode.index },
      verdict(episode), el('bdi', { text: ` ${line(episode.tag ?? '', 30)} ${episodeName(episode)}` }))),
    el('td', { class: 'num', text: number(episode.score) }),
    el('td', { class: 'num', text: signedNumber(episode.advantage) }),
    el('td', { class: 'num', text: count(episode.turns) }),
    el('td', { class: 'num', text: count(episode.written) }),
    el('td', { class: 'num', text: number(episode.surprise) }),
    el('td', {}, el('bdi', { text: finishOf(episode) })),
    el('td', { class: 'wide' }, el('bdi', { text: line(episode.peek ?? '', 120) })));
}
