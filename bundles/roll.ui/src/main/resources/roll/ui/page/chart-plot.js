// The options of uPlot for the lines of a chart, in the colors of the theme.
import { color } from './colors.js';
import { number, percent, seconds, timeOfDay } from './format.js';

const STEP_INCREMENTS = [...Array(10)].flatMap((_, power) => [1, 2, 5].map(base => base * 10 ** power));
const TIME_INCREMENTS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800];
const FONT = '11px system-ui, sans-serif';
const SYNCED = new Set(['mousemove', 'mouseleave']); // a range is selected in one chart alone
const FEW_POINTS = 40;

/**
 * `{ plot, values, shape }` for `new uPlot(plot, values, …)`: a line is up to four series of uPlot.
 * Where `shape` is the same, an existing plot can take `values`.
 */
export function plotOptions(lines, data, hidden, { x, log, width, height, sync, format = number }) {
  const { series, bands } = seriesOf(lines, data, hidden, x !== 'clock');
  const shown = series.map(({ drawn }) => [drawn.label, drawn.show, drawn.width, drawn.stroke, drawn.points]);
  const oneValue = (_, min, max) => (min === max ? [min - 1, max + 1] : [min, max]);
  const fromZero = (_, min, max) => [0, max > 0 ? 1.05 * max : 1]; // of quantities, not of compared metrics
  return {
    shape: JSON.stringify([shown, x, log, height, color('--ink')]),
    values: [data.xs, ...series.map(part => part.values)],
    plot: {
      width,
      height,
      padding: [8, 10, 0, 0],
      legend: { show: false }, // ours can be used by keyboard
      cursor: {
        y: false,
        drag: { x: true, y: false, setScale: false },
        points: { size: (_, index) => (series[index - 1]?.read ? 7 : 0), width: 0 },
        hover: { skip: [null, undefined] },
        ...(sync && { sync: { key: sync, scales: ['x', null], filters: { pub: type => SYNCED.has(type) } } }),
      },
      scales: { x: { time: false, range: oneValue }, y: { distr: log ? 3 : 1, ...(x === 'clock' && { range: fromZero }) } },
      axes: [xAxis(x), yAxis(format)],
      series: [{}, ...series.map(part => part.drawn)],
      bands,
    },
  };
}

function seriesOf(lines, data, hidden, spanGaps) {
  const series = [];
  const bands = [];
  lines.forEach((line, index) => {
    const { mean, smooth, min, max } = data.lines[index];
    const stroke = color(line.color);
    const add = (values, drawn, read = false) => series.push({
      values, read, drawn: { label: line.label, show: !hidden.has(line.label), spanGaps, points: { show: false }, ...drawn },
    });
    if (min && max) {
      add(max, { stroke: 'transparent', width: 0 });
      add(min, { stroke: 'transparent', width: 0 });
      bands.push({ series: [series.length - 1, series.length], fill: color(line.color, 0.16) });
    }
    if (smooth) {
      add(mean, { stroke: color(line.color, 0.3), width: 1 });
    }
    const few = mean.filter(value => value !== null && value !== undefined).length <= FEW_POINTS;
    add(smooth ?? mean, { stroke, width: 1.6, dash: line.dashed ? [6, 3] : undefined, points: { show: few, size: 4, fill: stroke, stroke } }, true);
  });
  return { series, bands };
}

function xAxis(x) {
  const written = { clock: timeOfDay, seconds: duration, step: plain }[x];
  return {
    ...axis(),
    size: 26,
    space: x === 'step' ? 56 : 84,
    incrs: x === 'step' ? STEP_INCREMENTS : TIME_INCREMENTS,
    values: (_, splits) => splits.map(written),
    grid: { show: false },
  };
}

function yAxis(format) {
  const written = TICKS.get(format) ?? format;
  return {
    ...axis(),
    space: 34,
    size: (_, values) => Math.max(36, 12 + 6.4 * Math.max(0, ...(values ?? []).map(value => value?.length ?? 0))),
    values: (_, splits) => splits.map(value => (value === null ? null : written(value))),
  };
}

function axis() {
  const line = color('--line');
  return { font: FONT, stroke: color('--ink-3'), grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1, size: 4 }, gap: 4 };
}

const TICKS = new Map([[number, plain], [seconds, duration], [percent, value => `${plain(value * 100)}%`]]);

/** A tick without zeros at its end. */
function plain(value) {
  const size = Math.abs(value);
  return size >= 1e6 || (size > 0 && size < 1e-4) ? number(value)
    : value.toLocaleString('en', { maximumSignificantDigits: 6, useGrouping: 'min2' }).replaceAll(',', '\u2009').replace('-', '\u2212');
}

function duration(value) {
  return Math.abs(value) < 60 ? `${plain(value)} s` : seconds(value).replace(/ 00[sm]$/, '');
}
