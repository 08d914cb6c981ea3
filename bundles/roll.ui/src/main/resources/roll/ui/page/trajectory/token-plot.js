// The log-probs of a sequence along its tokens: a stem for each, the least where several share a
// place. The tokens themselves say the same in words, so it is hidden from screen readers.
import { el, svg } from '../dom.js';
import { WAYS, kindOf, valueOf } from './token-colors.js';

const PLACES = 600;
const HEIGHT = 60;
const DEEPEST = -10;
const [LOG_PROB] = WAYS;

/**
 * A plot of `sequence`; `onPick(index)` is called where a token is pointed at. Returns the root and
 * `mark(index)`.
 */
export function tokenPlot(sequence, onPick) {
  const length = sequence.tokens.length;
  const places = Math.min(length, PLACES);
  const placeOf = index => Math.floor((index * places) / length);
  const { least, given, bottom } = stems(sequence, places, placeOf);
  const width = 2;
  const stemPath = [];
  least.forEach((value, place) => {
    if (value !== null) {
      const depth = Math.max(1, (Math.max(value, bottom) / bottom) * HEIGHT);
      stemPath.push(`M${place * width + width / 2} 0V${depth.toFixed(1)}`);
    }
  });
  const givenPath = given.map((is, place) => (is ? `M${place * width} 0h${width}v${HEIGHT}h-${width}z` : '')).join('');
  const cursor = svg('path', { class: 'plot-cursor', 'vector-effect': 'non-scaling-stroke' });
  const drawing = svg('svg', { viewBox: `0 0 ${places * width} ${HEIGHT}`, preserveAspectRatio: 'none', focusable: 'false' },
    svg('path', { class: 'plot-given', d: givenPath }),
    svg('path', { class: 'plot-stems', d: stemPath.join(''), 'vector-effect': 'non-scaling-stroke' }),
    cursor);
  const root = el('div', { class: 'token-plot', 'aria-hidden': 'true' },
    drawing,
    el('span', { class: 'plot-top', text: '0' }),
    el('span', { class: 'plot-bottom', text: `−${Math.abs(bottom).toFixed(bottom > -1 ? 2 : 1)}` }));

  function point(event) {
    const box = drawing.getBoundingClientRect();
    const part = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 0.999999);
    onPick(Math.floor(part * length));
  }
  drawing.addEventListener('pointerdown', point);
  drawing.addEventListener('pointermove', event => event.buttons === 1 && point(event));

  return {
    root,
    mark(index) {
      const x = placeOf(index) * width + width / 2;
      cursor.setAttribute('d', `M${x} 0V${HEIGHT}`);
    },
  };
}

function stems(sequence, places, placeOf) {
  const least = new Array(places).fill(null);
  const given = new Array(places).fill(true);
  let bottom = -0.1;
  for (let index = 0; index < sequence.tokens.length; index++) {
    const place = placeOf(index);
    given[place] &&= kindOf(sequence, index) === 'given';
    const value = valueOf(LOG_PROB, sequence, index);
    if (value !== null) {
      least[place] = Math.min(least[place] ?? 0, value);
      bottom = Math.min(bottom, Math.max(value, DEEPEST));
    }
  }
  return { least, given, bottom };
}
