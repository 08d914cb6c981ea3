// The replay of one episode: turn by turn with the picture of the environment, and token by token.
import { about, get, post } from '../api.js';
import { el, replace } from '../dom.js';
import { count, number } from '../format.js';
import { legible, line } from '../legible.js';
import { crumbs, facts } from '../parts.js';
import { ofOneToken, signedNumber, verdict } from './episodes.js';
import { player, rewardStrip, stage } from './player.js';
import { kindOf } from './token-data.js';
import { tokenView } from './token-view.js';
import { turnPanel } from './turn-panel.js';
import { waterfall } from './waterfall.js';

const NEAR = 64; // episodes before and after, among which the group is found
const MAX_FACT = 4000; // characters
const allowed = new Set(); // runs whose environments may be played

/** Shows the episode `route.index` of `route.step`. Query: `turn`, counted from 1. */
export async function show(root, route) {
  const base = `/api/runs/${route.id}`;
  const path = `${base}/trajectories/${route.step}/${route.index}`;
  const [episode, run, { readOnly }] = await Promise.all([get(path), get(base), about()]);
  const sequences = (episode.sequences ?? []).filter(one => Array.isArray(one?.tokens)).map(one => ({ ...one, turns: one.turns ?? [] }));
  const cut = Array.isArray(episode.cut) && !ofOneToken(generated(sequences), episode.turns.length) ? episode.cut : [];
  const { turns } = episode;
  const nameOf = position => (position < turns.length ? `Turn ${position + 1} of ${turns.length}` : 'End');
  const pictureOf = name => `${base}/pictures/${encodeURIComponent(name)}`;
  const world = el('div');
  const replay = el('div', { class: 'replay' });
  let picture = null;
  let shown = 0;
  const text = el('div', { class: 'turn' });
  const tokens = tokenView(sequences, turn => play.go(turn));
  const strip = rewardStrip(turns, position => play.go(position));
  const play = player({ last: turns.length, nameOf, first: positionOf(route.query), show: showPosition, ready: () => picture === null || picture.ready() });
  const bar = el('div', { class: 'group-place' });
  let group = [];

  function showWorld(frames) {
    picture = stage(position => `${path}/frames/${Math.min(position, frames - 1)}`, turns.length, nameOf);
    picture.show(shown);
    replace(world, picture.node);
    replay.classList.add('pictured');
  }

  /** Has the server play the environment, which is code: only when it is asked for. */
  async function playWorld() {
    allowed.add(route.id);
    replace(world, el('p', { class: 'hint', role: 'status', text: 'Playing …' }));
    try {
      showWorld((await post(`${path}/replay`)).frames);
    } catch (error) {
      replace(world, el('p', { class: 'hint', role: 'status', text: `No pictures: ${line(error.message, 300)}` }));
    }
  }

  function showPosition(position) {
    shown = position;
    picture?.show(position);
    replace(text, el('h2', { text: position < turns.length ? `Turn ${position + 1}` : 'End' }), position < turns.length
      ? turnPanel(turns[position], { before: turns[position - 1] ?? null, cut: cut.includes(position), system: episode.system, pictureOf })
      : facts(outcome(episode), 'figures'));
    strip.mark(position);
    tokens.turn(position < turns.length ? position : -1);
    route.put({ turn: position === 0 ? null : position + 1 });
  }

  function key(event) {
    const within = selector => event.target.closest?.(selector);
    if (event.altKey || event.ctrlKey || event.metaKey || within('input, select, textarea, dialog, [role=listbox], .said')
      || (event.key === ' ' && within('button, a, summary'))) {
      return;
    }
    const beside = { '[': -1, ']': 1 }[event.key];
    const other = beside && group[group.findIndex(one => String(one.index) === route.index) + beside];
    if (other) {
      location.hash = addressOf(route, other);
    } else if (beside || !play.key(event)) {
      return;
    }
    event.preventDefault();
  }

  groupOf(base, route).then(found => {
    group = found;
    replace(bar, groupBar(group, route));
  }, () => {}); // the episode is shown without its group
  document.addEventListener('keydown', key);
  replace(root,
    crumbs([`#/run/${route.id}`, el('bdi', { text: line(run.name, 60) })], [`#/run/${route.id}/trajectories?step=${route.step}`, `step ${route.step}`]),
    el('div', { class: 'bar' }, el('h1', {}, el('bdi', { text: line(episode.tag ?? 'episode', 60) }),
      ` group ${episode.group}.${episode.episode}, member ${episode.member}`)),
    facts(figures(episode, sequences, cut), 'figures'), bar,
    replace(replay,
      el('div', { class: 'replay-side' }, world, play.node, strip.node,
        el('p', { class: 'key-hints' }, [['space', ' play '], ['←', ' '], ['→', ' turn '], ['[', ' '], [']', ' episode of the group']]
          .map(([name, does]) => [el('kbd', { text: name }), does]))),
      text),
    tokens.node, waterfall(episode.times), details(episode));
  if (episode.frames > 0) {
    showWorld(episode.frames);
  } else if (allowed.has(route.id)) {
    playWorld();
  } else if (!readOnly) {
    replace(world, el('button', { type: 'button', text: 'Show pictures', title: 'Plays the environment of this run again', onclick: playWorld }));
  }
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

/** The position of a link, counted from 0. */
function positionOf(query) {
  const turn = Number(query.get('turn') ?? 1);
  return Number.isInteger(turn) && turn > 0 ? turn - 1 : 0;
}

function addressOf(route, episode) {
  return `#/run/${route.id}/trajectory/${route.step}/${episode.index}`;
}

/** The episodes of the same group, which have the same task, in the order of their members. */
async function groupOf(base, route) {
  const offset = Math.max(0, Number(route.index) - NEAR);
  const { episodes } = await get(`${base}/trajectories`, { step: route.step, offset, limit: 2 * NEAR });
  const own = episodes.find(one => String(one.index) === route.index);
  return episodes.filter(one => one.group === own?.group && one.tag === own?.tag).sort((a, b) => a.member - b.member);
}

/** Links to the episodes of `group`; null where there is no other. */
function groupBar(group, route) {
  const at = group.findIndex(one => String(one.index) === route.index);
  const beside = (other, text, label) => el('a', other ? { class: 'button', href: addressOf(route, other), 'aria-label': label, text } : { class: 'button off', 'aria-hidden': 'true', text });
  return group.length < 2 ? null : el('nav', { class: 'group-bar', 'aria-label': 'Episodes of the group' },
    beside(group[at - 1], '‹', 'Previous of the group'),
    el('ol', {}, group.map((one, index) => el('li', {}, el('a', {
      class: 'member', href: addressOf(route, one), 'aria-current': index === at ? 'page' : null,
      title: `score ${number(one.score)}, advantage ${signedNumber(one.advantage)}`,
    }, verdict(one), el('span', { class: 'num', text: number(one.score) }))))),
    beside(group[at + 1], '›', 'Next of the group'));
}

function outcome(episode) {
  return [['score', [verdict(episode), ' ', number(Number(episode.score))]], ['finish', legible(episode.finish ?? '–')],
    episode.answer && ['answer', line(episode.answer, 400)]];
}

/** The number of generated tokens. */
function generated(sequences) {
  return sequences.reduce((sum, sequence) => sum + sequence.tokens.filter((_, index) => kindOf(sequence, index) !== 'context').length, 0);
}

function figures(episode, sequences, cut) {
  const tokens = sequences.flatMap(sequence => sequence.tokens.map((_, index) => ({ kind: kindOf(sequence, index), advantage: sequence.advantages?.[index] ?? null })));
  const advantages = tokens.filter(({ kind, advantage }) => kind === 'trained' && advantage !== null).map(({ advantage }) => Number(advantage));
  const seed = /_(-?\d+)_\d+$/.exec(episode.id ?? '')?.[1]; // a JSON number does not have all of its digits
  const [score, ...rest] = outcome(episode);
  return [score,
    advantages.length > 0 && ['advantage', signedNumber(advantages.reduce((sum, value) => sum + value, 0) / advantages.length)],
    ['turns', count(episode.turns.length)], ['tokens', count(tokens.length)], ['generated tokens', count(generated(sequences))],
    ...rest,
    cut.length > 0 && ['cut', `turn ${cut.map(turn => turn + 1).join(', ')}`],
    episode.environment && ['environment', line(episode.environment, 80)], seed && ['seed', seed],
    typeof episode.trace_id === 'string' && ['trace', trace(episode)]];
}

/** The id of the episode's trace, as a link if the run names a page that shows it. */
function trace({ trace_id: id, trace_link: link }) {
  const text = line(id, 40);
  if (typeof link !== 'string' || !/^https?:\/\//.test(link)) {
    return text;
  }
  const node = el('a', { target: '_blank', rel: 'noopener noreferrer', title: line(link, 200), text });
  node.href = link; // the only links that lead away from this page
  return node;
}

/** Metrics and facts, closed at first. */
function details(episode) {
  const text = value => (typeof value === 'number' ? number(value) : legible(shortened(typeof value === 'string' ? value : JSON.stringify(value))));
  return [['Metrics of the episode', episode.metrics], ['Facts about the task', episode.facts]]
    .filter(([, values]) => values && Object.keys(values).length > 0)
    .map(([title, values]) => el('details', { class: 'more-facts' }, el('summary', { text: title }),
      facts(Object.entries(values).map(([key, value]) => [line(key, 80), text(value)]))));
}

function shortened(text) {
  return text.length > MAX_FACT ? `${text.slice(0, MAX_FACT)}…` : text;
}
