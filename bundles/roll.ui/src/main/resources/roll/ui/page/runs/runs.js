// The list of runs: live and finished ones, what each is doing, its score, and orders to it.
import { about, get } from '../api.js';
import { el, replace, setText } from '../dom.js';
import { on } from '../live.js';
import { complain } from '../notice.js';
import { HEADLINES } from './metric-names.js';
import { runRow } from './run-row.js';
import { goesOn } from './run-state.js';
import { sparks } from './sparks.js';

const SHOWN = [['all', 'All'], ['live', 'Live'], ['ended', 'Ended']];

/** Shows the list; `q` and `show` of the query are its search. */
export async function show(root, route) {
  const [{ runs }, { readOnly }] = await Promise.all([get('/api/runs'), about()]);
  const list = new RunList(root, route, readOnly);
  list.take(runs);
  return list;
}

class RunList {
  constructor(root, route, readOnly) {
    Object.assign(this, { root, route, readOnly, rows: new Map(), selected: new Set() });
    this.search = el('input', { type: 'search', placeholder: 'Name, folder or state', 'aria-label': 'Search runs', value: route.query.get('q') ?? '', oninput: () => this.filter() });
    this.choice = el('select', { 'aria-label': 'Which runs', onchange: () => this.filter() },
      SHOWN.map(([value, text]) => el('option', { value, text })));
    this.choice.value = SHOWN.some(([value]) => value === route.query.get('show')) ? route.query.get('show') : 'all';
    this.compare = el('button', { type: 'button', class: 'primary', onclick: () => this.open() });
    this.count = el('small', { role: 'status' });
    this.body = el('tbody');
    this.nothing = el('div', { class: 'empty', hidden: true });
    this.panel = el('div', { class: 'panel flush' }, this.table());
    this.sparks = sparks();
    replace(root,
      el('div', { class: 'bar' }, el('h1', {}, 'Runs ', this.count),
        el('div', { class: 'controls' }, this.search, this.choice, this.compare)),
      this.panel, this.nothing);
    this.ends = [
      on('run', run => this.update(run)),
      on('again', () => this.reload()),
    ];
    this.clock = setInterval(() => this.rows.forEach(row => row.tick()), 5000);
    this.select();
  }

  table() {
    const head = (text, attributes = {}) => el('th', { scope: 'col', role: 'columnheader', ...attributes }, text);
    const unseen = text => el('span', { class: 'hidden', text });
    return el('table', { class: 'list runs', role: 'table' },
      el('caption', { class: 'hidden', text: 'Runs, newest first' }),
      el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' },
        head(unseen('choose')), head('run'), head('state'), head('step'),
        HEADLINES.map(one => head(one.label, { class: 'number' })),
        head('score by step'), head('started', { class: 'began' }), head(unseen('orders')))),
      this.body);
  }

  take(runs) {
    const ids = new Set(runs.map(run => run.id));
    for (const [id, row] of this.rows) {
      if (!ids.has(id)) {
        row.node.remove();
        this.rows.delete(id);
        this.selected.delete(id);
        this.sparks.forget(id);
      }
    }
    [...runs].reverse().forEach(run => this.update(run)); // each new one goes to the top
    this.filter();
  }

  update(run) {
    const known = this.rows.get(run.id);
    if (known) {
      known.update(run);
      this.sparks.update(run);
      return;
    }
    const row = runRow(run, this.readOnly, chosen => this.choose(run.id, chosen));
    this.rows.set(run.id, row);
    this.body.prepend(row.node);
    this.sparks.watch(row.spark, run);
    this.filter();
  }

  choose(id, chosen) {
    if (chosen) {
      this.selected.add(id);
    } else {
      this.selected.delete(id);
    }
    this.select();
  }

  select() {
    const many = this.selected.size;
    this.compare.disabled = many < 2;
    setText(this.compare, many < 2 ? 'Compare' : `Compare ${many}`);
    this.compare.title = many < 2 ? 'Choose two or more runs' : '';
  }

  open() {
    const order = [...this.rows.keys()].filter(id => this.selected.has(id)).reverse();
    location.hash = `#/compare?runs=${order.join(',')}`;
  }

  filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const which = this.choice.value;
    let shown = 0;
    for (const row of this.rows.values()) {
      const fits = words.every(word => row.text().includes(word));
      const there = fits && (which === 'all' || (which === 'live') === goesOn(row.run()));
      row.node.hidden = !there;
      shown += there ? 1 : 0;
    }
    this.keep();
    const all = this.rows.size;
    setText(this.count, all === 0 ? '' : shown === all ? `${all}` : `${shown} of ${all}`);
    this.panel.hidden = shown === 0;
    this.compare.hidden = this.search.hidden = this.choice.hidden = all === 0;
    this.nothing.hidden = shown > 0;
    if (shown === 0) {
      replace(this.nothing, ...(all === 0 ? noRuns() : noneFound(() => this.clear())));
    }
  }

  clear() {
    this.search.value = '';
    this.choice.value = 'all';
    this.filter();
    this.search.focus();
  }

  keep() {
    const query = new URLSearchParams();
    if (this.search.value) {
      query.set('q', this.search.value);
    }
    if (this.choice.value !== 'all') {
      query.set('show', this.choice.value);
    }
    this.route.keep(query);
  }

  async reload() {
    try {
      this.take((await get('/api/runs')).runs);
    } catch (error) {
      complain(error);
    }
  }

  close() {
    this.ends.forEach(end => end());
    clearInterval(this.clock);
    this.sparks.close();
  }
}

function noRuns() {
  return [
    el('h2', { text: 'No runs yet' }),
    el('p', { text: 'Start one; it appears here by itself:' }),
    el('p', {}, el('code', { text: 'roll train configs/frozen_lake.yaml --ui' })),
    el('p', {}, 'or in this shell: ', el('code', { text: 'train configs/frozen_lake.yaml &' })),
  ];
}

function noneFound(clear) {
  return [
    el('p', { text: 'No run fits the search.' }),
    el('button', { type: 'button', text: 'Show all', onclick: clear }),
  ];
}
