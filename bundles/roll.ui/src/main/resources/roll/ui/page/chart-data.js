// From the series of the server to the columns of uPlot, and to a summary and a table in text.
import uPlot from '/lib/uPlot.esm.js';
import { el, replace } from './dom.js';
import { number, seconds, timeOfDay } from './format.js';
import { scroller, table } from './parts.js';

const ROWS = 60;

/**
 * The columns of `series` over `x` ('step' or 'seconds'): `{ xs, steps, lines: [{ mean, smooth, min,
 * max }] }`; `smooth` is null unless asked for, `min` and `max` are null where a series has no band.
 * Columns have `undefined` where a series has no point, so that its line continues, and null where a value is
 * missing; with `log` also in place of values that have no logarithm.
 */
export function columns(series, x, smooth, log) {
  if (series.length === 0) {
    return { xs: [], steps: [], lines: [] };
  }
  const shown = values => (log ? values.map(value => (value > 0 ? value : null)) : values);
  const [xs, ...all] = uPlot.join(series.map(one => [one[x] ?? one.step, one.step, shown(one.mean),
    shown(smooth > 0 ? smoothed(one.mean, smooth) : one.mean), shown(one.min ?? one.mean), shown(one.max ?? one.mean)]));
  const lines = series.map((one, index) => {
    const [mean, smoothMean, min, max] = all.slice(5 * index + 1, 5 * index + 5);
    const banded = one.min && one.max && one.max.some((value, at) => value !== one.min[at]);
    return { mean, smooth: smooth > 0 ? smoothMean : null, min: banded ? min : null, max: banded ? max : null };
  });
  const steps = xs.map((_, at) => series.map((_one, index) => all[5 * index][at]).find(step => step !== undefined) ?? null);
  return { xs, steps, lines };
}

/** The exponential moving average of `values` with bias correction as in Adam (Kingma & Ba 2015, section 3); null stays null. */
export function smoothed(values, weight) {
  let [sum, norm] = [0, 0];
  return values.map(value => {
    if (value === null) {
      return null;
    }
    sum = weight * sum + (1 - weight) * value;
    norm = weight * norm + (1 - weight);
    return sum / norm;
  });
}

/** The position of a point: its step, or its time of day. */
export function positionOf(step, x) {
  return x === 'clock' ? timeOfDay(step) : `step ${step}`;
}

/** The last value that is not missing, or null. */
export function last(values) {
  return values.findLast(value => value !== null && value !== undefined) ?? null;
}

/** One sentence for each series, with first, last, min and max, and for each mark. */
export function summary(label, series, { x, format = number, marks }) {
  const sentences = series.map(one => {
    const points = one.mean.map((value, index) => [value, one.step[index]]).filter(([value]) => value !== null);
    if (points.length === 0) {
      return `${one.label}: no values.`;
    }
    const at = ([value, step]) => `${format(value)} at ${positionOf(step, x)}`;
    const [min, max] = [Math.min, Math.max].map(limit => points.map(([value]) => value).reduce((a, b) => limit(a, b)));
    return `${one.label}: ${at(points[0])}, ${at(points.at(-1))}, min ${format(min)}, max ${format(max)}.`;
  });
  const marked = marks.map(mark => `At step ${mark.step}: ${mark.label}.`);
  return `${label}. ${[...sentences, ...marked].join(' ')}`;
}

/** A closed <details> whose table is made when it is opened; `refresh()` makes it again. */
export function numbers(label, series, x) {
  const content = scroller(`${label}, table`);
  const node = el('details', { class: 'chart-table' }, el('summary', { text: 'Table' }), content);
  const refresh = () => node.open && replace(content, rows(series(), x()));
  node.addEventListener('toggle', refresh);
  return { node, refresh };
}

function rows(series, x) {
  const steps = [...new Set(series.flatMap(one => one.step))].sort((a, b) => a - b);
  const shown = steps.length <= ROWS ? steps
    : Array.from({ length: ROWS }, (_, row) => steps[Math.round((row * (steps.length - 1)) / (ROWS - 1))]);
  const index = series.map(one => new Map(one.step.map((step, at) => [step, at])));
  const timeOf = step => series.map((one, n) => one.seconds?.[index[n].get(step)]).find(value => value !== undefined);
  const caption = shown.length < steps.length ? `${shown.length} of ${steps.length} points, [min, max]` : 'all points';
  return table({
    class: 'numbers', caption: el('caption', { text: caption }),
    columns: [x === 'clock' ? 'time' : 'step', ...(x === 'seconds' ? ['time'] : []), ...series.map(one => one.label)],
  }, shown.map(step => el('tr', {}, el('th', { scope: 'row', text: x === 'clock' ? timeOfDay(step) : step }),
    x === 'seconds' && el('td', { text: seconds(timeOf(step)) }),
    series.map((one, n) => el('td', { text: cell(one, index[n].get(step)) })))));
}

function cell(one, index) {
  if (index === undefined) {
    return '';
  }
  const [min, max] = [one.min?.[index] ?? null, one.max?.[index] ?? null];
  const mean = number(one.mean[index]);
  return min === max ? mean : `${mean} [${number(min)}, ${number(max)}]`;
}
