// The replay of one episode: turn by turn with the environment's picture, and token by token.
import { get } from '../api.js';
import { el, replace } from '../dom.js';
import { line } from '../legible.js';
import { crumbs } from './crumbs.js';
import { cutOf, details, ending, facts } from './episode-facts.js';
import { groupOf, groupBar } from './group-bar.js';
import { player } from './player.js';
import { rewardStrip } from './reward-strip.js';
import { stage } from './stage.js';
import { tokenView } from './token-view.js';
import { turnPanel } from './turn-panel.js';

/** Shows the episode `route.index` of `route.step`. */
export async function show(root, route) {
  const base = `/api/runs/${route.id}`;
  const path = `${base}/trajectories/${route.step}/${route.index}`;
  const [found, run] = await Promise.all([get(path), get(base)]);
  const episode = { ...found, sequences: whole(found.sequences) };
  const turns = episode.turns ?? [];
  const frames = Math.max(0, episode.frames ?? 0);
  const last = turns.length; // one position before each turn, and the end
  const nameOf = position => (position < turns.length ? `Turn ${position + 1} of ${turns.length}` : 'End');
  const pictureOf = name => `${base}/pictures/${encodeURIComponent(name)}`;
  const picture = frames > 0 ? stage(position => `${path}/frames/${Math.min(position, frames - 1)}`, last, nameOf) : null;
  const words = el('div', { class: 'turn' });
  const tokens = tokenView(episode.sequences, turn => play.go(turn));
  const strip = rewardStrip(turns, position => play.go(position));
  const play = player({
    last, nameOf, first: positionOf(route.query), show: position => showPosition(position),
    ready: () => picture === null || picture.ready(),
  });

  function showPosition(position) {
    picture?.show(position);
    replace(words, position < turns.length
      ? [el('h2', { text: `Turn ${position + 1}` }), turnPanel(turns[position], {
        before: turns[position - 1] ?? null, cut: cutOf(episode).includes(position), system: episode.system, pictureOf,
      })]
      : [el('h2', { text: 'End' }), ending(episode)]);
    strip.mark(position);
    tokens.turn(position < turns.length ? position : -1);
    if (position === 0) {
      route.query.delete('turn');
    } else {
      route.query.set('turn', String(position + 1));
    }
    route.keep(route.query);
  }

  const bar = el('div', { class: 'group-place' });
  let others = [];
  groupOf(base, route).then(found => {
    others = found;
    replace(bar, groupBar(found, route));
  }, () => replace(bar)); // its neighbors are a convenience

  function other(by) {
    const place = others.findIndex(one => String(one.index) === route.index);
    const to = others[place + by];
    if (place >= 0 && to) {
      location.hash = `#/run/${route.id}/trajectory/${route.step}/${to.index}`;
    }
  }

  function key(event) {
    const within = selector => event.target.closest?.(selector);
    if (event.altKey || event.ctrlKey || event.metaKey || within('input, select, textarea, dialog, [role=listbox], .said')
      || (event.key === ' ' && within('button, a, summary'))) {
      return;
    }
    if (event.key === '[' || event.key === ']') {
      other(event.key === '[' ? -1 : 1);
    } else if (!play.key(event)) {
      return;
    }
    event.preventDefault();
  }
  document.addEventListener('keydown', key);

  replace(root,
    crumbs(route.id, run.name, route.step),
    el('div', { class: 'bar' }, el('h1', {}, el('bdi', { text: line(episode.tag ?? 'episode', 60) }),
      ` group ${episode.group}.${episode.episode}, member ${episode.member}`)),
    facts(episode), bar,
    el('div', { class: picture ? 'replay pictured' : 'replay' },
      el('div', { class: 'replay-side' }, picture?.root, play.root, strip.root,
        picture === null && episode.replay ? el('p', { class: 'hint', text: `No pictures: ${line(episode.replay, 300)}` }) : null,
        el('p', { class: 'key-hints' }, keys([['space', 'play'], ['←', ''], ['→', 'turn'], ['[', ''], [']', 'episode of the group']]))),
      words),
    tokens.root, details(episode));
  return {
    update(next) {
      route = next;
      play.go(positionOf(next.query));
    },
    close() {
      document.removeEventListener('keydown', key);
      play.close();
    },
  };
}

/** Sequences with tokens; one of an older file may not say who wrote them. */
function whole(sequences) {
  return (sequences ?? []).filter(one => Array.isArray(one?.tokens)).map(one => ({ ...one, turns: one.turns ?? [] }));
}

/** The position that an address asks for, from 0. */
function positionOf(query) {
  const turn = Number(query.get('turn') ?? 1);
  return Number.isInteger(turn) && turn > 0 ? turn - 1 : 0;
}

/** Keys with what they do; those without words share those of the next one. */
function keys(pairs) {
  return pairs.map(([key, does]) => [el('kbd', { text: key }), does ? ` ${does} ` : ' ']);
}
