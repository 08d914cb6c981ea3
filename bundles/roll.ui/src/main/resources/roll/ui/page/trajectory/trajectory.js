// The replay of one episode: turn by turn with the environment's picture, and token by token.
import { get } from '../api.js';
import { el, replace } from '../dom.js';
import { count, number } from '../format.js';
import { legible, line } from '../legible.js';
import { crumbs } from './crumbs.js';
import { groupOf, groupBar } from './group-bar.js';
import { player } from './player.js';
import { signedNumber, verdict } from './score.js';
import { stage } from './stage.js';
import { tokenView } from './token-view.js';
import { turnPanel } from './turn-panel.js';

const LONG_FACT = 4000; // characters

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
  const asked = Number(route.query.get('turn') ?? 1) - 1;
  const play = player({
    last, nameOf, first: Number.isInteger(asked) && asked >= 0 ? asked : 0,
    show: position => showPosition(position), ready: () => picture === null || picture.ready(),
  });

  function showPosition(position) {
    picture?.show(position);
    replace(words, position < turns.length
      ? [el('h2', { text: `Turn ${position + 1}` }), turnPanel(turns[position], {
        before: turns[position - 1] ?? null, system: episode.system, pictureOf,
      })]
      : ending(episode));
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
      play.go(Number(next.query.get('turn') ?? 1) - 1);
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

function facts(episode) {
  const written = sum(episode.sequences, sequence => sequence.turns.filter(turn => turn >= 0).length);
  const advantage = meanAdvantage(episode.sequences);
  const pairs = [
    ['score', [verdict(episode), ' ', number(episode.score)]],
    advantage === null ? null : ['advantage', signedNumber(advantage)],
    ['turns', count(episode.turns?.length)],
    ['tokens', count(sum(episode.sequences, sequence => sequence.tokens.length))],
    ['written', count(written)],
    ['finish', episode.finish],
    episode.answer ? ['answer', line(episode.answer, 80)] : null,
    episode.environment ? ['environment', episode.environment] : null,
    seedOf(episode) ? ['seed', seedOf(episode)] : null,
  ];
  return el('dl', { class: 'figures' }, pairs.filter(Boolean).map(([name, value]) =>
    el('div', {}, el('dt', { text: name }), el('dd', { class: 'num' }, Array.isArray(value) ? value : el('bdi', {}, legible(String(value ?? '–')))))));
}

/** From the id: a number of JSON has not all digits of it. */
function seedOf({ id }) {
  return /_(-?\d+)_\d+$/.exec(id ?? '')?.[1];
}

function ending(episode) {
  return [el('h2', { text: 'End' }),
    el('dl', { class: 'figures' },
      el('div', {}, el('dt', { text: 'score' }), el('dd', {}, verdict(episode), ' ', number(episode.score))),
      el('div', {}, el('dt', { text: 'finish' }), el('dd', {}, el('bdi', {}, legible(String(episode.finish ?? '–'))))),
      episode.answer ? el('div', {}, el('dt', { text: 'answer' }), el('dd', {}, el('bdi', { text: line(episode.answer, 400) }))) : null)];
}

function rewardStrip(turns, go) {
  const most = Math.max(...turns.map(turn => Math.abs(turn.reward ?? 0)), 1e-9);
  const cells = turns.map((turn, index) => {
    const bar = el('span', { class: `reward-bar ${turn.reward < 0 ? 'down' : 'up'}` });
    bar.style.height = `${Math.round((Math.abs(turn.reward ?? 0) / most) * 100)}%`;
    return el('button', {
      type: 'button', class: 'reward-cell', title: `Turn ${index + 1}: reward ${number(turn.reward)}`,
      'aria-label': `Turn ${index + 1}, reward ${number(turn.reward)}`, onclick: () => go(index),
    }, bar);
  });
  return {
    root: turns.length > 1 ? el('div', { class: 'reward-strip', role: 'group', 'aria-label': 'Rewards by turn' }, cells) : null,
    mark(position) {
      cells.forEach((cell, index) => index === position ? cell.setAttribute('aria-current', 'step') : cell.removeAttribute('aria-current'));
    },
  };
}

function details(episode) {
  return [['Metrics of the episode', episode.metrics], ['What is known of the task', episode.facts]]
    .filter(([, values]) => values && Object.keys(values).length > 0)
    .map(([name, values]) => el('details', { class: 'more-facts' }, el('summary', { text: name }),
      el('dl', { class: 'facts' }, Object.entries(values).map(([key, value]) => [
        el('dt', {}, el('bdi', { text: line(key, 80) })),
        el('dd', { class: 'num' }, el('bdi', {}, typeof value === 'number' ? number(value) : legible(shortened(value)))),
      ]))));
}

function shortened(value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONG_FACT ? `${text.slice(0, LONG_FACT)}…` : text;
}

/** Keys with what they do; those without words share those of the next one. */
function keys(pairs) {
  return pairs.map(([key, does]) => [el('kbd', { text: key }), does ? ` ${does} ` : ' ']);
}

function meanAdvantage(sequences) {
  const all = sequences.flatMap(sequence => (sequence.advantages ?? []).filter((value, index) => sequence.turns[index] >= 0 && value !== null).map(Number));
  return all.length === 0 ? null : all.reduce((total, value) => total + value, 0) / all.length;
}

function sum(sequences, of) {
  return sequences.reduce((total, sequence) => total + of(sequence), 0);
}
