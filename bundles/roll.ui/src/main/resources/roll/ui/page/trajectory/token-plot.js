// The log-probs of a sequence along its tokens: a stem for each, the min where several share a
// column. The tokens show the same as text, so it is hidden from screen readers.
import { el, svg } from '../dom.js';
import { COLORINGS, kindOf, valueOf } from './token-data.js';

const MAX_COLUMNS = 600;
const [WIDTH, HEIGHT] = [2, 60];
const LOWEST = -10;

/** A plot of `sequence`; calls `onPick(index)` for the token under the pointer. Returns the node and `mark(index)`. */
export function tokenPlot(sequence, onPick) {
  const { length } = sequence.tokens;
  const size = Math.min(length, MAX_COLUMNS);
  const columnOf = index => Math.floor((index * size) / length);
  const columns = Array.from({ length: size }, () => ({ min: null, context: true }));
  let bottom = -0.1;
  for (let index = 0; index < length; index++) {
    const column = columns[columnOf(index)];
    const value = valueOf(COLORINGS[0], sequence, index);
    column.context &&= kindOf(sequence, index) === 'context';
    if (value !== null) {
      column.min = Math.min(column.min ?? 0, value);
      bottom = Math.min(bottom, Math.max(value, LOWEST));
    }
  }
  const path = draw => columns.map(draw).join('');
  const stem = ({ min }, at) => (min === null ? '' : `M${at * WIDTH + 1} 0V${Math.max(1, (Math.max(min, bottom) / bottom) * HEIGHT).toFixed(1)}`);
  const cursor = svg('path', { class: 'plot-cursor', 'vector-effect': 'non-scaling-stroke' });
  const drawing = svg('svg', { viewBox: `0 0 ${size * WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', focusable: 'false' },
    svg('path', { class: 'plot-context', d: path(({ context }, at) => (context ? `M${at * WIDTH} 0h${WIDTH}v${HEIGHT}h-${WIDTH}z` : '')) }),
    svg('path', { class: 'plot-stems', d: path(stem), 'vector-effect': 'non-scaling-stroke' }), cursor);

  function pick(event) {
    const { left, width } = drawing.getBoundingClientRect();
    onPick(Math.floor(Math.min(Math.max((event.clientX - left) / width, 0), 0.999999) * length));
  }
  drawing.onpointerdown = pick;
  drawing.onpointermove = event => event.buttons === 1 && pick(event);

  return {
    node: el('div', { class: 'token-plot', 'aria-hidden': 'true' }, drawing,
      el('span', { class: 'plot-top', text: '0' }), el('span', { class: 'plot-bottom', text: `−${Math.abs(bottom).toFixed(bottom > -1 ? 2 : 1)}` })),
    mark: index => cursor.setAttribute('d', `M${columnOf(index) * WIDTH + 1} 0V${HEIGHT}`),
  };
}
