// The table of the runs of a comparison, with the lines that show them.
import { el } from '../dom.js';
import { badge, scroller, swatch, table } from '../parts.js';
import { HEADLINES, headline } from './metrics.js';
import { progress, shortFolder } from './run-parts.js';

/** The table of `groups`; calls `toggle(name)` and `remove(ids)`. */
export function comparedRuns(groups, hidden, { toggle, remove }) {
  const columns = [{ text: 'line', unseen: true }, 'run', 'state', 'step',
    ...HEADLINES.map(({ label }) => ({ text: label, class: 'number' })), { text: 'remove', unseen: true }];
  const rows = groups.map(({ name, runs, color, dashed }) => {
    const off = hidden.has(name);
    return el('tr', { class: off ? 'off' : null },
      el('td', {}, el('button', { type: 'button', class: 'quiet line', 'aria-pressed': String(!off), 'aria-label': `Show ${name}`, onclick: () => toggle(name) }, swatch(color, dashed))),
      el('th', { scope: 'row', class: 'name' }, names(name, runs)),
      el('td', {}, [...new Set(runs.map(run => run.state))].map(state => badge(state))),
      el('td', {}, runs.length === 1 && progress(runs[0])),
      HEADLINES.map(column => el('td', { class: 'number', text: span(runs, column) })),
      el('td', { class: 'order' }, el('button', { type: 'button', class: 'quiet small', 'aria-label': `Remove ${name}`, text: '×', onclick: () => remove(runs.map(run => run.id)) })));
  });
  const nothing = el('tr', {}, el('td', { colspan: columns.length, class: 'muted', text: 'No runs: add one below, or choose several in the list of runs.' }));
  return scroller('The runs compared', table({ class: 'list compared', columns }, rows.length > 0 ? rows : [nothing]));
}

/** The choice of a further run out of `runs`; calls `add(id)`. */
export function addRun(runs, add) {
  const onchange = event => event.target.value && add(event.target.value);
  return el('div', { class: 'foot' }, el('select', { 'aria-label': 'Add a run', disabled: runs.length === 0, onchange },
    el('option', { value: '', text: 'Add a run …' }), runs.map(run => el('option', { value: run.id, text: `${run.name} · ${shortFolder(run.folder)}` }))));
}

function names(name, runs) {
  const link = run => el('a', { href: `#/run/${run.id}`, text: run.name });
  return runs.length === 1
    ? [link(runs[0]), el('small', { class: 'folder', text: shortFolder(runs[0].folder), title: runs[0].folder })]
    : [name, el('small', { class: 'folder' }, runs.map((run, index) => [index > 0 && ', ', link(run)]))];
}

/** The headline number of runs: one, or min … max. */
function span(runs, column) {
  const values = runs.map(run => headline(run, column)).filter(value => value !== null).sort((a, b) => a - b);
  const [min, max] = [values.at(0), values.at(-1)].map(value => (value === undefined ? '' : column.format(value)));
  return min === max ? min : `${min} … ${max}`;
}
