// A row of the list of runs.
import { breakable, el, replace, setText } from '../dom.js';
import { HEADLINES, headline } from './metric-names.js';
import { orders } from './orders.js';
import { badge, progress, shortFolder, times } from './run-state.js';

/**
 * A row for `first`, an entry of /api/runs. Returns `{ node, spark (where its curve goes), run(),
 * text() (what a search looks at), update(run), tick() }`; `onChoose(chosen)` from its box.
 */
export function runRow(first, readOnly, onChoose) {
  let run = first;
  const cell = (label, attributes = {}) => el('td', { role: 'cell', 'data-label': label, ...attributes });
  const box = el('input', { type: 'checkbox', 'aria-label': `Choose ${run.name} to compare`, onchange: () => {
    node.setAttribute('aria-selected', String(box.checked));
    onChoose(box.checked);
  } });
  const link = el('a', { href: `#/run/${run.id}` });
  const folder = el('small', { class: 'folder' });
  const waiting = el('small', { class: 'waiting' });
  const phase = el('small');
  const mark = el('span');
  const state = cell('', { class: 'state' });
  const steps = cell('step', { class: 'steps-cell' });
  const numbers = HEADLINES.map(column => cell(column.label, { class: 'number' }));
  const spark = cell('', { class: 'curve' });
  const began = el('span', { class: 'muted' });
  const took = el('small');
  const order = orders(readOnly, { small: true });
  const node = el('tr', { role: 'row' },
    cell('', { class: 'choose' }), el('th', { scope: 'row', role: 'rowheader', class: 'name' }, link, folder, waiting),
    state, steps, numbers, spark, cell('started', { class: 'began' }), cell('', { class: 'order' }));
  state.append(mark, phase);
  node.querySelector('.began').append(began, took);
  node.firstChild.append(box);
  node.lastChild.append(order.node);

  function tick() {
    const time = times(run);
    setText(began, time.began);
    setText(took, time.took);
  }

  function update(latest) {
    run = latest;
    if (link.textContent !== run.name) {
      replace(link, breakable(run.name));
    }
    setText(folder, [run.number === null ? null : `run ${run.number}`, shortFolder(run.folder)].filter(Boolean).join(' · '));
    folder.title = run.folder;
    setText(waiting, run.waiting ?? '');
    waiting.hidden = !run.waiting;
    waiting.dataset.state = run.state;
    if (mark.textContent !== run.state) {
      replace(mark, badge(run));
    }
    replace(steps, progress(run));
    setText(phase, run.phase || '');
    HEADLINES.forEach((column, place) => setText(numbers[place], headline(run, column) ?? ''));
    order.update(run);
    tick();
  }

  update(first);
  return {
    node, spark, update, tick,
    run: () => run,
    text: () => `${run.name} ${run.folder} ${run.state} ${run.phase} ${run.number ?? ''}`.toLowerCase(),
  };
}
