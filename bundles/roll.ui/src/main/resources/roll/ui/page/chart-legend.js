// The names of a chart's lines: buttons that switch them off and on.
import { el, replace, setText } from './dom.js';
import { color } from './colors.js';

/**
 * A legend for more than one line. `toggle(label)` when one is switched, `bring(label or null)` when
 * the pointer or the focus is on one. Returns `{ node, set(lines, hidden), values(texts) }`.
 */
export function legend(toggle, bring) {
  const node = el('ul', { class: 'legend', 'aria-label': 'Lines' });
  let shown = '';
  let entries = [];

  function entry(line) {
    const swatch = el('span', { class: 'swatch' });
    const value = el('span', { class: 'value' });
    const button = el('button', {
      type: 'button', class: 'quiet', title: line.label, onclick: () => toggle(line.label),
      onpointerenter: () => bring(line.label), onpointerleave: () => bring(null),
      onfocus: event => event.target.matches(':focus-visible') && bring(line.label), onblur: () => bring(null),
    }, swatch, el('span', { class: 'name', text: line.label }), value);
    return { label: line.label, button, swatch, value, color: line.color };
  }

  return {
    node,
    set(lines, hidden) {
      const names = JSON.stringify(lines.map(line => line.label));
      if (names !== shown) { // the same buttons while the names are the same: the focus stays
        shown = names;
        entries = lines.map(entry);
        replace(node, entries.map(({ button }) => el('li', {}, button)));
      }
      node.hidden = lines.length < 2;
      entries.forEach((one, place) => {
        one.swatch.style.color = color(lines[place].color);
        one.swatch.classList.toggle('dashed', lines[place].dashed);
        one.button.setAttribute('aria-pressed', String(!hidden.has(one.label)));
      });
    },
    values(texts) {
      entries.forEach((one, place) => setText(one.value, texts[place]));
    },
  };
}
