// The episodes of the same group, which were given the same task.
import { get, withQuery } from '../api.js';
import { el } from '../dom.js';
import { number } from '../format.js';
import { signedNumber, verdict } from './score.js';

const NEAR = 64;

/** The group of the episode `route.index`, in the order of its members; empty where it is not found. */
export async function groupOf(base, route) {
  const near = Math.max(0, Number(route.index) - NEAR);
  const answer = await get(withQuery(`${base}/trajectories`, {
    step: route.step, sort: 'group', filter: 'all', offset: near, limit: 2 * NEAR,
  }));
  const own = answer.episodes.find(one => String(one.index) === route.index);
  return answer.episodes
    .filter(one => one.group === own?.group && one.tag === own?.tag)
    .sort((a, b) => a.member - b.member);
}

/** Links to the episodes of `group`; nothing where there is no other. */
export function groupBar(group, route) {
  const place = group.findIndex(one => String(one.index) === route.index);
  if (group.length < 2 || place < 0) {
    return [];
  }
  const address = one => `#/run/${route.id}/trajectory/${route.step}/${one.index}`;
  const beside = (one, text, label) => one
    ? el('a', { class: 'button', href: address(one), 'aria-label': label, text })
    : el('span', { class: 'button off', 'aria-hidden': 'true', text });
  return el('nav', { class: 'group-bar', 'aria-label': 'Episodes of the group' },
    beside(group[place - 1], '‹', 'Previous of the group'),
    el('ol', {}, group.map(one => el('li', {}, el('a', {
      class: 'member', href: address(one), 'aria-current': one === group[place] ? 'page' : null,
      title: `score ${number(one.score)}, advantage ${signedNumber(one.advantage)}`,
    }, verdict(one), el('span', { class: 'num', text: number(one.score) }))))),
    beside(group[place + 1], '›', 'Next of the group'));
}
