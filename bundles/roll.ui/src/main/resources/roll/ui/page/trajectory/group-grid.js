// Groups below each other, their members side by side: scores, advantages and success at a glance.
import { el } from '../dom.js';
import { count } from '../format.js';
import { line } from '../legible.js';
import { groupName } from './episode-names.js';
import { shortNumber, verdict, verdictOf } from './score.js';

/** The grid of `episodes`, which come group by group; `addressOf(episode)` is where each is shown. */
export function groupGrid(episodes, addressOf) {
  const groups = groupsOf(episodes);
  const most = Math.max(...episodes.map(episode => Math.abs(episode.score ?? 0)), 1e-9);
  return el('div', { class: 'groups' }, groups.map(group => groupRow(group, most, addressOf)));
}

function groupsOf(episodes) {
  const groups = [];
  for (const episode of episodes) {
    const last = groups.at(-1)?.[0];
    if (last && last.tag === episode.tag && last.group === episode.group) {
      groups.at(-1).push(episode);
    } else {
      groups.push([episode]);
    }
  }
  return groups;
}

function groupRow(group, most, addressOf) {
  const [{ tag, group: id }] = group;
  const solved = group.filter(episode => verdictOf(episode) === 'solved').length;
  const scores = group.map(episode => Number(episode.score)).filter(Number.isFinite);
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const name = groupName(group[0]);
  const label = `${line(tag ?? '', 40)} group ${name}`;
  return el('section', { class: 'group', 'aria-label': label },
    el('header', {},
      el('h2', { title: line(String(id), 120) }, el('span', { text: `group ${name}` }), ' ', el('bdi', { class: 'tag', text: line(tag ?? '', 40) })),
      el('p', { class: 'group-sum' }, el('span', { class: 'num', text: `${solved}/${group.length} solved` }),
        el('span', { class: 'num', text: `mean ${shortNumber(mean)}` }))),
    el('ol', { class: 'members' }, group.map(episode => el('li', {}, cell(episode, most, addressOf(episode))))));
}

function cell(episode, most, address) {
  const bar = el('span', { class: `score-bar ${episode.score < 0 ? 'down' : 'up'}` });
  bar.style.width = `${Math.round((Math.abs(episode.score ?? 0) / most) * 100)}%`;
  return el('a', { class: `episode ${verdictOf(episode)}`, href: address, 'data-index': episode.index },
    el('span', { class: 'episode-score' }, verdict(episode), el('span', { class: 'num', text: shortNumber(episode.score) })),
    el('span', { class: 'episode-advantage num', title: 'advantage' },
      el('span', { class: 'hidden', text: 'advantage ' }), advantage(episode)),
    el('span', { class: 'episode-size', text: `${count(episode.turns)} ${episode.turns === 1 ? 'turn' : 'turns'}, ${count(episode.written ?? episode.tokens)} tok` }),
    el('span', { class: 'score-track', 'aria-hidden': 'true' }, bar));
}

function advantage({ advantage: value }) {
  return value === null || value === undefined ? '' : `${value > 0 ? '+' : ''}${shortNumber(value)}`;
}
