// The runs of a comparison: which line is whose, where each run is, one more or less.
import { el, replace } from '../dom.js';
import { HEADLINES, headline } from './metric-names.js';
import { badge, progress, shortFolder } from './run-state.js';

/** A panel; `set(groups, hidden names, other runs)`. Orders: `toggle(name)`, `remove(ids)`, `add(id)`. */
export function comparedRuns({ toggle, remove, add }) {
  const body = el('tbody');
  const choice = el('select', { 'aria-label': 'Add a run', onchange: event => {
    const id = event.target.value;
    event.target.value = '';
    if (id) {
      add(id);
    }
  } });
  const table = el('table', { class: 'list compared' },
    el('caption', { class: 'hidden', text: 'The runs compared' }),
    el('thead', {}, el('tr', {}, ['', 'run', 'state', 'step'].map((text, place) => el('th', { scope: 'col' }, place === 0 ? el('span', { class: 'hidden', text: 'line' }) : text)),
      HEADLINES.map(column => el('th', { scope: 'col', class: 'number', text: column.label })),
      el('th', { scope: 'col' }, el('span', { class: 'hidden', text: 'remove' })))),
    body);
  const node = el('section', { class: 'panel flush', 'aria-label': 'Runs' },
    el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'The runs compared' }, table),
    el('div', { class: 'foot' }, choice));
  let shown = '';

  function row(group, hidden) {
    const off = hidden.has(group.name);
    const swatch = el('span', { class: 'swatch' });
    swatch.style.color = `var(${group.color})`;
    swatch.classList.toggle('dashed', group.dashed);
    const [first] = group.runs;
    return el('tr', { class: off ? 'off' : null },
      el('td', {}, el('button', { type: 'button', class: 'quiet line', 'aria-pressed': String(!off), 'aria-label': `Show ${group.name}`, onclick: () => toggle(group.name) }, swatch)),
      el('th', { scope: 'row', class: 'name' }, namesOf(group)),
      el('td', {}, group.runs.length > 1 ? statesOf(group.runs) : badge(first)),
      el('td', {}, group.runs.length > 1 ? null : progress(first)),
      HEADLINES.map(column => el('td', { class: 'number', text: spanOf(group.runs, column) })),
      el('td', { class: 'order' }, el('button', { type: 'button', class: 'quiet small', 'aria-label': `Remove ${group.name}`, text: '×', onclick: () => remove(group.runs.map(run => run.id)) })));
  }

  return {
    node,
    set(groups, hidden, others) {
      const focus = [...body.querySelectorAll('button')].indexOf(document.activeElement);
      replace(body, groups.length > 0 ? groups.map(group => row(group, hidden)) : nobody());
      if (focus >= 0) {
        body.querySelectorAll('button')[focus]?.focus();
      }
      const key = others.map(run => run.id).join();
      if (key !== shown || choice.options.length === 0) {
        shown = key;
        replace(choice, el('option', { value: '', text: 'Add a run …' }), others.map(run => el('option', { value: run.id, text: `${run.name} · ${shortFolder(run.folder)}` })));
      }
      choice.disabled = others.length === 0;
    },
  };
}

function namesOf(group) {
  if (group.runs.length === 1) {
    const [run] = group.runs;
    return [el('a', { href: `#/run/${run.id}`, text: run.name }), el('small', { class: 'folder', text: shortFolder(run.folder), title: run.folder })];
  }
  return [group.name, el('small', { class: 'folder' }, group.runs.map((run, place) => [place > 0 && ', ', el('a', { href: `#/run/${run.id}`, text: run.name })]))];
}

function statesOf(runs) {
  const states = [...new Set(runs.map(run => run.state))];
  return states.map(state => badge({ state }));
}

function spanOf(runs, column) {
  const values = runs.map(run => headline(run, column)).filter(value => value !== null);
  if (values.length < 2) {
    return values[0] ?? '';
  }
  const sorted = [...values].sort((a, b) => parseFloat(a.replace('\u2212', '-')) - parseFloat(b.replace('\u2212', '-')));
  return sorted[0] === sorted.at(-1) ? sorted[0] : `${sorted[0]} … ${sorted.at(-1)}`;
}

function nobody() {
  return el('tr', {}, el('td', { colspan: 9, class: 'muted', text: 'No runs: add one below, or choose several in the list of runs.' }));
}
