// A curve in a table's cell, with its band; its text alternative says where it begins and ends.
import { svg } from './dom.js';
import { number } from './format.js';

const WIDTH = 120;
const HEIGHT = 26;
const EDGE = 3;

/** A curve of `{ step, min, max, mean }`, or null where it has fewer than two values. */
export function sparkline(label, series) {
  const points = series.step
    .map((step, index) => ({ step, mean: series.mean[index], min: series.min[index], max: series.max[index] }))
    .filter(point => point.mean !== null);
  if (points.length < 2) {
    return null;
  }
  const [first, last] = [points[0], points[points.length - 1]];
  const low = points.reduce((least, point) => Math.min(least, point.min ?? point.mean), Infinity);
  const high = points.reduce((most, point) => Math.max(most, point.max ?? point.mean), -Infinity);
  const x = point => round(EDGE + ((point.step - first.step) / (last.step - first.step || 1)) * (WIDTH - 2 * EDGE));
  const y = value => round(HEIGHT - EDGE - ((value - low) / (high - low || 1)) * (HEIGHT - 2 * EDGE));
  const line = points.map(point => `${x(point)} ${y(point.mean)}`).join('L');
  const above = points.map(point => `${x(point)} ${y(point.max ?? point.mean)}`);
  const below = points.map(point => `${x(point)} ${y(point.min ?? point.mean)}`).reverse();
  return svg('svg', { class: 'spark', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img',
    'aria-label': `${label} from ${number(first.mean)} to ${number(last.mean)}, least ${number(low)}, most ${number(high)}` },
  svg('path', { class: 'range', d: `M${[...above, ...below].join('L')}Z` }),
  svg('path', { d: `M${line}` }),
  svg('circle', { cx: x(last), cy: y(last.mean), r: 2 }));
}

function round(value) {
  return Math.round(value * 10) / 10;
}
