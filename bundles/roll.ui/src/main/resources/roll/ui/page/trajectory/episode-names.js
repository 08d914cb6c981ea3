// Episodes are called as people say it: group and member, not tag_group_episode_seed_member.
import { line } from '../legible.js';

/** The group of an episode of a list: `12.3` for group 12, played for the fourth time. */
export function groupName({ tag, group }) {
  const parts = /^(\d+)_(\d+)_-?\d+$/.exec(String(group).startsWith(`${tag}_`) ? group.slice(tag.length + 1) : '');
  return parts ? `${parts[1]}.${parts[2]}` : line(String(group), 40);
}

/** Why an episode of a list ended, and whether the limit of tokens cut responses of it. */
export function finishOf({ finish, cut }) {
  return `${line(finish ?? '–', 40)}${cut > 0 ? `, ${cut} cut` : ''}`;
}

/** An episode of a list within its tag: `12.3 #4`. */
export function episodeName(episode) {
  return `${groupName(episode)} #${episode.member}`;
}
