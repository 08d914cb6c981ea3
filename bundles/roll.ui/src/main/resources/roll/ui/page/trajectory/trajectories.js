// The episodes of a step: by group, or a list sorted across groups.
import { aborted, get } from '../api.js';
import { el, replace, setText } from '../dom.js';
import { count, number } from '../format.js';
import { legible, line } from '../legible.js';
import { on } from '../live.js';
import { crumbs, facts, segments } from '../parts.js';
import { episodeKeys } from './episode-keys.js';
import { episodeList, episodeName, finishOf, groupGrid, signedNumber, verdict } from './episodes.js';

const LIMIT = 128; // whole groups of all usual sizes
const INTERVAL_MS = 3000; // between requests for a newer step
const TYPING_MS = 250;
const DEFAULTS = { step: '', q: '', filter: 'all', sort: 'group', offset: 0 };
const SORTS = { group: 'groups', score: 'score', longest: 'longest', surprising: 'highest mean −log p' };

/** Shows the episodes of a step of the run `route.id`. Query: `step`, `q`, `filter`, `sort`, `offset`. */
export async function show(root, route) {
  const run = await get(`/api/runs/${route.id}`);
  const view = new Episodes(root, route, run);
  await view.request();
  return view;
}

class Episodes {
  constructor(root, route, run) {
    Object.assign(this, { route, run, state: stateOf(route.query), asking: null, answer: { steps: [] }, looked: 0 });
    this.result = el('div', { class: 'episodes-result' });
    this.summary = el('p', { class: 'summary', role: 'status' });
    this.pages = el('nav', { class: 'pages', 'aria-label': 'Pages' });
    this.peek = el('aside', { class: 'peek', 'aria-label': 'Selected episode' });
    this.tools = el('div', { class: 'tools', role: 'search' }, this.controls());
    replace(root,
      crumbs([`#/run/${route.id}`, el('bdi', { text: line(run.name, 60) })]),
      el('div', { class: 'bar' }, el('h1', { text: 'Trajectories' })),
      this.tools, this.summary,
      el('div', { class: 'episodes' }, this.result, this.peek), this.pages);
    const find = index => this.answer.episodes.find(episode => String(episode.index) === index);
    const ends = [episodeKeys(root, this.result, index => this.showPeek(find(index)), by => this.move(by)), on('run', latest => this.grown(latest))];
    this.close = () => {
      ends.forEach(end => end());
      this.asking?.abort();
    };
  }

  controls() {
    let timer = 0;
    const typed = event => {
      clearTimeout(timer);
      timer = setTimeout(() => this.change({ q: event.target.value.trim() }), TYPING_MS);
    };
    const mover = (text, label, by) => el('button', { type: 'button', class: 'quiet', 'aria-label': label, title: label, text, onclick: () => this.move(by) });
    [this.back, this.forth] = [mover('‹', 'Previous step (,)', -1), mover('›', 'Next step (.)', 1)];
    this.step = el('select', { onchange: event => this.change({ step: event.target.value }) });
    this.search = el('input', { type: 'search', placeholder: 'text, answer, id …', maxlength: 200, oninput: typed });
    this.filters = segments('Show', 'episode-filter', ['all', 'failed', 'solved'].map(one => [one, one]), 'all', filter => this.change({ filter }));
    this.sort = el('select', { onchange: event => this.change({ sort: event.target.value }) },
      Object.entries(SORTS).map(([value, text]) => el('option', { value, text })));
    this.showState();
    return [el('div', { class: 'field stepper' }, el('label', {}, el('span', { text: 'Step' }), this.step), this.back, this.forth),
      el('label', { class: 'field' }, 'Search', this.search), this.filters.node, el('label', { class: 'field' }, 'Sort by', this.sort)];
  }

  showState() {
    this.search.value = this.state.q;
    this.sort.value = this.state.sort;
    this.filters.set(this.state.filter);
  }

  async request() {
    this.result.setAttribute('aria-busy', 'true');
    try {
      this.fill(await this.fetch());
    } catch (error) {
      if (aborted(error)) {
        return;
      }
      replace(this.summary);
      replace(this.pages);
      replace(this.result, el('p', { class: 'empty', role: 'alert' }, error.message));
    }
    this.result.removeAttribute('aria-busy');
  }

  fetch() {
    this.asking?.abort();
    this.asking = new AbortController();
    return get(`/api/runs/${this.run.id}/trajectories`, { ...this.state, limit: LIMIT }, this.asking.signal);
  }

  /** Shows a newer step, unless an episode of the shown one has the focus. */
  async grown(run) {
    const newest = this.answer.steps.at(-1) ?? -1;
    if (run.id !== this.run.id || this.state.step !== '' || run.step <= newest || Date.now() - this.looked < INTERVAL_MS) {
      return;
    }
    this.looked = Date.now();
    try {
      const answer = await this.fetch();
      if (answer.steps.at(-1) !== newest && !this.result.contains(document.activeElement)) {
        this.fill(answer);
      }
    } catch (error) {
      if (!aborted(error)) {
        console.warn(error);
      }
    }
  }

