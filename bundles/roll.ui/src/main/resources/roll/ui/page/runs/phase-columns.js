// A column for each step, cut into its phases: a click or the arrow keys choose a step.
import { el, replace, setText, svg } from '../dom.js';
import { seconds } from '../format.js';

const HEIGHT = 150;
const WIDE = 14;
const FOOT = 18;
const TALL = 3; // columns above so many medians are cut, so that the others can be seen

/** Returns `{ node, set(steps, names, colors, chosen) }`; `onChoose(step)`. */
export function phaseColumns(onChoose) {
  const drawing = el('div', { class: 'columns', tabindex: 0, role: 'slider', 'aria-label': 'Step whose phases are shown' });
  const note = el('p', { class: 'muted cut' });
  let steps = [];
  let chosen = null;
  drawing.addEventListener('keydown', event => {
    const place = steps.findIndex(one => one.step === chosen);
    const to = { ArrowLeft: place - 1, ArrowDown: place - 1, ArrowRight: place + 1, ArrowUp: place + 1, Home: 0, End: steps.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      onChoose(steps[Math.min(steps.length - 1, Math.max(0, to))].step);
    }
  });
  drawing.addEventListener('click', event => {
    const box = drawing.firstChild.getBoundingClientRect();
    const place = Math.floor(((event.clientX - box.left) / box.width) * (steps.length + 1));
    if (steps[place]) {
      onChoose(steps[place].step);
    }
  });

  function set(latest, names, colors, current) {
    steps = latest;
    chosen = current;
    const top = topOf(steps);
    const width = steps.length * WIDE + WIDE;
    const scale = value => (Math.min(value, top) / top) * (HEIGHT - 8);
    const paths = names.map(name => {
      const path = svg('path', { d: pathOf(steps, names, name, scale, top) });
      path.style.fill = `var(${colors.get(name)})`;
      return path;
    });
    const place = steps.findIndex(one => one.step === current);
    const picture = svg('svg', { viewBox: `0 0 ${width} ${HEIGHT + FOOT}`, 'aria-hidden': 'true' },
      svg('rect', { class: 'chosen', x: place * WIDE, y: 0, width: WIDE, height: HEIGHT + FOOT }),
      svg('line', { class: 'base', x1: 0, x2: width, y1: HEIGHT, y2: HEIGHT }),
      paths, svg('path', { class: 'gap', d: steps.map((one, at) => (one.seconds > top ? `M${at * WIDE} 18l${WIDE} -5v3l${-WIDE} 5z` : '')).join('') }),
      labels(steps, current));
    picture.style.width = `${width}px`;
    const scrolled = drawing.scrollLeft;
    const first = drawing.firstChild === null;
    replace(drawing, picture);
    drawing.scrollLeft = first || current === steps[steps.length - 1].step ? drawing.scrollWidth : scrolled;
    describe(drawing, steps[place], steps);
    const cut = steps.filter(one => one.seconds > top);
    const more = cut.length === 0 ? '' : `; ${cut.length === 1 ? 'one column is' : `${cut.length} columns are`} cut, the longest step ${longest(cut)}`;
    setText(note, `Full height is ${seconds(top)}${more}.`);
  }

  return { node: el('div', {}, drawing, note), set };
}

/** Rectangles of one phase in all columns, stacked in the order of `names`, the longest at the foot. */
function pathOf(steps, names, name, scale, top) {
  return steps.map((step, place) => {
    let below = 0;
    for (const other of names) {
      const time = step.phases.filter(phase => phase.name === other).reduce((sum, phase) => sum + phase.seconds, 0);
      if (other === name) {
        const [low, high] = [scale(below), scale(below + time)];
        const left = place * WIDE + 2;
        return high - low < 0.05 || below > top ? '' : `M${left} ${HEIGHT - low}h${WIDE - 4}V${(HEIGHT - high).toFixed(2)}h${4 - WIDE}z`;
      }
      below += time;
    }
    return '';
  }).join('');
}

function labels(steps, chosen) {
  const every = steps.length > 60 ? 10 : steps.length > 20 ? 5 : 2;
  return steps.map((one, place) => {
    const shown = one.step === chosen || (one.step % every === 0 && Math.abs(one.step - chosen) * WIDE > 30);
    return shown && svg('text', { x: place * WIDE + WIDE / 2, y: HEIGHT + 14, 'text-anchor': 'middle', class: one.step === chosen ? 'now' : '' }, String(one.step));
  });
}

function topOf(steps) {
  const sorted = steps.map(one => one.seconds).sort((a, b) => a - b);
  return Math.max(1e-9, Math.min(sorted[sorted.length - 1], TALL * sorted[Math.floor(sorted.length / 2)]));
}

function longest(cut) {
  const most = cut.reduce((a, b) => (b.seconds > a.seconds ? b : a));
  return `is ${most.step} with ${seconds(most.seconds)}`;
}

function describe(drawing, step, steps) {
  drawing.setAttribute('aria-valuemin', steps[0].step);
  drawing.setAttribute('aria-valuemax', steps[steps.length - 1].step);
  drawing.setAttribute('aria-valuenow', step.step);
  drawing.setAttribute('aria-valuetext', `step ${step.step}, ${seconds(step.seconds)}`);
}
