// Episodes of a step: names and scores, groups below each other, or a list across groups.
import { el } from '../dom.js';
import { count, number } from '../format.js';
import { line } from '../legible.js';
import { name, scroller, table, unseen } from '../parts.js';

const VERDICTS = { solved: ['✓', 'solved'], failed: ['✗', 'failed'], unknown: ['·', 'no score'] };

/** `solved`, `failed` or `unknown`: as the server reports, or by the score where it does not. */
export function verdictOf({ solved, metrics, score }) {
  const success = Number(metrics?.success ?? NaN);
  const known = solved ?? (Number.isNaN(success) ? null : success > 0);
  if (known === null && Number.isNaN(Number(score ?? NaN))) {
    return 'unknown';
  }
  return known ?? Number(score) > 0 ? 'solved' : 'failed';
}

/** The sign of the verdict of an episode, and its word for screen readers. */
export function verdict(episode) {
  const kind = verdictOf(episode);
  const [sign, word] = VERDICTS[kind];
  return el('span', { class: `verdict ${kind}`, title: word }, el('span', { 'aria-hidden': 'true', text: sign }), unseen(word));
}

/** A number with its sign, as advantages and rewards have one. */
export function signedNumber(value, written = number) {
  return value > 0 ? `+${written(value)}` : written(value);
}

/** The name of an episode within its tag, group and member: `12.3 #4`. */
export function episodeName(episode) {
  return `${groupName(episode)} #${episode.member}`;
}

/** Whether each response is one token: then the limit is part of the task, and does not cut one. */
export function ofOneToken(generated, turns) {
  return generated === turns;
}

/** Why an episode ended, and how many of its responses reached the token limit. */
export function finishOf({ finish, cut, written, turns }) {
  return `${line(finish ?? '–', 40)}${cut > 0 && !ofOneToken(written, turns) ? `, ${cut} cut` : ''}`;
}

/** The grid of `episodes`, which are in the order of their groups; `addressOf(episode)` links to each. */
export function groupGrid(episodes, addressOf) {
  const groups = Map.groupBy(episodes, ({ tag, group }) => `${tag} ${group}`);
  const max = Math.max(...episodes.map(episode => Math.abs(episode.score ?? 0)), 1e-9);
  return el('div', { class: 'groups' }, [...groups.values()].map(group => groupRow(group, max, addressOf)));
}

/** The table of `episodes`; `addressOf(episode)` links to each. */
export function episodeList(episodes, addressOf) {
  const figure = (text, title = null) => ({ text, title, class: 'num' });
  const columns = ['episode', figure('score'), figure('advantage'), figure('turns'), figure('generated tokens'),
    figure('mean −log p', 'of generated tokens'), 'finish', { text: 'last message', class: 'wide' }];
  return scroller('Episodes', table({ class: 'episode-list', columns }, episodes.map(episode => el('tr', {},
    el('th', { scope: 'row' }, el('a', { class: `episode ${verdictOf(episode)}`, href: addressOf(episode), 'data-index': episode.index },
      verdict(episode), ' ', name(`${line(episode.tag, 30)} ${episodeName(episode)}`, 100))),
    [number(episode.score), signedNumber(episode.advantage), count(episode.turns), count(episode.written), number(episode.surprise)].map(text => el('td', { class: 'num', text })),
    el('td', {}, el('bdi', { text: finishOf(episode) })),
    el('td', { class: 'wide' }, name(episode.peek, 120))))));
}

/** The group of an episode: `12.3` for group 12 in its episode 3, from `tag_group_episode_seed`. */
function groupName({ tag, group }) {
  const parts = /^(\d+)_(\d+)_-?\d+$/.exec(group.startsWith(`${tag}_`) ? group.slice(tag.length + 1) : '');
  return parts ? `${parts[1]}.${parts[2]}` : line(group, 40);
}

function groupRow(group, max, addressOf) {
  const [{ tag, group: id }] = group;
  const scores = group.map(episode => Number(episode.score)).filter(Number.isFinite);
  const title = `group ${groupName(group[0])}`;
  return el('section', { class: 'group', 'aria-label': `${line(tag, 40)} ${title}` },
    el('header', {},
      el('h2', { title: line(id, 120) }, el('span', { text: title }), ' ', name(tag, 40, 'tag')),
      el('p', { class: 'group-sum' }, el('span', { class: 'num', text: `${group.filter(one => verdictOf(one) === 'solved').length}/${group.length} solved` }),
        el('span', { class: 'num', text: `mean ${short(scores.reduce((sum, score) => sum + score, 0) / scores.length)}` }))),
    el('ol', { class: 'members' }, group.map(episode => el('li', {}, cell(episode, max, addressOf(episode))))));
}

function cell(episode, max, href) {
  const width = `${Math.round((Math.abs(episode.score ?? 0) / max) * 100)}%`;
  return el('a', { class: `episode ${verdictOf(episode)}`, href, 'data-index': episode.index },
    el('span', { class: 'episode-score' }, verdict(episode), el('span', { class: 'num', text: short(episode.score) })),
    el('span', { class: 'episode-advantage num', title: 'advantage' }, unseen('advantage '), episode.advantage === null ? '' : signedNumber(episode.advantage, short)),
    el('span', { class: 'episode-size', text: `${count(episode.turns)} ${episode.turns === 1 ? 'turn' : 'turns'}, ${count(episode.written)} tok` }),
    el('span', { class: 'score-track', 'aria-hidden': 'true' }, el('span', { class: `score-bar ${episode.score < 0 ? 'down' : 'up'}`, style: { width } })));
}

/** A number in few digits: two decimals where they suffice. */
function short(value) {
  const size = Math.abs(value ?? NaN);
  return size >= 0.005 && size < 1000 ? value.toFixed(size < 10 ? 2 : size < 100 ? 1 : 0).replace('-', '\u2212') : number(value);
}
