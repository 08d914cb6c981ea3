// The list of runs, active and ended ones: state, step, headline numbers, score curve, orders.
import { about, get } from '../api.js';
import { breakable, el, replace, setText, update } from '../dom.js';
import { on } from '../live.js';
import { badge, complain, unseen } from '../parts.js';
import { HEADLINES, headline } from './metrics.js';
import { isActive, orders, progress, shortFolder, times } from './run-parts.js';
import { sparks } from './sparks.js';

const FILTERS = [['all', 'All'], ['live', 'Live'], ['ended', 'Ended']];
const TICK_MS = 5000;

/** Shows the list; `q` and `show` of the query are its search and filter. */
export async function show(root, route) {
  const [{ runs }, { readOnly }] = await Promise.all([get('/api/runs'), about()]);
  const list = new RunList(root, route, readOnly);
  list.take(runs);
  return list;
}

class RunList {
  constructor(root, route, readOnly) {
    Object.assign(this, { route, readOnly, rows: new Map(), selected: new Set(), sparks: sparks() });
    const filtered = () => this.filter();
    this.search = el('input', { type: 'search', placeholder: 'Name, folder or state', 'aria-label': 'Search runs', value: route.query.get('q') ?? '', oninput: filtered });
    this.choice = el('select', { 'aria-label': 'Filter runs', onchange: filtered },
      FILTERS.map(([value, text]) => el('option', { value, text, selected: value === route.query.get('show') })));
    this.compare = el('button', { type: 'button', class: 'primary', onclick: () => this.open() });
    this.count = el('small', { role: 'status' });
    this.body = el('tbody');
    this.nothing = el('div', { class: 'empty', hidden: true });
    this.panel = el('div', { class: 'panel flush' }, this.table());
    replace(root,
      el('div', { class: 'bar' }, el('h1', {}, 'Runs ', this.count),
        el('div', { class: 'controls' }, this.search, this.choice, this.compare)),
      this.panel, this.nothing);
    this.ends = [on('run', run => this.show(run)), on('again', () => this.reload())];
    this.clock = setInterval(() => this.rows.forEach(row => row.draw()), TICK_MS);
    this.select();
  }

  /** Roles are given, since on narrow screens rows are laid out as blocks. */
  table() {
    const head = (content, attributes = {}) => el('th', { scope: 'col', role: 'columnheader', ...attributes }, content);
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
      }
    }
    runs.toReversed().forEach(run => this.show(run)); // each new run goes to the top
    this.filter();
  }

  show(run) {
    let row = this.rows.get(run.id);
    if (!row) {
      row = new Row(this, run.id);
      this.rows.set(run.id, row);
      this.body.prepend(row.node);
    }
    row.run = run;
    row.draw();
    this.sparks.show(row.curve, run);
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
    const { size } = this.selected;
    this.compare.disabled = size < 2;
    this.compare.title = size < 2 ? 'Choose two or more runs' : '';
    setText(this.compare, size < 2 ? 'Compare' : `Compare ${size}`);
  }

  open() {
    const chosen = [...this.rows.keys()].filter(id => this.selected.has(id)).reverse();
    location.hash = `#/compare?runs=${chosen.join(',')}`;
  }

  filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const which = this.choice.value;
    let shown = 0;
    for (const { node, run } of this.rows.values()) {
      const text = `${run.name} ${run.folder} ${run.state} ${run.phase} ${run.number ?? ''}`.toLowerCase();
      node.hidden = !words.every(word => text.includes(word)) || (which !== 'all' && (which === 'live') !== isActive(run));
      shown += node.hidden ? 0 : 1;
    }
    this.route.put({ q: this.search.value, show: which === 'all' ? null : which });
    const all = this.rows.size;
    setText(this.count, all === 0 ? '' : shown === all ? `${all}` : `${shown} of ${all}`);
    this.panel.hidden = shown === 0;
    this.compare.hidden = this.search.hidden = this.choice.hidden = all === 0;
    this.nothing.hidden = shown > 0;
    update(this.nothing, shown > 0 ? null : all === 0 ? noRuns() : this.noMatch());
  }

  noMatch() {
    const clear = () => {
      this.search.value = '';
      this.choice.value = 'all';
      this.filter();
      this.search.focus();
    };
    return [el('p', { text: 'No run matches the search.' }), el('button', { type: 'button', text: 'Show all', onclick: clear })];
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

/** A row of the list; `run` is its entry of /api/runs. */
class Row {
  constructor(list, id) {
    const cell = (label, attributes = {}, ...content) => el('td', { role: 'cell', 'data-label': label, ...attributes }, content);
    this.box = el('input', { type: 'checkbox', onchange: () => {
      this.node.setAttribute('aria-selected', String(this.box.checked));
      list.choose(id, this.box.checked);
    } });
    this.name = el('th', { scope: 'row', role: 'rowheader', class: 'name' });
    this.state = cell('', { class: 'state' });
    this.steps = cell('step', { class: 'steps-cell' });
    this.numbers = HEADLINES.map(column => cell(column.label, { class: 'number' }));
    this.curve = cell('', { class: 'curve' });
    this.began = cell('started', { class: 'began' });
    this.orders = orders(list.readOnly, true);
    this.node = el('tr', { role: 'row' }, cell('', { class: 'choose' }, this.box), this.name, this.state, this.steps,
      this.numbers, this.curve, this.began, cell('', { class: 'order' }, this.orders.node));
  }

  draw() {
    const { run } = this;
    const { began, took } = times(run);
    this.box.ariaLabel = `Choose ${run.name} to compare`;
    update(this.name, el('a', { href: `#/run/${run.id}` }, breakable(run.name)),
      el('small', { class: 'folder', title: run.folder, text: [run.number && `run ${run.number}`, shortFolder(run.folder)].filter(Boolean).join(' · ') }),
      run.waiting && el('small', { class: 'waiting', 'data-state': run.state, text: run.waiting }));
    update(this.state, badge(run.state), el('small', { text: run.phase }));
    update(this.steps, progress(run));
    HEADLINES.forEach((column, index) => {
      const value = headline(run, column);
      setText(this.numbers[index], value === null ? '' : column.format(value));
    });
    update(this.began, el('span', { class: 'muted', text: began }), el('small', { text: took }));
    this.orders.show(run);
  }
}

function noRuns() {
  return [
    el('h2', { text: 'No runs yet' }),
    el('p', { text: 'Start one; it appears here:' }),
    el('p', {}, el('code', { text: 'roll train configs/frozen_lake.yaml --ui' })),
    el('p', {}, 'or in this shell: ', el('code', { text: 'train configs/frozen_lake.yaml &' })),
  ];
}
