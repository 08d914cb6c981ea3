// Curves of one run: the usual metrics, and any other metric by its name.
import { Chart } from '../chart.js';
import { el, replace } from '../dom.js';
import { chartsOf, curveChoice, curveControls, curveLayout, curveQuery, formatOf, keepLayout, metricSearch } from './metrics.js';
import { swapList } from './run-parts.js';
import { SeriesFeed } from './series-feed.js';

const POINTS = 400;
const PACE_STEPS = 20;
const TOTAL = 'time/step_total';
const KEPT = 'roll-curves';
const MOST_EXPORTED = 64;

/** Query: `metrics` (further charts), `without` (charts that are left out), `x`, `smooth`, `log`. */
export class RunCurves {
  constructor(panel, { run, route, onPace }) {
    Object.assign(this, { run, route, onPace, charts: new Map(), range: null, drawing: null });
    const layout = curveLayout(KEPT, route.query);
    this.kept = layout !== route.query; // from another run perhaps, whose metrics this one may lack
    const list = name => (layout.get(name) ?? '').split(',').filter(Boolean);
    this.added = list('metrics');
    this.without = list('without');
    this.choice = curveChoice(layout);
    this.restore = el('button', { type: 'button', text: 'All charts', hidden: true, onclick: () => {
      this.without = [];
      this.changed();
    } });
    this.csv = el('a', { class: 'button', text: 'CSV', 'aria-label': 'Metrics of these charts as CSV', download: 'metrics.csv' });
    this.json = el('a', { class: 'button', text: 'JSON', 'aria-label': 'Metrics of these charts as JSON', download: 'metrics.json' });
    this.grid = el('div', { class: 'charts' });
    this.swaps = el('div');
    this.problem = el('p', { class: 'note warn', role: 'status', hidden: true });
    this.controls = el('div', { class: 'controls' }, curveControls(this.choice, () => this.changed()),
      metricSearch(() => this.run.names.filter(name => !this.added.includes(name)).sort(), name => this.add(name)), this.restore, this.csv, this.json);
    this.nothing = el('div', { class: 'empty', hidden: true },
      el('h2', { text: 'No step is complete yet' }),
      el('p', { text: 'Curves begin with the first one. Until then the log shows what the run is doing.' }));
    replace(panel, this.controls, this.problem, this.nothing, this.grid, this.swaps);
    this.feed = new SeriesFeed(run.id, this.names(), POINTS, () => this.drawSoon());
    this.update(run);
    this.link();
    this.feed.load();
  }

  /** All charts: `{ label, lines, … }`; those that were added by name come last. */
  wanted() {
    const added = this.added.filter(name => !this.kept || this.run.names.includes(name)).map(name => ({ label: name, added: true, format: formatOf(name), lines: [{ name, label: name }] }));
    return [...chartsOf(this.run.names).filter(one => !this.without.includes(one.label)), ...added];
  }

  names() {
    return [...new Set([...this.wanted().flatMap(one => one.lines.map(line => line.name)), TOTAL])];
  }

  update(run) {
    this.run = run;
    this.nothing.hidden = run.names.length > 0 || this.added.length > 0;
    this.controls.hidden = !this.nothing.hidden;
    this.feed.rename(this.names());
    this.feed.grow(run.step);
    const known = JSON.stringify([run.names, run.swaps]);
    if (known !== this.known) { // otherwise the feed reports new points
      this.known = known;
      replace(this.swaps, swapList(run));
      this.drawSoon();
    }
  }

  drawSoon() {
    this.drawing ??= requestAnimationFrame(() => {
      this.drawing = null;
      this.draw();
    });
  }

  draw() {
    this.problem.hidden = !this.feed.error;
    this.problem.textContent = this.feed.error?.message ?? '';
    const wanted = this.wanted();
    closeUnwanted(this.charts, wanted.map(one => one.label));
    wanted.forEach(one => this.drawChart(one));
    const nodes = wanted.map(one => this.charts.get(one.label)?.node).filter(Boolean);
    if (nodes.some((node, index) => this.grid.children[index] !== node)) { // charts appear with their first values
      this.grid.append(...nodes);
    }
    this.restore.hidden = this.without.length === 0;
    const names = this.names().slice(0, MOST_EXPORTED).join(',');
    this.json.href = `/api/runs/${this.run.id}/metrics?${new URLSearchParams({ names })}`;
    this.csv.href = `${this.json.href}&format=csv`;
    const latest = (this.feed.series[TOTAL]?.mean ?? []).filter(value => value !== null).slice(-PACE_STEPS);
    this.onPace(latest.length === 0 ? null : latest.reduce((sum, value) => sum + value, 0) / latest.length);
  }

  drawChart(wanted) {
    const { label, lines, added, format } = wanted;
    const series = lines.map(line => ({ ...this.feed.series[line.name], label: line.label || label })).filter(one => one.step?.length > 0);
    const marks = this.run.swaps.filter(swap => swap.step !== null).map(swap => ({ step: swap.step, label: swap.line }));
    const options = { ...this.choice, series, marks, zoomed: this.range !== null };
    if (this.charts.has(label)) {
      this.charts.get(label).set(options);
    } else if (series.length > 0 || (added && this.feed.answered)) {
      this.charts.set(label, new Chart(this.grid, {
        ...options, label, unit: unitOf(wanted), level: 2, ...(format && { format }), sync: this.run.id,
        onRange: range => this.zoom(range), tools: remover(label, () => (added ? this.remove(label) : this.leaveOut(label))),
      }));
    }
  }

  add(name) {
    this.kept = false;
    this.added = [...this.added, name];
    this.changed();
    this.feed.rename(this.names());
  }

  leaveOut(label) {
    this.without = [...this.without, label];
    this.changed();
    this.restore.hidden = false;
    this.restore.focus();
  }

  remove(name) {
    this.added = this.added.filter(other => other !== name);
    this.changed();
    this.controls.querySelector('input[type=search]').focus();
  }

  zoom(range) {
    this.range = range;
    this.feed.load(range);
  }

  link() {
    const values = { ...curveQuery(this.choice), metrics: this.added.join(','), without: this.without.join(',') };
    this.route.put(values);
    return values;
  }

  changed() {
    keepLayout(KEPT, this.link());
    this.drawSoon();
  }

  close() {
    cancelAnimationFrame(this.drawing);
    this.feed.close();
    closeUnwanted(this.charts, []);
  }
}

/** Closes the charts whose label is none of `labels`. */
export function closeUnwanted(charts, labels) {
  for (const [label, chart] of charts) {
    if (!labels.includes(label)) {
      chart.close();
      charts.delete(label);
    }
  }
}

/** The button that removes a chart. */
export function remover(name, onclick) {
  return el('button', { type: 'button', class: 'quiet small', 'aria-label': `Remove ${name}`, text: '×', onclick });
}

function unitOf({ unit, lines }) {
  const [{ name, label }] = lines;
  return [unit, lines.length === 1 && label !== name && label].filter(Boolean).join(' · ');
}
