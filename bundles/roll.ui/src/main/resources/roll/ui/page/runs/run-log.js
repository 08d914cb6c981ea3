// The end of run.log.
import { get, withQuery } from '../api.js';
import { el, replace, setText } from '../dom.js';

const BETWEEN = 2000;
const CHOICES = [200, 1000, 5000];
const BAD = /\b(ERROR|SEVERE|failed|Exception|OutOfMemoryError)\b|^\s+at |^Caused by/;
const WARN = /\b(WARN(ING)?|notice|waiting|refused)\b/;

/** Returns `{ update(run), close() }`. */
export function runLog(panel, { run }) {
  let lines = [];
  let busy = false;
  let timer = null;
  const pre = el('pre', { class: 'code log', tabindex: 0, role: 'region', 'aria-label': 'Log' });
  const filter = el('input', { type: 'search', placeholder: 'phase train', 'aria-label': 'Only lines with', oninput: draw });
  const many = el('select', { 'aria-label': 'How many lines', onchange: read }, CHOICES.map(value => el('option', { value, text: `last ${value}` })));
  const follow = el('input', { type: 'checkbox', checked: true, onchange: () => follow.checked && toEnd() });
  const said = el('small', { role: 'status' });
  replace(panel,
    el('div', { class: 'controls' }, el('label', { class: 'field' }, 'Only lines with', filter), many,
      el('label', { class: 'field' }, follow, 'Follow'), said), pre);
  pre.addEventListener('wheel', event => {
    if (event.deltaY < 0) {
      follow.checked = false;
    }
  }, { passive: true });

  async function read() {
    if (busy) {
      return;
    }
    busy = true;
    try {
      const answer = await get(withQuery(`/api/runs/${run.id}/log`, { lines: many.value }));
      lines = answer.lines;
      draw();
    } catch (error) {
      setText(said, error.message);
    } finally {
      busy = false;
    }
  }

  function draw() {
    const word = filter.value.toLowerCase();
    const shown = word === '' ? lines : lines.filter(line => line.toLowerCase().includes(word));
    const size = `${shown.length} ${shown.length === 1 ? 'line' : 'lines'}`;
    setText(said, lines.length === 0 ? 'The log is empty.' : word === '' ? '' : size);
    replace(pre, shown.map(line => el('span', { class: classOf(line), text: `${line}\n` })));
    if (follow.checked) {
      toEnd();
    }
  }

  function toEnd() {
    pre.scrollTop = pre.scrollHeight;
  }

  read();
  return {
    update() {
      timer ??= setTimeout(() => {
        timer = null;
        read();
      }, BETWEEN);
    },
    close: () => clearTimeout(timer),
  };
}

function classOf(line) {
  return BAD.test(line) ? 'bad' : WARN.test(line) ? 'warn' : null;
}
