// A row of the list of runs.
import { breakable, el, setText, update } from '../dom.js';
import { number } from '../format.js';
import { line } from '../legible.js';
import { badge } from '../parts.js';
import { HEADLINES, headline } from './metrics.js';
import { notesOf } from './run-notes.js';
import { orders, progress, shortFolder, stateOf, times } from './run-parts.js';

/** A row; `run` is its entry of /api/runs. */
export class Row {
  constructor(list, id) {
    const cell = (label, attributes = {}, ...content) => el('td', { role: 'cell', 'data-label': label, ...attributes }, content);
    this.cell = cell;
    this.list = list;
    this.box = el('input', { type: 'checkbox', onchange: () => {
      this.node.setAttribute('aria-selected', String(this.box.checked));
      list.choose(id, this.box.checked);
    } });
    this.name = el('th', { scope: 'row', role: 'rowheader', class: 'name' });
    this.state = cell('', { class: 'state' });
    this.steps = cell('step', { class: 'steps-cell' });
    this.numbers = HEADLINES.map(column => cell(column.label, { class: 'number' }));
    this.chosen = [];
    this.curve = cell('', { class: 'curve' });
    this.began = cell('started', { class: 'began' });
    this.orders = orders(list.readOnly, true, () => this.draw());
    this.notes = list.readOnly ? null : el('button', { type: 'button', class: 'quiet small', text: 'Notes', onclick: () => list.edit(this.run) });
    this.node = el('tr', { role: 'row' }, cell('', { class: 'choose' }, this.box), this.name, this.state, this.steps,
      this.numbers, this.curve, this.began, cell('', { class: 'order' }, el('div', { class: 'row-orders' }, this.orders.node, this.notes)));
  }

  draw() {
    const { run } = this;
    const { began, took } = times(run);
    this.box.ariaLabel = `Choose ${run.name} to compare`;
    update(this.name, el('a', { href: `#/run/${run.id}` }, breakable(run.name)),
      el('small', { class: 'folder', title: run.folder, text: [run.number && `run ${run.number}`, shortFolder(run.folder)].filter(Boolean).join(' · ') }),
      run.archived && el('small', { class: 'folder', text: 'archived' }), notesOf(run),
      run.waiting && el('small', { class: 'waiting', 'data-state': run.state, text: run.waiting }));
    update(this.state, badge(stateOf(run)), el('small', { text: run.phase }));
    update(this.steps, progress(run));
    HEADLINES.forEach((column, index) => {
      const value = headline(run, column);
      setText(this.numbers[index], value === null ? '' : column.format(value));
    });
    this.drawChosen();
    update(this.began, el('span', { class: 'muted', text: began }), el('small', { text: took }));
    this.orders.show(run);
    this.notes?.setAttribute('aria-label', `Notes of ${run.name}`);
  }

  /** The chosen columns, before the curve. */
  drawChosen() {
    const { columns } = this.list.layout;
    if (columns.join() !== this.chosen.map(cell => cell.dataset.label).join()) {
      this.chosen.forEach(cell => cell.remove());
      this.chosen = columns.map(field => this.cell(field, { class: 'number chosen' }));
      this.curve.before(...this.chosen);
    }
    columns.forEach((field, index) => {
      const value = this.run.columns?.[field] ?? null;
      const text = value === null ? '' : typeof value === 'number' ? number(value) : line(value, 60);
      setText(this.chosen[index], text);
      this.chosen[index].title = value === null ? '' : String(value);
    });
  }
}
