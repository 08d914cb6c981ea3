// The end of run.log, and the configuration of a run with its swaps and plugins.
import { get } from '../api.js';
import { el, replace, setText } from '../dom.js';
import { plural } from '../format.js';
import { scroller, table } from '../parts.js';
import { swapList } from './run-parts.js';

const INTERVAL_MS = 2000;
const SIZES = [200, 1000, 5000];
const BAD = /\b(ERROR|SEVERE|failed|Exception|OutOfMemoryError)\b|^\s+at |^Caused by/;
const WARN = /\b(WARN(ING)?|notice|waiting|refused)\b/;

/** The tab of the log: `{ update(run), close() }`. */
export function runLog(panel, { run }) {
  let lines = [];
  let timer = null;
  const pre = el('pre', { class: 'code log', tabindex: 0, role: 'region', 'aria-label': 'Log' });
  const filter = el('input', { type: 'search', placeholder: 'phase train', oninput: draw });
  const size = el('select', { 'aria-label': 'Number of lines', onchange: read }, SIZES.map(value => el('option', { value, text: `last ${value}` })));
  const follow = el('input', { type: 'checkbox', checked: true, onchange: draw });
  const status = el('small', { role: 'status' });
  replace(panel,
    el('div', { class: 'controls' }, el('label', { class: 'field' }, 'Only lines with', filter), size,
      el('label', { class: 'field' }, follow, 'Follow'), status), pre);
  pre.addEventListener('wheel', event => follow.checked &&= event.deltaY >= 0, { passive: true });

  async function read() {
    try {
      ({ lines } = await get(`/api/runs/${run.id}/log`, { lines: size.value }));
      draw();
    } catch (error) {
      setText(status, error.message);
    }
  }

  function draw() {
    const word = filter.value.toLowerCase();
    const shown = lines.filter(line => line.toLowerCase().includes(word));
    setText(status, lines.length === 0 ? 'The log is empty.' : word === '' ? '' : plural(shown.length, 'line'));
    replace(pre, shown.map(line => el('span', { class: BAD.test(line) ? 'bad' : WARN.test(line) ? 'warn' : null, text: `${line}\n` })));
    if (follow.checked) {
      pre.scrollTop = pre.scrollHeight;
    }
  }

  read();
  return {
    update() {
      timer ??= setTimeout(() => {
        timer = null;
        read();
      }, INTERVAL_MS);
    },
    close: () => clearTimeout(timer),
  };
}

/** The tab of the configuration: `{ update(run), close() }`. */
export function runConfig(panel, { run: first }) {
  let run = first;
  let shown = null;
  const filter = el('input', { type: 'search', placeholder: 'learning_rate', oninput: draw });
  const status = el('small', { role: 'status' });
  const text = el('div');
  const beside = el('div');
  replace(panel, el('div', { class: 'sides' },
    el('section', {},
      el('div', { class: 'controls' }, el('h2', { text: 'config.yaml' }), el('label', { class: 'field' }, 'Find a key', filter), status), text),
    beside));

  function draw() {
    const word = filter.value.trim().toLowerCase();
    const found = Object.entries(run.keys).filter(([key, value]) => `${key} ${value}`.toLowerCase().includes(word));
    setText(status, word === '' ? '' : plural(found.length, 'key'));
    replace(text, !run.config ? el('p', { class: 'nothing', text: 'This folder has no config.yaml.' })
      : word === '' ? el('pre', { class: 'code', tabindex: 0, role: 'region', 'aria-label': 'config.yaml', text: run.config })
        : table({ class: 'keys' }, found.map(([key, value]) =>
          el('tr', {}, el('th', { scope: 'row' }, el('code', { text: key })), el('td', {}, el('code', { text: value }))))));
  }

  function update(latest) {
    run = latest;
    replace(beside, swapList(run), plugins(run.served));
    if (run.config !== shown) {
      shown = run.config;
      draw();
    }
  }

  update(first);
  return { update, close() {} };
}

/** A panel with the keys that differ between the configurations of `runs`; null for less than two. */
export function differencesPanel(runs) {
  const known = runs.filter(run => run.config);
  if (known.length < 2) {
    return null;
  }
  const names = new Set(known.flatMap(run => Object.keys(run.keys)));
  const found = [...names].map(key => [key, known.map(run => run.keys[key] ?? null)]).filter(([, values]) => values.some(value => value !== values[0]));
  const cell = value => (value === null ? el('td', { class: 'muted', text: 'not set' }) : el('td', {}, el('code', { text: value, title: value })));
  return el('section', { class: 'panel' },
    el('h2', {}, 'Configurations ', el('small', { text: found.length === 0 ? '' : `${plural(found.length, 'key')} differ` })),
    found.length === 0 ? el('p', { class: 'nothing', text: 'No key differs.' })
      : scroller('Keys that differ', table({ class: 'differences', columns: ['key', ...known.map(run => run.name)] },
        found.map(([key, values]) => el('tr', {}, el('th', { scope: 'row' }, el('code', { text: key })), values.map(cell))))));
}

function plugins(served) {
  return served.length === 0 ? null : el('section', { class: 'panel' }, el('h2', { text: 'Plugins used' }),
    el('ul', { class: 'bundles' }, served.map(line => el('li', {}, el('code', { text: line })))));
}
