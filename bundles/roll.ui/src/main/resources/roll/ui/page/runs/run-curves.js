// Curves of one run: what one looks at first, and any other metric by its name.
import { chart } from '../chart.js';
import { el, replace } from '../dom.js';
import { curveChoice, curveControls, keepCurveChoice, set } from './curve-controls.js';
import { chartsOf, formatOf } from './metric-names.js';
import { metricSearch } from './metric-search.js';
import { SeriesFeed } from './series-feed.js';
import { swapList } from './swap-list.js';

const POINTS = 400;
const LATEST = 20;
const TOTAL = 'time/step_total';

/** Query: `metrics` (more charts), `x`, `smooth`, `log`. */
export function runCurves(panel, context) {
  return new RunCurves(panel, context);
}

class RunCurves {
  constructor(panel, { run, route, onPace }) {
    Object.assign(this, { panel, run, route, onPace, charts: new Map(), range: null, drawing: null });
    this.added = (route.query.get('metrics') ?? '').split(',').filter(Boolean);
    this.choice = curveChoice(route.query);
    this.grid = el('div', { class: 'charts' });
    this.swaps = el('div');
    this.problem = el('p', { class: 'note warn', role: 'status', hidden: true });
    this.controls = el('div', { class: 'controls' }, curveControls(this.choice, () => this.chosen()),
      metricSearch('Add metric', () => this.namesLeft(), name => this.add(name)));
    this.nothing = el('div', { class: 'empty', hidden: true },
      el('h2', { text: 'No step is complete yet' }),
      el('p', { text: 'Curves begin with the first one. Until then the log says what the run is doing.' }));
    replace(panel, this.controls, this.problem, this.nothing, this.grid, this.swaps);
    this.feed = new SeriesFeed(run.id, this.names(), POINTS, () => this.drawSoon());
    this.update(run);
    this.feed.load();
  }

  /** All charts: `{ label, lines, … }`; those that were added by name are last. */
  wanted() {
    const own = this.added.map(name => ({ label: name, added: true, format: formatOf(name), lines: [{ name, label: name }] }));
    return [...chartsOf(this.run.names), ...own];
  }

  names() {
    return [...new Set([...this.wanted().flatMap(one => one.lines.map(line => line.name)), TOTAL])];
  }

  namesLeft() {
    return this.run.names.filter(name => !this.added.includes(name)).sort();
  }

  update(run) {
    this.run = run;
    this.nothing.hidden = run.names.length > 0 || this.added.length > 0;
    this.controls.hidden = !this.nothing.hidden;
    this.feed.rename(this.names());
    this.feed.grow(run.step);
    const known = JSON.stringify([run.names, run.swaps]);
    if (known !== this.known) { // otherwise the feed says when there is something new to draw
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
    const labels = new Set(wanted.map(one => one.label));
    for (const [label, drawn] of this.charts) {
      if (!labels.has(label)) {
        drawn.close();
        this.charts.delete(label);
      }
    }
    wanted.forEach(one => this.drawChart(one));
    this.putInOrder(wanted);
    const latest = (this.feed.series[TOTAL]?.mean ?? []).filter(value => value !== null).slice(-LATEST);
    this.onPace(latest.length === 0 ? null : latest.reduce((sum, value) => sum + value, 0) / latest.length);
  }

  drawChart(wanted) {
    const series = wanted.lines
      .map(line => ({ ...this.feed.series[line.name], label: line.label || wanted.label }))
      .filter(one => one.step?.length > 0);
    const marks = (this.run.swaps ?? []).filter(swap => swap.step !== null).map(swap => ({ step: swap.step, label: swap.line }));
    const options = { ...this.choice, series, marks, zoomed: this.range !== null };
    const known = this.charts.get(wanted.label);
    if (known) {
      known.set(options);
    } else if (series.length > 0 || (wanted.added && this.feed.answered)) {
      this.charts.set(wanted.label, chart(this.grid, {
        ...options, label: wanted.label, unit: unitOf(wanted), level: 2, format: wanted.format,
        sync: this.run.id, onRange: range => this.zoom(range), tools: wanted.added ? [this.remover(wanted.label)] : [],
      }));
    }
  }

  /** Charts appear when their first values do, which need not be in the order of the page. */
  putInOrder(wanted) {
    const nodes = wanted.map(one => this.charts.get(one.label)?.node).filter(Boolean);
    if (nodes.some((node, place) => this.grid.children[place] !== node)) {
      this.grid.append(...nodes);
    }
  }

  remover(name) {
    return el('button', { type: 'button', class: 'quiet small', 'aria-label': `Remove ${name}`, text: '×', onclick: () => {
      this.added = this.added.filter(other => other !== name);
      this.chosen();
      this.controls.querySelector('input[type=search]').focus();
    } });
  }

  add(name) {
    this.added = [...this.added, name];
    this.chosen();
    this.feed.rename(this.names());
  }

  zoom(range) {
    this.range = range;
    this.feed.load(range);
  }

  chosen() {
    const query = this.route.query;
    keepCurveChoice(query, this.choice);
    set(query, 'metrics', this.added.join(','));
    this.route.keep(query);
    this.drawSoon();
  }

  close() {
    cancelAnimationFrame(this.drawing);
    this.feed.close();
    this.charts.forEach(drawn => drawn.close());
  }
}

function unitOf({ unit, lines }) {
  const only = lines.length === 1 && lines[0].label ? lines[0].label : '';
  return [unit, only && only !== lines[0].name ? only : ''].filter(Boolean).join(' · ');
}
