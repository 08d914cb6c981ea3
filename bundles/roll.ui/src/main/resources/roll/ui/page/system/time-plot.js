// Lines over the time of day, small: a drawing, the value at a moment, and the same as a list.
import { el, replace, setText, svg } from '../dom.js';
import { megabytes } from '../format.js';
import { lineColor } from '../colors.js';

const HOUR = 3_600_000;
const HEIGHT = 132;
const WIDTH = 1000;

/** A plot of megabytes; returns the root and `set(lines, times)`: values by time, null where there is none. */
export function timePlot(label) {
  const drawing = svg('svg', { class: 'time-lines', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true', focusable: 'false' });
  const cursor = el('span', { class: 'time-cursor', hidden: true });
  const when = el('output', { class: 'readout', 'aria-live': 'off' });
  const top = el('span', { class: 'axis-most', 'aria-hidden': 'true' });
  const starts = el('span', { 'aria-hidden': 'true' });
  const list = el('ul', { class: 'legend' });
  const plane = el('div', {
    class: 'time-plane', tabindex: '0', role: 'group', 'aria-roledescription': 'chart',
    onpointermove: point, onpointerleave: leave, onblur: leave, onkeydown: key,
  }, drawing, cursor, top);
  const root = el('figure', { class: 'chart time-plot' },
    el('figcaption', {}, el('h2', { text: label }), when), list, plane,
    el('div', { class: 'time-axis', 'aria-hidden': 'true' }, starts, el('span', { text: 'now' })));
  let lines = [];
  let times = [];
  let place = null;

  function set(given, at) {
    lines = given.map((one, index) => ({ ...one, color: `var(${lineColor(index)})` }));
    times = at;
    const end = times.at(-1) ?? Date.now();
    const from = Math.max(end - HOUR, times[0] ?? end);
    const most = Math.max(1, ...lines.flatMap(one => one.values.filter(Number.isFinite)));
    const bound = niceAbove(most);
    setText(top, megabytes(bound));
    setText(starts, end - from < 60_000 ? 'a moment ago' : `${Math.round((end - from) / 60_000)} min ago`);
    replace(drawing, [0.25, 0.5, 0.75].map(part => svg('path', { class: 'grid', d: `M0 ${HEIGHT * part}H${WIDTH}`, 'vector-effect': 'non-scaling-stroke' })),
      lines.map(one => path(one, from, end, bound)));
    plane.setAttribute('aria-label', `${label}: ${lines.map(one => `${one.label} ${megabytes(last(one.values))}`).join(', ')}. Arrow keys read earlier values.`);
    read();
  }

  function path({ values, color }, from, end, bound) {
    const span = Math.max(1, end - from);
    let d = '';
    let pen = false;
    values.forEach((value, index) => {
      const here = value !== null && value !== undefined;
      if (here) {
        const x = times.length === 1 ? WIDTH : ((times[index] - from) / span) * WIDTH;
        d += `${pen ? 'L' : 'M'}${x.toFixed(1)} ${(HEIGHT - (value / bound) * HEIGHT).toFixed(1)}${pen ? '' : 'h0'}`;
      }
      pen = here;
    });
    const drawn = svg('path', { d, 'vector-effect': 'non-scaling-stroke' });
    drawn.style.stroke = color;
    return drawn;
  }

  function read() {
    const shown = place ?? times.length - 1;
    replace(list, lines.map(one => {
      const swatch = el('span', { class: 'swatch' });
      swatch.style.background = one.color;
      const value = one.values[shown];
      return el('li', {}, swatch, el('span', { class: 'name', text: one.label }), el('span', { class: 'value num', text: megabytes(value ?? null) }));
    }));
    setText(when, place === null ? '' : new Date(times[place]).toLocaleTimeString('en-GB'));
    cursor.hidden = place === null;
    if (place !== null) {
      const [from, end] = [times[0], times.at(-1)];
      cursor.style.left = `${end === from ? 100 : (100 * (times[place] - from)) / (end - from)}%`;
    }
  }

  function point(event) {
    const box = plane.getBoundingClientRect();
    const at = times[0] + ((event.clientX - box.left) / box.width) * (times.at(-1) - times[0]);
    place = nearest(at);
    read();
  }

  function nearest(at) {
    const after = times.findIndex(time => time >= at);
    const next = after < 0 ? times.length - 1 : after;
    return next > 0 && at - times[next - 1] < times[next] - at ? next - 1 : next;
  }

  function key(event) {
    const now = place ?? times.length;
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: times.length - 1 }[event.key];
    if (to === undefined || times.length === 0) {
      return;
    }
    event.preventDefault();
    place = Math.min(Math.max(to, 0), times.length - 1);
    when.setAttribute('aria-live', 'polite');
    read();
    setText(when, `${when.textContent}  ${lines.map(one => `${one.label} ${megabytes(one.values[place] ?? null)}`).join(', ')}`);
  }

  function leave() {
    place = null;
    when.setAttribute('aria-live', 'off');
    read();
  }

  return { root, set };
}

/** The next of 1, 2, 2.5, 5 and 10 times a power of ten at or above `most`, a little room included. */
function niceAbove(most) {
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 2.5, 5, 10].map(step => step * power).find(step => step >= most * 1.02) ?? 10 * power;
}

function last(values) {
  return values.findLast(value => value !== null && value !== undefined) ?? null;
}
