// What the list of runs shows and in which order: in the link, and kept in the browser for links without it.
import { HEADLINES, headline } from './metrics.js';

const KEPT = 'roll-runs';
const KEYS = ['columns', 'sort', 'group'];

/** Columns that every list has: name in a link, its header, and the value to sort by. */
export const FIXED = [
  ['name', 'run', run => run.name], ['state', 'state', run => run.state], ['step', 'step', run => run.step],
  ...HEADLINES.map(one => [one.label.replace(' ', '_'), one.label, run => headline(run, one)]),
  ['started', 'started', run => run.started ?? run.updated],
];

/** The layout of a link, or the one kept: `{ columns: [field], sort, group }`. */
export function layoutOf(query) {
  const inLink = KEYS.some(key => query.has(key));
  const kept = inLink ? {} : read();
  const text = key => query.get(key) ?? kept[key] ?? '';
  return { columns: text('columns').split(',').filter(Boolean), sort: text('sort'), group: text('group') };
}

/** A layout as the values of a link. */
export function linkOf({ columns, sort, group }) {
  return { columns: columns.join(','), sort, group };
}

/** Keeps a layout in the browser. */
export function keep(layout) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(linkOf(layout)));
  } catch {
    // not allowed here: the link has it
  }
}

function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? '{}');
    return Object.fromEntries(KEYS.filter(key => typeof kept?.[key] === 'string').map(key => [key, kept[key]]));
  } catch {
    return {};
  }
}

/** The value of `run` in the column `field`: a number, a text or null. */
export function valueOf(run, field) {
  const fixed = FIXED.find(([name]) => name === field);
  const value = fixed ? fixed[2](run) : field === 'tag' ? run.tags?.join(', ') || null : run.columns?.[field];
  return value ?? null;
}

/** `runs` in the order `sort`, a field after '-' for descending; missing values last; '' leaves them as they are. */
export function sorted(runs, sort) {
  const field = sort.replace(/^-/, '');
  const sign = sort.startsWith('-') ? -1 : 1;
  return sort === '' ? runs : runs.toSorted((a, b) => compare(valueOf(a, field), valueOf(b, field), sign));
}

/** `runs` by their value of `field`: pairs of the value and the runs, in the order of the values. */
export function grouped(runs, field) {
  const groups = Map.groupBy(runs, run => valueOf(run, field));
  return [...groups].sort(([a], [b]) => compare(a, b, 1));
}

function compare(a, b, sign) {
  if (a === null || b === null) {
    return (a === null) - (b === null);
  }
  const [x, y] = [a, b].map(Number);
  const order = Number.isNaN(x) || Number.isNaN(y) ? String(a).localeCompare(String(b), 'en', { numeric: true }) : x - y;
  return sign * order;
}
