// The list of runs, active and ended ones. Filter, order, columns and groups are in the link.
import { about, get } from '../api.js';
import { el, replace, setText, update } from '../dom.js';
import { on } from '../live.js';
import { chooseColumns } from './list-columns.js';
import { groupChoices, groupRow, listHead, noRuns } from './list-head.js';
import { FIXED, grouped, keep, layoutOf, linkOf, sorted } from './list-layout.js';
import { editNotes } from './run-notes.js';
import { isActive } from './run-parts.js';
import { Row } from './run-row.js';
import { sparks } from './sparks.js';

const FILTERS = [['all', 'All'], ['live', 'Live'], ['ended', 'Ended']];
const TICK_MS = 5000;
const TYPING_MS = 250;
const READING_MS = 500;
const CHANGED_MS = 3000;

/** Query: `q` (a filter), `show`, `archived`, and the layout: `columns`, `sort`, `group`. */
export async function show(root, route) {
  const { readOnly } = await about();
  const list = new RunList(root, route, readOnly);
  await list.load();
  return list;
}

class RunList {
  constructor(root, route, readOnly) {
    Object.assign(this, { route, readOnly, rows: new Map(), selected: new Set(), others: new Set(), sparks: sparks(), runs: [] });
    this.layout = layoutOf(route.query);
    this.search = el('input', { type: 'search', placeholder: 'lake state=failed learning_rate>0.001', 'aria-label': 'Filter runs', value: route.query.get('q') ?? '',
      title: 'Words, and comparisons of configuration keys, metrics, state, tag: = != ~ < <= > >=', oninput: () => this.later(TYPING_MS, true) });
    this.choice = el('select', { 'aria-label': 'Which runs', onchange: () => this.arrange() },
      FILTERS.map(([value, text]) => el('option', { value, text, selected: value === route.query.get('show') })));
    this.archived = el('input', { type: 'checkbox', checked: route.query.get('archived') === '1', onchange: () => this.load() });
    this.group = el('select', { onchange: event => this.change({ group: event.target.value }) });
    this.compare = el('button', { type: 'button', class: 'primary', onclick: () => this.open() });
    this.count = el('small', { role: 'status' });
    this.wrong = el('p', { class: 'note bad', role: 'alert', hidden: true });
    this.head = el('tr', { role: 'row' });
    this.body = el('tbody');
    this.nothing = el('div', { class: 'empty', hidden: true });
    this.csv = el('a', { class: 'button', text: 'CSV', download: 'runs.csv' });
    this.json = el('a', { class: 'button', text: 'JSON', download: 'runs.json' });
    /* Roles are given, since on narrow screens rows are laid out as blocks. */
    this.panel = el('div', { class: 'panel flush scroll', tabindex: 0, role: 'region', 'aria-label': 'Runs' }, el('table', { class: 'list runs', role: 'table' },
      el('caption', { class: 'hidden', text: 'Runs' }), el('thead', { role: 'rowgroup' }, this.head), this.body));
    replace(root,
      el('div', { class: 'bar' }, el('h1', {}, 'Runs ', this.count),
        el('div', { class: 'controls' }, this.search, this.choice,
          el('label', { class: 'field' }, this.archived, 'Archived'), el('label', { class: 'field' }, 'Group by', this.group),
          el('button', { type: 'button', text: 'Columns', onclick: () => this.columns() }), this.csv, this.json, this.compare)),
      this.wrong, this.panel, this.nothing);
    this.ends = [on('run', run => this.changed(run)), on('again', () => this.load())];
    this.clock = setInterval(() => this.rows.forEach(row => row.draw()), TICK_MS);
    this.select();
  }

  /** Columns whose values are asked for. */
  fields() {
    const { columns, group } = this.layout;
    return [...new Set([...columns, ...(group && group !== 'tag' && !FIXED.some(([name]) => name === group) ? [group] : [])])];
  }

  query() {
    return { q: this.search.value.trim(), columns: this.fields().join(','), archived: this.archived.checked ? '1' : null };
  }

  async load() {
    clearTimeout(this.timer);
    this.timer = null;
    const mine = this.asked = Symbol('request');
    const query = this.query();
    try {
      const { runs, complete, archived } = await get('/api/runs', query);
      if (mine !== this.asked) {
        return;
      }
      this.wrong.hidden = true;
      this.hiddenRuns = archived;
      this.take(runs);
      if (!complete) {
        this.later(READING_MS);
      }
    } catch (error) {
      if (mine === this.asked) {
        this.wrong.hidden = false;
        setText(this.wrong, error.message);
      }
    }
    if (mine === this.asked) {
      this.link(query);
    }
  }

  /** Puts the state into the address and the links of the export. */
  link(query) {
    this.route.put({ q: query.q, archived: query.archived, show: this.choice.value === 'all' ? null : this.choice.value, ...linkOf(this.layout) });
    const given = new URLSearchParams(Object.entries(query).filter(([, value]) => value));
    this.layout.sort && given.set('sort', this.layout.sort);
    this.json.href = `/api/runs?${given}`;
    given.set('format', 'csv');
    this.csv.href = `/api/runs?${given}`;
  }

