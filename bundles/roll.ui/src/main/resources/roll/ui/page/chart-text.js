// What a chart shows, as text: a summary to be read out, and a table.
import { el, replace } from './dom.js';
import { number, seconds, timeOfDay } from './format.js';

const ROWS = 60;

/** Where a point is: its step, or its time of day. */
export function placeOf(step, x) {
  return x === 'clock' ? timeOfDay(step) : `step ${step}`;
}

/** One sentence for each series, first, last, least and most, and what is marked. */
export function summary(label, series, { x, format = number, marks }) {
  const sentences = series.map(one => {
    const at = one.mean.map((value, index) => [value, one.step[index]]).filter(([value]) => value !== null);
    if (at.length === 0) {
      return `${one.label}: no values.`;
    }
    const values = at.map(([value]) => value);
    const [first, last] = [at[0], at[at.length - 1]];
    return `${one.label}: ${format(first[0])} at ${placeOf(first[1], x)}, ${format(last[0])} at ${placeOf(last[1], x)}, `
      + `least ${format(least(values))}, most ${format(most(values))}.`;
  });
  const marked = marks.map(mark => `At step ${mark.step}: ${mark.label}.`);
  return `${label}. ${[...sentences, ...marked].join(' ')}`;
}

/** A closed <details> whose table is made when it is opened; `fresh()` makes it anew. */
export function table(label, series, x) {
  const place = el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `${label}, table` });
  const details = el('details', { class: 'chart-table' }, el('summary', { text: 'Table' }), place);
  const fresh = () => details.open && replace(place, rows(series(), x()));
  details.addEventListener('toggle', fresh);
  return { node: details, fresh };
}

function rows(series, x) {
  const steps = [...new Set(series.flatMap(one => one.step))].sort((a, b) => a - b);
  const shown = evenly(steps, ROWS);
  const found = series.map(one => new Map(one.step.map((step, index) => [step, index])));
  const head = el('tr', {}, el('th', { scope: 'col', text: x === 'clock' ? 'time' : 'step' }),
    x === 'seconds' && el('th', { scope: 'col', text: 'time' }),
    series.map(one => el('th', { scope: 'col', text: one.label })));
  const body = shown.map(step => el('tr', {}, el('th', { scope: 'row', text: x === 'clock' ? timeOfDay(step) : step }),
    x === 'seconds' && el('td', { text: seconds(timeOf(series, found, step)) }),
    series.map((one, place) => el('td', { text: cell(one, found[place].get(step)) }))));
  return el('table', { class: 'numbers' },
    el('caption', { text: shown.length < steps.length ? `${shown.length} of ${steps.length} points; least to most of each in brackets` : 'all points' }),
    el('thead', {}, head), el('tbody', {}, body));
}

function cell(one, index) {
  if (index === undefined) {
    return '';
  }
  const [low, high] = [one.min?.[index], one.max?.[index]];
  const mean = number(one.mean[index]);
  return low === high || low === undefined || low === null ? mean : `${mean} (${number(low)} to ${number(high)})`;
}

function timeOf(series, found, step) {
  for (const [place, one] of series.entries()) {
    const index = found[place].get(step);
    if (index !== undefined && one.seconds) {
      return one.seconds[index];
    }
  }
  return null;
}

function evenly(values, most) {
  if (values.length <= most) {
    return values;
  }
  return Array.from({ length: most }, (_, place) => values[Math.round((place * (values.length - 1)) / (most - 1))]);
}

function least(values) {
  return values.reduce((a, b) => Math.min(a, b));
}

function most(values) {
  return values.reduce((a, b) => Math.max(a, b));
}
