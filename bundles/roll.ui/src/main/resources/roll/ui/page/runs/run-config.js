// The configuration a run really uses, what was swapped in it, and which bundles serve it.
import { el, replace, setText } from '../dom.js';
import { flatConfig } from './config-lines.js';
import { swapList } from './swap-list.js';

/** Returns `{ update(run), close() }`. */
export function runConfig(panel, { run: first }) {
  let run = first;
  let shown = null;
  const filter = el('input', { type: 'search', placeholder: 'learning_rate', oninput: () => draw() });
  const said = el('small', { role: 'status' });
  const text = el('div');
  const swaps = el('div');
  const served = el('div');
  replace(panel,
    el('div', { class: 'sides' },
      el('section', {},
        el('div', { class: 'controls' }, el('h2', { text: 'config.yaml' }), el('label', { class: 'field' }, 'Find a key', filter), said),
        text),
      el('div', {}, swaps, served)));

  function draw() {
    const word = filter.value.trim().toLowerCase();
    if (!run.config) {
      replace(text, el('p', { class: 'nothing', text: 'This folder has no config.yaml.' }));
      return;
    }
    if (word === '') {
      setText(said, '');
      replace(text, el('pre', { class: 'code', tabindex: 0, role: 'region', 'aria-label': 'config.yaml', text: run.config }));
      return;
    }
    const found = [...flatConfig(run.config)].filter(([key, value]) => `${key} ${value}`.toLowerCase().includes(word));
    setText(said, `${found.length} ${found.length === 1 ? 'key' : 'keys'}`);
    replace(text, el('table', { class: 'keys' }, el('tbody', {}, found.map(([key, value]) =>
      el('tr', {}, el('th', { scope: 'row' }, el('code', { text: key })), el('td', {}, el('code', { text: value })))))));
  }

  function update(latest) {
    run = latest;
    replace(swaps, swapList(run));
    replace(served, servedBy(run));
    if (run.config !== shown) {
      shown = run.config;
      draw();
    }
  }

  update(first);
  return { update, close() {} };
}

function servedBy(run) {
  const bundles = run.served ?? [];
  if (bundles.length === 0) {
    return null;
  }
  return el('section', { class: 'panel' }, el('h2', { text: run.live ? 'Served by' : 'Was served by' }),
    el('ul', { class: 'bundles' }, bundles.map(line => el('li', {}, el('code', { text: line })))));
}
