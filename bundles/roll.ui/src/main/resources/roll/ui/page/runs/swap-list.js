// What was swapped in a run, and when.
import { el } from '../dom.js';
import { moment } from '../format.js';

/** A panel, or null where nothing was swapped. */
export function swapList(run) {
  const swaps = run.swaps ?? [];
  if (swaps.length === 0) {
    return null;
  }
  return el('section', { class: 'panel' },
    el('h2', {}, 'Swapped ', el('small', { text: 'dashed lines in the curves' })),
    el('table', { class: 'swaps' },
      el('thead', {}, el('tr', {}, ['from step', 'at', 'what'].map((text, place) => el('th', { scope: 'col', class: place === 0 ? 'number' : null, text })))),
      el('tbody', {}, swaps.map(swap => el('tr', {},
        el('td', { class: 'number', text: swap.step ?? '–' }),
        el('td', { class: 'muted', text: moment(swap.time) }),
        el('td', { text: swap.line }))))));
}
