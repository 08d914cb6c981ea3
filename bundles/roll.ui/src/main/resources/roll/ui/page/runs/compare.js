// Curves of several runs, a chart per metric. Every choice is in the link.
import { get } from '../api.js';
import { Chart } from '../chart.js';
import { isDashed, lineColor } from '../colors.js';
import { el, replace, update } from '../dom.js';
import { on } from '../live.js';
import { complain, crumbs } from '../parts.js';
import { addRun, comparedRuns } from './compare-runs.js';
import { comparedMetrics, curveChoice, curveControls, curveLayout, curveQuery, formatOf, keepLayout, metricSearch } from './metrics.js';
import { closeUnwanted, remover } from './run-curves.js';
import { differencesPanel } from './run-files.js';
import { meanOf, seedGroups } from './seeds.js';
import { SeriesFeed } from './series-feed.js';

const POINTS = 600;
const KEPT = 'roll-compare';

/** Query: `runs` (ids), `metrics`, `x`, `smooth`, `log`, `seeds=0` for seeds one by one, `hide`. */
export async function show(root, route) {
  const comparison = new Comparison(root, route);
  await comparison.begin();
  return comparison;
}

class Comparison {
  constructor(root, route) {
    const { query } = route;
    const list = name => (query.get(name) ?? '').split(',').filter(Boolean);
    Object.assign(this, { root, route, runs: [], feeds: new Map(), charts: new Map(), range: null });
    const layout = curveLayout(KEPT, query);
    this.kept = layout !== query; // from another comparison perhaps
    Object.assign(this, { ids: list('runs'), metrics: (layout.get('metrics') ?? '').split(',').filter(Boolean), hidden: new Set(list('hide')) });
    this.choice = { ...curveChoice(layout), seeds: query.get('seeds') !== '0' };
    this.ends = [on('run', run => this.grown(run)), on('again', () => this.reload())];
  }

  async begin() {
    this.all = (await get('/api/runs')).runs;
    await this.fetchRuns();
    this.title = el('h1');
    this.grid = el('div', { class: 'charts wide' });
    this.table = el('section', { class: 'panel flush', 'aria-label': 'Runs' });
    this.differing = el('div');
    const seeds = el('input', { type: 'checkbox', checked: this.choice.seeds, onchange: event => {
      this.choice.seeds = event.target.checked;
      this.hidden.clear();
      this.changed();
    } });
    this.seedField = el('label', { class: 'field' }, seeds, 'Seeds as one band');
    this.problem = el('p', { class: 'note warn', role: 'status', hidden: true });
    replace(this.root,
      crumbs([null, 'comparison']),
      el('div', { class: 'bar' }, this.title),
      this.table,
      el('div', { class: 'controls' }, curveControls(this.choice, () => this.changed()), this.seedField,
        metricSearch(() => this.unusedNames(), name => this.addMetric(name))),
      this.problem, this.grid, this.differing);
    this.showRuns();
    this.link();
    await this.reload();
  }

  async fetchRuns() {
    const found = await Promise.allSettled(this.ids.map(id => get(`/api/runs/${id}`)));
    this.runs = found.filter(one => one.status === 'fulfilled').map(one => one.value);
    this.missing = found.length - this.runs.length;
    if (this.kept) {
      this.metrics = this.metrics.filter(name => this.runs.some(run => run.names.includes(name)));
    }
    if (this.metrics.length === 0) {
      this.metrics = comparedMetrics(this.runs);
    }
    for (const { id } of this.runs) {
      if (!this.feeds.has(id)) {
        this.feeds.set(id, new SeriesFeed(id, this.metrics, POINTS, () => this.drawSoon()));
      }
    }
  }

  showRuns() {
    const { length } = this.runs;
    this.title.textContent = length === 1 ? `Comparison of ${this.runs[0].name}` : `Comparison of ${length} runs`;
    this.seeds = seedGroups(this.runs);
    this.seedField.hidden = this.seeds.length === length;
    replace(this.differing, differencesPanel(this.runs));
    this.draw();
  }

  /** The lines of each chart: runs, or groups of runs that differ in the seed alone. */
  groups() {
    const groups = this.choice.seeds ? this.seeds : this.runs.map(run => ({ name: run.name, runs: [run] }));
    return groups.map(({ name, runs }, index) => {
      const ambiguous = groups.filter(other => other.name === name).length > 1;
      return { runs, name: ambiguous ? `${name} · ${runs[0].folder.split('/').at(-1)}` : name, color: lineColor(index), dashed: isDashed(index) };
    });
  }

