// The options of uPlot for our lines: what is drawn, in the colours of the theme.
import { color } from './colors.js';
import { number, percent, seconds, timeOfDay } from './format.js';

const STEP_INCREMENTS = [1, 2, 5].flatMap(base => [...Array(10)].map((_, power) => base * 10 ** power)).sort((a, b) => a - b);
const TIME_INCREMENTS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800];
const FONT = '11px system-ui, sans-serif';
const FAINT = 0.3;
const DASH = [6, 3];
const SHARED = new Set(['mousemove', 'mouseleave']); // a range is drawn in one chart alone
const FEW = 40;

/**
 * `{ plot, values, shape }` for `new uPlot(plot, values, …)`: each line is up to four of uPlot's
 * series. Where `shape` is the same, a plot that is there can take `values`.
 */
export function plotOptions(lines, data, hidden, { x, log, width, height, sync, format = number }) {
  const parts = partsOf(lines, data, hidden, x !== 'clock');
  const shown = parts.series.map(({ drawn }) => [drawn.label, drawn.show, drawn.width, drawn.stroke, drawn.points]);
  return {
    shape: JSON.stringify([shown, x, log, height, color('--ink')]),
    values: [data.xs, ...parts.series.map(part => part.values)],
    plot: {
      width,
      height,
      padding: [8, 10, 0, 0],
      legend: { show: false },
      cursor: cursor(parts.series, sync),
      scales: { x: { time: false, range: widened }, y: { distr: log ? 3 : 1, ...(x === 'clock' && { range: fromZero }) } },
      axes: [xAxis(x), yAxis(format)],
      series: [{}, ...parts.series.map(part => part.drawn)],
      bands: parts.bands,
    },
  };
}

function partsOf(lines, data, hidden, spanGaps) {
  const series = [];
  const bands = [];
  lines.forEach((line, place) => {
    const { mean, smooth, min, max } = data.lines[place];
    const paint = color(line.color);
    const show = !hidden.has(line.label);
    const add = (values, drawn) => series.push({
      values, read: drawn.width > 0 && drawn.read !== false,
      drawn: { label: line.label, show, spanGaps, points: { show: false }, ...drawn },
    });
    if (min && max) {
      add(max, { stroke: 'transparent', width: 0 });
      add(min, { stroke: 'transparent', width: 0 });
      bands.push({ series: [series.length - 1, series.length], fill: color(line.color, 0.16) });
    }
    if (smooth) {
      add(mean, { stroke: color(line.color, FAINT), width: 1, read: false });
    }
    const few = mean.filter(value => value !== null && value !== undefined).length <= FEW;
    add(smooth ?? mean, { stroke: paint, width: 1.6, dash: line.dashed ? DASH : undefined, points: { show: few, size: 4, fill: paint, stroke: paint } });
  });
  return { series, bands };
}

function cursor(series, sync) {
  return {
    y: false,
    drag: { x: true, y: false, setScale: false },
    points: { size: (plot, index) => (series[index - 1]?.read ? 7 : 0), width: 0 },
    hover: { skip: [null, undefined] },
    ...(sync && { sync: { key: sync, scales: ['x', null], filters: { pub: type => SHARED.has(type) } } }),
  };
}

/** One point has a line of its own too. */
function widened(plot, min, max) {
  return min === max ? [min - 1, max + 1] : [min, max];
}

/** Of quantities, not of figures that are compared: their axis begins at 0. */
function fromZero(plot, min, max) {
  return [0, max > 0 ? 1.05 * max : 1];
}

function xAxis(x) {
  const time = x !== 'step';
  return {
    ...axis(),
    size: 26,
    space: time ? 84 : 56,
    incrs: time ? TIME_INCREMENTS : STEP_INCREMENTS,
    values: (plot, splits) => splits.map(value => (x === 'clock' ? timeOfDay(value) : time ? clock(value) : value.toLocaleString('en').replaceAll(',', '\u2009'))),
    grid: { show: false },
  };
}

function yAxis(format) {
  return {
    ...axis(),
    space: 34,
    size: (plot, values) => Math.max(36, 12 + 6.4 * Math.max(0, ...(values ?? []).map(value => value?.length ?? 0))),
    values: (plot, splits) => splits.map(value => (value === null ? null : tick(value, format))),
  };
}

function axis() {
  return {
    font: FONT,
    stroke: color('--ink-3'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { stroke: color('--line'), width: 1, size: 4 },
    gap: 4,
  };
}

function tick(value, format) {
  if (format === percent) {
    return `${plain(value * 100)} %`;
  }
  return format === number ? plain(value) : format === seconds ? clock(value) : format(value);
}

function plain(value) {
  const short = Number(value.toPrecision(6));
  return Math.abs(short) >= 1e6 || (short !== 0 && Math.abs(short) < 1e-4) ? number(short) : short.toString().replace('-', '\u2212').replace(/\B(?=(\d{3})+$)/g, Math.abs(short) >= 10000 ? '\u2009' : '');
}

function clock(value) {
  return Math.abs(value) < 60 ? `${plain(value)} s` : seconds(value).replace(/ 00[sm]$/, '');
}
