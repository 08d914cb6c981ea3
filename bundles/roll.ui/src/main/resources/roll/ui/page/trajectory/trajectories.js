// The episodes of a step: groups side by side, or a list by what is looked for.
import { get, gone, withQuery } from '../api.js';
import { el, replace, setText } from '../dom.js';
import { count } from '../format.js';
import { line } from '../legible.js';
import { on } from '../live.js';
import { crumbs } from './crumbs.js';
import { episodeKeys } from './episode-keys.js';
import { episodeList } from './episode-list.js';
import { episodePeek } from './episode-peek.js';
import { SORTS, episodeTools } from './episode-tools.js';
import { groupGrid } from './group-grid.js';

const LIMIT = 128; // whole groups of all usual sizes
const AT_MOST_EACH = 3000; // ms between looks for a newer step

/** Shows the episodes of a step of the run `route.id`. */
export async function show(root, route) {
  const base = `/api/runs/${route.id}`;
  const run = await get(base);
  const state = stateOf(route.query);
  const result = el('div', { class: 'episodes-result' });
  const summary = el('p', { class: 'summary', role: 'status' });
  const pages = el('nav', { class: 'pages', 'aria-label': 'Pages' });
  const peek = episodePeek(route.id);
  const tools = episodeTools(state, change);
  let asking = null;
  let newest; // undefined while no step has a file

  const asked = () => get(withQuery(`${base}/trajectories`, { ...state, limit: LIMIT }), { signal: asking.signal });

  async function ask() {
    asking?.abort();
    asking = new AbortController();
    result.setAttribute('aria-busy', 'true');
    try {
      fill(await asked());
      result.removeAttribute('aria-busy');
    } catch (error) {
      if (!gone(error)) {
        result.removeAttribute('aria-busy');
        setText(summary, '');
        replace(pages);
        replace(result, el('p', { class: 'empty', role: 'alert' }, error.message));
      }
    }
  }

  /** Shows a newer step where there is one and nobody is walking along what is shown. */
  async function look() {
    const answer = await asked();
    if (answer.steps.at(-1) !== newest && !result.contains(document.activeElement)) {
      fill(answer);
    }
  }

  function fill(answer) {
    const steps = answer.steps ?? [];
    newest = steps.at(-1);
    tools.root.hidden = peek.root.hidden = steps.length === 0;
    tools.steps(steps, answer.step, state.step === '');
    peek.step(answer.step);
    peek.show(null);
    if (answer.total === 0) {
      setText(summary, '');
      replace(pages);
      replace(result, nothing(steps, state, run));
      return;
    }
    setText(summary, summaryOf(answer, state));
    summary.append(...(answer.notice ? [' ', el('span', { class: 'warn', text: line(answer.notice, 300) })] : []));
    replace(pages, pageLinks(answer, state.offset, offset => change({ offset })));
    const address = episode => `#/run/${route.id}/trajectory/${answer.step}/${episode.index}`;
    replace(result, state.sort === 'group' && grouped(answer.episodes) ? groupGrid(answer.episodes, address) : episodeList(answer.episodes, address));
    keys.episodes(answer.episodes);
  }

  function change(part) {
    Object.assign(state, { offset: 0 }, part);
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(state)) {
      if (value !== '' && value !== DEFAULTS[name]) {
        query.set(name, value);
      }
    }
    route.keep(query);
    ask();
  }

  const keys = episodeKeys(root, result, episode => peek.show(episode), by => tools.move(by));
  replace(root,
    crumbs(route.id, run.name),
    el('div', { class: 'bar' }, el('h1', { text: 'Trajectories' })),
    tools.root, summary,
    el('div', { class: 'episodes' }, result, peek.root), pages);
  await ask();
  const off = follow(route.id, () => state.step === '', () => newest, look);
  return {
    update(next) {
      route = next;
      Object.assign(state, stateOf(next.query));
      tools.set(state);
      ask();
    },
    close() {
      off();
      keys.close();
      asking?.abort();
    },
  };
}

const DEFAULTS = { step: '', q: '', filter: 'all', sort: 'group', offset: 0 };

function stateOf(query) {
  const state = Object.fromEntries(Object.entries(DEFAULTS).map(([name, value]) => [name, query.get(name) ?? value]));
  return { ...state, offset: Number(state.offset) || 0 };
}

/** Looks again where the run has gone on and the newest step is shown. */
function follow(id, following, newest, look) {
  let last = 0;
  return on('run', run => {
    if (run.id === id && following() && run.step > (newest() ?? -1) && Date.now() - last > AT_MOST_EACH) {
      last = Date.now();
      look().catch(error => gone(error) || console.warn(error));
    }
  });
}

/** Whether some group has more than one member: without training, most have not. */
function grouped(episodes) {
  return new Set(episodes.map(episode => episode.group)).size < episodes.length;
}

function summaryOf(answer, { sort, q, filter }) {
  const shown = answer.episodes.length < answer.total ? `${count(answer.episodes.length)} of ` : '';
  const what = filter === 'all' ? 'episodes' : `${filter} episodes`;
  return `Step ${answer.step}: ${shown}${count(answer.total)} ${answer.total === 1 ? what.slice(0, -1) : what}`
    + (q ? ` with “${line(q, 40)}”` : '') + (sort === 'group' ? '' : `, by ${SORTS.find(([name]) => name === sort)?.[1]}`);
}

function pageLinks({ total }, offset, go) {
  if (total <= LIMIT) {
    return [];
  }
  const page = Math.floor(offset / LIMIT);
  const pages = Math.ceil(total / LIMIT);
  return [
    el('button', { type: 'button', disabled: page === 0, onclick: () => go((page - 1) * LIMIT), text: '‹ Before' }),
    el('span', { class: 'num', text: `page ${page + 1} of ${pages}` }),
    el('button', { type: 'button', disabled: page >= pages - 1, onclick: () => go((page + 1) * LIMIT), text: 'After ›' }),
  ];
}

function nothing(steps, { q, filter }, run) {
  if (steps.length === 0) {
    return el('div', { class: 'empty' },
      el('p', { text: run.live ? 'No trajectories yet: they are written every logging_steps steps.' : 'This run left no trajectories.' }),
      el('p', {}, 'A run writes them with ', el('code', { text: 'logging_steps: 10' }), ' in its configuration, for every tenth step.'));
  }
  return el('p', { class: 'empty', text: q ? `No ${filter === 'all' ? '' : `${filter} `}episode of this step has “${line(q, 60)}”.` : `No episode of this step has ${filter}.` });
}