  drawSoon() {
    this.drawing ??= requestAnimationFrame(() => {
      this.drawing = null;
      this.draw();
    });
  }

  draw() {
    const groups = this.groups();
    const others = this.all.filter(run => !this.ids.includes(run.id));
    update(this.table, comparedRuns(groups, this.hidden, { toggle: name => this.toggle(name), remove: ids => this.remove(ids) }),
      addRun(others, id => this.add(id)));
    closeUnwanted(this.charts, this.metrics);
    this.metrics.forEach(metric => this.drawMetric(metric, groups));
    const problems = [this.missing > 0 && `${this.missing} of the runs in this link cannot be found.`,
      [...this.feeds.values()].find(feed => feed.error)?.error.message].filter(Boolean);
    this.problem.hidden = problems.length === 0;
    this.problem.textContent = problems.join(' ');
  }

  drawMetric(metric, groups) {
    const series = groups.map(group => this.seriesOf(group, metric)).filter(Boolean);
    const { x, smooth, log } = this.choice;
    const options = { series, x, smooth, log, hidden: [...this.hidden], zoomed: this.range !== null };
    if (this.charts.has(metric)) {
      this.charts.get(metric).set(options);
      return;
    }
    this.charts.set(metric, new Chart(this.grid, {
      ...options, label: metric, level: 2, height: 230, format: formatOf(metric), sync: 'compare',
      onRange: range => this.zoom(range), tools: remover(metric, () => this.removeMetric(metric)),
      onToggle: hidden => {
        this.hidden = new Set(hidden);
        this.changed();
      },
    }));
  }

  seriesOf({ runs, name, color, dashed }, metric) {
    const all = runs.map(run => this.feeds.get(run.id)?.series[metric]).filter(one => one?.step.length > 0);
    return all.length === 0 ? null : { ...(runs.length > 1 ? meanOf(all) : all[0]), label: name, color, dashed };
  }

  unusedNames() {
    return [...new Set(this.runs.flatMap(run => run.names))].filter(name => !this.metrics.includes(name)).sort();
  }

  addMetric(name) {
    this.metrics = [...this.metrics, name];
    this.changed();
    this.feeds.forEach(feed => feed.rename(this.metrics));
  }

  removeMetric(name) {
    this.metrics = this.metrics.filter(other => other !== name);
    this.changed();
    this.root.querySelector('.metric-search input').focus();
  }

  async add(id) {
    this.ids.push(id);
    await this.fetchRuns();
    this.showRuns();
    this.changed();
    await this.feeds.get(id)?.load(this.range);
  }

  remove(ids) {
    this.ids = this.ids.filter(id => !ids.includes(id));
    this.runs = this.runs.filter(run => !ids.includes(run.id));
    ids.forEach(id => {
      this.feeds.get(id)?.close();
      this.feeds.delete(id);
    });
    this.showRuns();
    this.changed();
  }

  toggle(name) {
    if (!this.hidden.delete(name)) {
      this.hidden.add(name);
    }
    this.changed();
  }

  zoom(range) {
    this.range = range;
    this.feeds.forEach(feed => feed.load(range));
  }

  link() {
    const layout = { metrics: this.metrics.join(','), ...curveQuery(this.choice) };
    this.route.put({ runs: this.ids.join(','), ...layout, seeds: this.choice.seeds ? null : '0', hide: [...this.hidden].join(',') });
    return layout;
  }

  changed() {
    keepLayout(KEPT, this.link());
    this.drawSoon();
  }

  grown(run) {
    this.all = [run, ...(this.all ?? []).filter(one => one.id !== run.id)];
    const known = this.runs.find(one => one.id === run.id);
    if (known) {
      Object.assign(known, run);
      this.feeds.get(run.id).grow(run.step);
      this.drawSoon();
    }
  }

  async reload() {
    try {
      await Promise.all([...this.feeds.values()].map(feed => feed.load(this.range)));
    } catch (error) {
      complain(error);
    }
  }

  close() {
    this.ends.forEach(end => end());
    cancelAnimationFrame(this.drawing);
    this.feeds.forEach(feed => feed.close());
    closeUnwanted(this.charts, []);
  }
}
