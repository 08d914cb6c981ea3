// A column of phases for each step; a click or the arrow keys choose a step.
import { el, replace, setText, svg } from '../dom.js';
import { plural, seconds } from '../format.js';

const HEIGHT = 150;
const WIDTH = 14;
const FOOT = 18;
const MAX_MEDIANS = 3; // higher columns are cut, so that the others can be seen

/** Returns `{ node, set(steps, names, colors, chosen step) }`; calls `onChoose(step)`. */
export function phaseColumns(onChoose) {
  const drawing = el('div', { class: 'columns', tabindex: 0, role: 'slider', 'aria-label': 'Step whose phases are shown' });
  const note = el('p', { class: 'muted cut' });
  let steps = [];
  let chosen = 0;
  drawing.onkeydown = event => {
    const { key } = event;
    const to = { ArrowLeft: chosen - 1, ArrowDown: chosen - 1, ArrowRight: chosen + 1, ArrowUp: chosen + 1, Home: 0, End: steps.length - 1 }[key];
    if (to !== undefined) {
      event.preventDefault();
      onChoose(steps[Math.min(steps.length - 1, Math.max(0, to))].step);
    }
  };
  drawing.onclick = event => {
    const step = steps[Math.floor((event.clientX - drawing.firstChild.getBoundingClientRect().left) / WIDTH)];
    if (step) {
      onChoose(step.step);
    }
  };

  function set(latest, names, colors, current) {
    steps = latest;
    chosen = steps.indexOf(current);
    const top = topOf(steps);
    const width = (steps.length + 1) * WIDTH;
    const picture = svg('svg', { viewBox: `0 0 ${width} ${HEIGHT + FOOT}`, 'aria-hidden': 'true', style: { width: `${width}px` } },
      svg('rect', { class: 'chosen', x: chosen * WIDTH, y: 0, width: WIDTH, height: HEIGHT + FOOT }),
      svg('line', { class: 'base', x1: 0, x2: width, y1: HEIGHT, y2: HEIGHT }),
      names.map(name => svg('path', { d: steps.map((step, index) => piece(step, index, names, name, top)).join(''), style: { fill: `var(${colors.get(name)})` } })),
      svg('path', { class: 'gap', d: steps.map((one, index) => (one.seconds > top ? `M${index * WIDTH} 18l${WIDTH} -5v3l${-WIDTH} 5z` : '')).join('') }),
      labels(steps, current.step));
    const scrolled = drawing.firstChild === null || current === steps.at(-1) ? width : drawing.scrollLeft;
    replace(drawing, picture);
    drawing.scrollLeft = scrolled;
    const values = { valuemin: steps[0].step, valuemax: steps.at(-1).step, valuenow: current.step, valuetext: `step ${current.step}, ${seconds(current.seconds)}` };
    Object.entries(values).forEach(([name, value]) => drawing.setAttribute(`aria-${name}`, value));
    const cut = steps.filter(one => one.seconds > top).sort((a, b) => b.seconds - a.seconds);
    setText(note, `Axis maximum: ${seconds(top)}` + (cut.length === 0 ? '' : `; ${plural(cut.length, 'column')} cut, the longest: step ${cut[0].step}, ${seconds(cut[0].seconds)}`));
  }

  return { node: el('div', {}, drawing, note), set };
}

/** The rectangle of a phase in the column of a step; phases are stacked in the order of `names`. */
function piece({ phases }, index, names, name, top) {
  const timeOf = some => phases.filter(phase => some.includes(phase.name)).reduce((sum, phase) => sum + phase.seconds, 0);
  const scale = value => (Math.min(value, top) / top) * (HEIGHT - 8);
  const below = timeOf(names.slice(0, names.indexOf(name)));
  const [low, high] = [scale(below), scale(below + timeOf([name]))];
  return high - low < 0.05 ? '' : `M${index * WIDTH + 2} ${(HEIGHT - low).toFixed(2)}h${WIDTH - 4}V${(HEIGHT - high).toFixed(2)}h${4 - WIDTH}z`;
}

function labels(steps, chosen) {
  const every = steps.length > 60 ? 10 : steps.length > 20 ? 5 : 2;
  return steps.map(({ step }, index) => (step === chosen || (step % every === 0 && Math.abs(step - chosen) * WIDTH > 30))
    && svg('text', { x: (index + 0.5) * WIDTH, y: HEIGHT + 14, 'text-anchor': 'middle', class: step === chosen ? 'now' : '' }, String(step)));
}

function topOf(steps) {
  const sorted = steps.map(one => one.seconds).sort((a, b) => a - b);
  return Math.max(1e-9, Math.min(sorted.at(-1), MAX_MEDIANS * sorted[Math.floor(sorted.length / 2)]));
}