  fill(answer) {
    this.answer = answer;
    const { steps, step, total, episodes, notice } = answer;
    const { state } = this;
    this.tools.hidden = this.peek.hidden = steps.length === 0;
    replace(this.step, el('option', { value: '', text: 'newest' }), steps.toReversed().map(one => el('option', { value: one, text: String(one) })));
    this.step.value = state.step === '' ? '' : String(step);
    this.step.title = `step ${step}`;
    this.back.disabled = steps.indexOf(step) <= 0;
    this.forth.disabled = steps.indexOf(step) === steps.length - 1;
    this.showPeek(null);
    const address = episode => `#/run/${this.run.id}/trajectory/${step}/${episode.index}`;
    const grouped = state.sort === 'group' && new Set(episodes.map(episode => episode.group)).size < episodes.length;
    replace(this.summary, total > 0 && summaryOf(answer, state), notice && [' ', el('span', { class: 'warn', text: line(notice, 300) })]);
    replace(this.pages, this.pageLinks(total));
    replace(this.result, total === 0 ? this.nothing() : grouped ? groupGrid(episodes, address) : episodeList(episodes, address));
  }

  change(part) {
    Object.assign(this.state, { offset: 0 }, part);
    this.route.put(Object.fromEntries(Object.entries(this.state).map(([name, value]) => [name, value === DEFAULTS[name] ? null : value])));
    this.request();
  }

  move(by) {
    const { steps, step } = this.answer;
    const to = steps[steps.indexOf(step) + by];
    if (to !== undefined) {
      this.change({ step: String(to) });
    }
  }

  update(route) {
    this.route = route;
    this.state = stateOf(route.query);
    this.showState();
    this.request();
  }

  pageLinks(total) {
    const [page, pages] = [Math.floor(this.state.offset / LIMIT), Math.ceil(total / LIMIT)];
    const link = (text, to) => el('button', { type: 'button', disabled: to < 0 || to >= pages, onclick: () => this.change({ offset: to * LIMIT }), text });
    return pages > 1 && [link('‹ Previous', page - 1), el('span', { class: 'num', text: `page ${page + 1} of ${pages}` }), link('Next ›', page + 1)];
  }

  showPeek(episode) {
    const key = text => [el('kbd', { text }), ' '];
    replace(this.peek, episode ? [
      el('h2', {}, verdict(episode), ' ', el('bdi', { text: line(episode.tag, 40) }), ` ${episodeName(episode)}`),
      facts([
        ['score', number(episode.score)], ['advantage', signedNumber(episode.advantage)],
        ['turns', count(episode.turns)], ['tokens', count(episode.tokens)], ['generated', count(episode.written)],
        ['mean −log p', number(episode.surprise)], ['finish', finishOf(episode)],
        episode.answer && ['answer', line(episode.answer, 80)],
      ]),
      el('p', { class: 'said-last', dir: 'auto' }, legible(episode.peek)),
      el('p', {}, el('a', { href: `#/run/${this.run.id}/trajectory/${this.answer.step}/${episode.index}`, tabindex: '-1', text: 'Replay' })),
    ] : [
      el('p', { class: 'none', text: 'Point at an episode, or move with the keys.' }),
      el('p', { class: 'key-hints' }, ['j', 'k', '←', '→'].map(key), 'move, ', key('Enter'), 'opens, ', key(','), key('.'), 'step'),
    ]);
  }

  nothing() {
    const { q, filter } = this.state;
    if (this.answer.steps.length > 0) {
      return el('p', { class: 'empty', text: `No ${filter === 'all' ? '' : `${filter} `}episode of this step${q ? ` contains “${line(q, 60)}”` : ''}.` });
    }
    return el('div', { class: 'empty' },
      el('p', { text: this.run.live ? 'No trajectories yet: they are written every logging_steps steps.' : 'This run has no trajectories.' }),
      el('p', {}, 'A run writes them with ', el('code', { text: 'logging_steps: 10' }), ' in its configuration, for every tenth step.'));
  }
}

function stateOf(query) {
  const state = Object.fromEntries(Object.entries(DEFAULTS).map(([name, value]) => [name, query.get(name) ?? value]));
  return { ...state, offset: Number(state.offset) || 0 };
}

function summaryOf({ step, total, episodes }, { sort, q, filter }) {
  const shown = episodes.length < total ? `${count(episodes.length)} of ` : '';
  const noun = `${filter === 'all' ? '' : `${filter} `}episode${total === 1 ? '' : 's'}`;
  return `Step ${step}: ${shown}${count(total)} ${noun}${q ? ` with “${line(q, 40)}”` : ''}${sort === 'group' ? '' : `, by ${SORTS[sort]}`}`;
}
