// When the parts of an episode began and how long they took: a bar for each, below one another.
import { el } from '../dom.js';
import { seconds } from '../format.js';
import { line } from '../legible.js';
import { scroller, table } from '../parts.js';

const KINDS = ['queue', 'generate', 'chat', 'execute_tool', 'environment', 'reward'];

/** The table of `times`, closed at first; null without times. A part is [name, depth, begin ms, ms, waited for]. */
export function waterfall(times) {
  const parts = (Array.isArray(times) ? times : []).filter(isPart);
  if (parts.length < 2) {
    return null;
  }
  const whole = Math.max(...parts.map(([, , begun, took]) => begun + took), 1e-9);
  let turn = 0;
  let waited = null;
  const rows = parts.map(([name, depth, begun, took, other], index) => {
    const split = parts[index + 1]?.[1] > depth; // its parts are shown instead
    turn += name === 'turn' ? 1 : 0;
    waited = other ?? (name === 'queue' ? waited : null);
    return depth > 0 && name !== 'turn' && !(split && name.startsWith('chat ')) && el('tr', {},
      el('td', { class: 'num', text: turn > 0 ? String(turn) : '' }),
      el('th', { scope: 'row' }, el('bdi', { text: line(name, 60) }),
        name === 'queue' && waited && el('span', { class: 'muted', text: ` for ${line(waited, 60)}` })),
      el('td', { class: 'num', text: seconds(begun / 1000) }), el('td', { class: 'num', text: seconds(took / 1000) }),
      el('td', { class: 'span-track' }, el('span', { class: `span-bar ${KINDS.find(kind => name.startsWith(kind)) ?? ''}`,
        style: { left: `${(100 * begun) / whole}%`, width: `${(100 * took) / whole}%` } })));
  });
  return el('details', { class: 'more-facts' }, el('summary', { text: `Times, ${seconds(whole / 1000)} in total` }),
    scroller('Times of the episode', table({ class: 'waterfall', columns: ['Turn', 'Part', 'Began', 'Took', { text: 'Bar', unseen: true }] }, rows)));
}

function isPart(part) {
  return Array.isArray(part) && typeof part[0] === 'string' && part.slice(1, 4).every(Number.isFinite) && part.length > 3;
}
