// Curves of several runs, one chart a metric. Everything chosen here is in the link.
import { get } from '../api.js';
import { chart } from '../chart.js';
import { isDashed, lineColor } from '../colors.js';
import { el, replace } from '../dom.js';
import { on } from '../live.js';
import { complain } from '../notice.js';
import { comparedRuns } from './compare-runs.js';
import { differencesPanel } from './config-differences.js';
import { curveChoice, curveControls, keepCurveChoice, set } from './curve-controls.js';
import { FIRST, formatOf } from './metric-names.js';
import { metricSearch } from './metric-search.js';
import { seedGroups, together } from './seeds.js';
import { SeriesFeed } from './series-feed.js';

const POINTS = 600;

/** Query: `runs` (ids), `metrics`, `x`, `smooth`, `log`, `seeds=0` for seeds one by one, `hide`. */
export async function show(root, route) {
  const comparison = new Comparison(root, route);
  await comparison.begin();
  return comparison;
}

class Comparison {
  constructor(root, route) {
    Object.assign(this, { root, route, runs: [], feeds: new Map(), charts: new Map(), range: null });
    const { query } = route;
    this.ids = listOf(query.get('runs'));
    this.metrics = listOf(query.get('metrics'));
    this.hidden = new Set(listOf(query.get('hide')));
    this.choice = { ...curveChoice(query), seeds: query.get('seeds') !== '0' };
    this.ends = [on('run', run => this.grown(run)), on('again', () => this.reload())];
  }

  async begin() {
    const { runs } = await get('/api/runs');
    this.all = runs;
    await this.fetchRuns();
    this.build();
    await this.reload();
  }

  async fetchRuns() {
    const found = await Promise.allSettled(this.ids.map(id => get(`/api/runs/${id}`)));
    this.runs = found.filter(one => one.status === 'fulfilled').map(one => one.value);
    this.missing = found.length - this.runs.length;
    if (this.metrics.length === 0) {
      this.metrics = firstMetrics(this.runs);
    }
    for (const run of this.runs) {
      if (!this.feeds.has(run.id)) {
        this.feeds.set(run.id, new SeriesFeed(run.id, this.metrics, POINTS, () => this.drawSoon()));
      }
    }
  }

  build() {
    this.title = el('h1', {});
    this.grid = el('div', { class: 'charts wide' });
    this.lines = comparedRuns({
      toggle: name => this.toggle(name), remove: ids => this.remove(ids), add: id => this.add(id),
    });
    this.differing = el('div');
    this.seedBox = el('input', { type: 'checkbox', checked: this.choice.seeds, onchange: event => {
      this.choice.seeds = event.target.checked;
      this.hidden.clear();
      this.changed();
    } });
    this.seedField = el('label', { class: 'field' }, this.seedBox, 'Seeds as one band');
    this.problem = el('p', { class: 'note warn', role: 'status', hidden: true });
    replace(this.root,
      el('p', { class: 'crumbs' }, el('a', { href: '#/runs', text: 'Runs' }), ' / comparison'),
      el('div', { class: 'bar' }, this.title),
      this.lines.node,
      el('div', { class: 'controls' }, curveControls(this.choice, () => this.changed()), this.seedField,
        metricSearch('Add metric', () => this.namesLeft(), name => this.addMetric(name))),
      this.problem, this.grid, this.differing);
    this.showRuns();
  }

  showRuns() {
    const many = this.runs.length;
    this.title.textContent = many === 1 ? `Comparison of ${this.runs[0].name}` : `Comparison of ${many} runs`;
    this.seeds = seedGroups(this.runs);
    this.seedField.hidden = this.seeds.length === many;
    replace(this.differing, differencesPanel(this.runs));
    const lost = this.missing > 0 && `${this.missing} of the runs in this link ${this.missing === 1 ? 'is' : 'are'} not here.`;
    this.problem.hidden = !lost;
    this.problem.textContent = lost || '';
    this.draw();
  }

  /** The lines of each chart: a run, or runs that differ in their seed alone. */
  groups() {
    const single = this.runs.map(run => ({ name: run.name, runs: [run] }));
    const groups = this.choice.seeds ? this.seeds : single;
    const taken = new Map();
    return groups.map((group, place) => {
      const times = (taken.get(group.name) ?? 0) + 1;
      taken.set(group.name, times);
      const again = groups.filter(other => other.name === group.name).length > 1;
      return { ...group, name: again ? `${group.name} · ${folderOf(group.runs[0])}` : group.name, color: lineColor(place), dashed: isDashed(place) };
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
    this.lines.set(groups, this.hidden, this.all.filter(run => !this.ids.includes(run.id)));
    for (const [metric, drawn] of this.charts) {
      if (!this.metrics.includes(metric)) {
        drawn.close();
        this.charts.delete(metric);
      }
    }
    for (const metric of this.metrics) {
      this.drawMetric(metric, groups);
    }
    const failed = [...this.feeds.values()].find(feed => feed.error);
    if (failed) {
      this.problem.hidden = false;
      this.problem.textContent = failed.error.message;
    }
  }

  drawMetric(metric, groups) {
    const series = groups.map(group => this.seriesOf(group, metric)).filter(Boolean);
    const { x, smooth, log } = this.choice;
    const options = { series, x, smooth, log, hidden: [...this.hidden], zoomed: this.range !== null };
    const known = this.charts.get(metric);
    if (known) {
      known.set(options);
      return;
    }
    this.charts.set(metric, chart(this.grid, {
      ...options, label: metric, level: 2, height: 230, format: formatOf(metric), sync: 'compare',
      onRange: range => this.zoom(range), onToggle: hidden => this.hide(hidden),
      tools: [el('button', { type: 'button', class: 'quiet small', 'aria-label': `Remove ${metric}`, text: '×', onclick: () => this.removeMetric(metric) })],
    }));
  }

  seriesOf(group, metric) {
    const all = group.runs.map(run => this.feeds.get(run.id)?.series[metric]).filter(one => one?.step.length > 0);
    if (all.length === 0) {
      return null;
    }
    return { ...(group.runs.length > 1 ? together(all) : all[0]), label: group.name, color: group.color, dashed: group.dashed };
  }

  namesLeft() {
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
    this.keep();
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
    this.keep();
  }

  toggle(name) {
    if (!this.hidden.delete(name)) {
      this.hidden.add(name);
    }
    this.changed();
  }

  hide(names) {
    this.hidden = new Set(names);
    this.changed();
  }

  zoom(range) {
    this.range = range;
    this.feeds.forEach(feed => feed.load(range));
  }

  changed() {
    this.keep();
    this.drawSoon();
  }

  keep() {
    const query = new URLSearchParams();
    set(query, 'runs', this.ids.join(','));
    set(query, 'metrics', this.metrics.join(','));
    keepCurveChoice(query, this.choice);
    set(query, 'seeds', this.choice.seeds ? null : '0');
    set(query, 'hide', [...this.hidden].join(','));
    this.route.keep(query);
  }

  grown(run) {
    this.all = [run, ...this.all.filter(one => one.id !== run.id)];
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
    this.charts.forEach(drawn => drawn.close());
  }
}

function firstMetrics(runs) {
  const names = [...new Set(runs.flatMap(run => run.names))];
  return FIRST.map(row => row.map(pattern => names.find(name => pattern.test(name))).find(Boolean)).filter(Boolean);
}

function folderOf(run) {
  return run.folder.split('/').filter(Boolean).at(-1) ?? run.id;
}

function listOf(text) {
  return (text ?? '').split(',').filter(Boolean);
}
