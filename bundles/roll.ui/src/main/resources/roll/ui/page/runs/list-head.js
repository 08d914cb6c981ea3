// The headers of the list of runs, of its groups, and what it says when it is empty.
import { el } from '../dom.js';
import { plural } from '../format.js';
import { line } from '../legible.js';
import { unseen } from '../parts.js';
import { FIXED } from './list-layout.js';

const MAX = 40; // characters of a header

/** The cells of the header; their buttons call `sortBy(field)`. */
export function listHead({ columns, sort }, sortBy) {
  const head = (content, attributes = {}) => el('th', { scope: 'col', role: 'columnheader', ...attributes }, content);
  const by = ([field, text], kind = null) => {
    const order = sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : null;
    return head(el('button', { type: 'button', class: 'quiet sort', title: `Sort by ${line(text, MAX)}`, onclick: () => sortBy(field) }, line(text, MAX),
      order && el('span', { 'aria-hidden': 'true', text: order === 'ascending' ? ' ▲' : ' ▼' })), { class: kind, 'aria-sort': order });
  };
  const started = FIXED.at(-1);
  return [head(unseen('choose')), FIXED.slice(0, 3).map(one => by(one)), FIXED.slice(3, -1).map(one => by(one, 'number')),
    columns.map(field => by([field, field], 'number chosen')), head('score by step', { class: 'curve' }), by(started, 'began'), head(unseen('orders'))];
}

/** What runs can be grouped by: their state, tags, and the chosen columns. */
export function groupChoices({ columns, group }) {
  return [...new Set(['', 'state', 'tag', ...columns, group])]
    .map(field => el('option', { value: field, text: field === '' ? 'nothing' : line(field, MAX) }));
}

/** The row above a group of `many` runs. */
export function groupRow(value, many, columns) {
  return el('tr', { role: 'row', class: 'run-group' }, el('th', { role: 'rowheader', scope: 'rowgroup', colspan: Math.max(columns, 1) },
    el('bdi', { text: line(value ?? 'not set', 80) }), ' ', el('small', { text: plural(many, 'run') })));
}

/** What is shown where there are no runs. */
export function noRuns() {
  return [
    el('h2', { text: 'No runs yet' }),
    el('p', { text: 'Start one; it appears here:' }),
    el('p', {}, el('code', { text: 'roll train configs/frozen_lake.yaml --ui' })),
    el('p', {}, 'or in this shell: ', el('code', { text: 'train configs/frozen_lake.yaml &' })),
  ];
}