  /** Loads again after `ms`; `restart` waits anew. */
  later(ms, restart = false) {
    if (restart) {
      clearTimeout(this.timer);
      this.timer = null;
    }
    this.timer ??= setTimeout(() => this.load(), ms);
  }

  take(runs) {
    this.runs = runs;
    const ids = new Set(runs.map(run => run.id));
    for (const [id, row] of this.rows) {
      if (!ids.has(id)) {
        this.sparks.forget(row.curve);
        this.rows.delete(id);
        this.selected.delete(id);
      }
    }
    runs.forEach(run => this.draw(run));
    this.arrange();
    this.select();
  }

  draw(run) {
    let row = this.rows.get(run.id);
    if (!row) {
      row = new Row(this, run.id);
      this.rows.set(run.id, row);
    }
    row.run = run;
    row.draw();
    this.sparks.show(row.curve, run);
  }

  /** An event: the list itself is loaded again where a run is new, or where values come from its files. */
  changed(latest) {
    const at = this.runs.findIndex(run => run.id === latest.id);
    if (at < 0) { // new, or one that the filter leaves out
      this.later(this.others.has(latest.id) ? CHANGED_MS : TYPING_MS);
      this.others.add(latest.id);
      return;
    }
    const ended = isActive(this.runs[at]) !== isActive(latest);
    this.runs[at] = { ...this.runs[at], ...latest };
    this.draw(this.runs[at]);
    if (ended) {
      this.arrange();
    }
    if (this.fields().length > 0 || this.search.value.trim() !== '') {
      this.later(CHANGED_MS);
    }
  }

  /** Puts rows and groups in their order. */
  arrange() {
    const which = this.choice.value;
    const shown = sorted(this.runs.filter(run => which === 'all' || (which === 'live') === isActive(run)), this.layout.sort);
    const row = run => this.rows.get(run.id).node;
    const { group } = this.layout;
    this.drawHead();
    const nodes = group === '' ? shown.map(row)
      : grouped(shown, group).flatMap(([value, runs]) => [groupRow(value, runs.length, this.head.children.length), ...runs.map(row)]);
    if (nodes.length !== this.body.children.length || nodes.some((node, index) => this.body.children[index] !== node)) {
      const focus = document.activeElement;
      this.body.replaceChildren(...nodes);
      focus?.isConnected && focus.focus({ preventScroll: true });
    }
    const all = this.runs.length;
    const filtered = this.search.value.trim() !== '' || which !== 'all';
    setText(this.count, [shown.length === all ? all > 0 && `${all}` : `${shown.length} of ${all}`, this.hiddenRuns > 0 && `${this.hiddenRuns} archived`].filter(Boolean).join(', '));
    this.panel.hidden = shown.length === 0;
    this.nothing.hidden = shown.length > 0;
    update(this.nothing, shown.length > 0 ? null : filtered ? this.noMatch() : noRuns());
    this.link(this.query());
  }

  drawHead() {
    update(this.head, listHead(this.layout, field => this.sortBy(field)));
    update(this.group, groupChoices(this.layout));
    this.group.value = this.layout.group;
  }

  /** Sorts by a column: descending, ascending, then newest first again. */
  sortBy(field) {
    const { sort } = this.layout;
    this.change({ sort: sort === `-${field}` ? field : sort === field ? '' : `-${field}` });
  }

  change(values) {
    Object.assign(this.layout, values);
    keep(this.layout);
    this.rows.forEach(row => row.draw());
    this.arrange();
    this.load();
  }

  async columns() {
    const columns = await chooseColumns(this.layout.columns);
    if (columns !== null) {
      this.change({ columns });
    }
  }

  async edit(run) {
    if (await editNotes(run) !== null) {
      await this.load();
    }
  }

  choose(id, chosen) {
    this.selected[chosen ? 'add' : 'delete'](id);
    this.select();
  }

  select() {
    const { size } = this.selected;
    this.compare.disabled = size < 2;
    this.compare.title = size < 2 ? 'Choose two or more runs' : '';
    setText(this.compare, size < 2 ? 'Compare' : `Compare ${size}`);
  }

  open() {
    const chosen = this.runs.map(run => run.id).filter(id => this.selected.has(id));
    location.hash = `#/compare?runs=${chosen.join(',')}`;
  }

  noMatch() {
    const clear = () => {
      this.search.value = '';
      this.choice.value = 'all';
      this.load();
      this.search.focus();
    };
    return [el('p', { text: 'No run matches the filter.' }), el('button', { type: 'button', text: 'Show all', onclick: clear })];
  }

  close() {
    this.asked = null;
    clearTimeout(this.timer);
    this.ends.forEach(end => end());
    clearInterval(this.clock);
    this.sparks.close();
  }
}
