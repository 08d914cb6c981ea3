// A curve in a table cell, with its band; its text alternative has the first and the last value.
import { svg } from './dom.js';
import { number } from './format.js';

const [WIDTH, HEIGHT, EDGE] = [120, 26, 3];

/** A curve of `{ step, min, max, mean }`, or null where it has fewer than two values. */
export function sparkline(label, { step, mean, min, max }) {
  const known = step.map((_, at) => at).filter(at => mean[at] !== null);
  if (known.length < 2) {
    return null;
  }
  const [first, last] = [known[0], known.at(-1)];
  const low = known.reduce((value, at) => Math.min(value, min[at] ?? mean[at]), Infinity);
  const high = known.reduce((value, at) => Math.max(value, max[at] ?? mean[at]), -Infinity);
  const x = at => EDGE + ((step[at] - step[first]) / (step[last] - step[first] || 1)) * (WIDTH - 2 * EDGE);
  const y = value => HEIGHT - EDGE - ((value - low) / (high - low || 1)) * (HEIGHT - 2 * EDGE);
  const path = (points, values) => points.map(at => `${x(at).toFixed(1)} ${y(values[at] ?? mean[at]).toFixed(1)}`).join('L');
  return svg('svg', { class: 'spark', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img',
    'aria-label': `${label} from ${number(mean[first])} to ${number(mean[last])}, min ${number(low)}, max ${number(high)}` },
  svg('path', { class: 'range', d: `M${path(known, max)}L${path(known.toReversed(), min)}Z` }),
  svg('path', { d: `M${path(known, mean)}` }),
  svg('circle', { cx: x(last), cy: y(mean[last]), r: 2 }));
}
