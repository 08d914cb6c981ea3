// The choice of columns: keys of configurations, metrics, and the least or greatest value of a metric.
import { get } from '../api.js';
import { el, replace, setText } from '../dom.js';
import { line } from '../legible.js';
import { ask } from '../parts.js';

const SHOWN = 200;
const AGAIN_MS = 500;

/** Asks for columns, beginning with `chosen`; returns those chosen then, or null. */
export async function chooseColumns(chosen) {
  const columns = new Set(chosen);
  const search = el('input', { type: 'search', placeholder: 'learning_rate, val/', oninput: draw });
  const list = el('ul', { class: 'fields' });
  const status = el('small', { role: 'status' });
  let fields = [];
  let timer = null;

  async function load() {
    const { keys, metrics, complete } = await get('/api/fields');
    fields = [...keys, ...metrics.flatMap(name => [name.includes('/') ? name : `last(${name})`, `max(${name})`, `min(${name})`])];
    timer = complete ? null : setTimeout(() => load().catch(() => {}), AGAIN_MS); // long files are still being read
    draw();
  }

  function draw() {
    const word = search.value.trim().toLowerCase();
    const found = fields.filter(field => !columns.has(field) && field.toLowerCase().includes(word) && !field.includes(','));
    found.sort((a, b) => b.toLowerCase().startsWith(word) - a.toLowerCase().startsWith(word));
    replace(list, [...columns, ...found.slice(0, SHOWN)].map(field => el('li', {}, el('label', {},
      el('input', { type: 'checkbox', checked: columns.has(field), onchange: event => (event.target.checked ? columns.add(field) : columns.delete(field)) }),
      el('code', { text: line(field, 120) })))));
    setText(status, found.length > SHOWN ? `${SHOWN} of ${found.length} are shown` : '');
  }

  const content = el('div', { class: 'field-choice' }, el('label', { class: 'field' }, 'Find', search), status,
    el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Keys and metrics' }, list));
  draw();
  load().catch(error => setText(status, error.message));
  const taken = await ask({ title: 'Columns', content, action: 'Show', act: async () => [...columns], focus: search });
  clearTimeout(timer);
  return taken;
}
