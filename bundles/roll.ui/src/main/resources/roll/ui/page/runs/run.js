// One run: its state, curves, phases, log and configuration.
import { about, get } from '../api.js';
import { el, replace, update } from '../dom.js';
import { plural, seconds } from '../format.js';
import { on } from '../live.js';
import { badge, crumbs } from '../parts.js';
import { HEADLINES, headline } from './metrics.js';
import { editNotes, notesOf } from './run-notes.js';
import { orders, progress, stateOf, times } from './run-parts.js';
import { RunCurves } from './run-curves.js';
import { runConfig, runLog } from './run-files.js';
import { RunPhases } from './run-phases.js';

const DETAIL_MS = 3000;
const TABS = {
  curves: ['Curves', (...given) => new RunCurves(...given)], phases: ['Phases', (...given) => new RunPhases(...given)],
  log: ['Log', runLog], config: ['Configuration', runConfig],
};

/** Query: `tab`, and what the tab itself keeps there. */
export async function show(root, route) {
  const [run, { readOnly }] = await Promise.all([get(`/api/runs/${route.id}`), about()]);
  return new RunView(root, route, run, readOnly);
}

class RunView {
  constructor(root, route, run, readOnly) {
    Object.assign(this, { route, run, part: null, timer: null, pace: null });
    this.orders = orders(readOnly, false, () => this.draw());
    this.noted = el('p', { class: 'noted' });
    this.edit = !readOnly && el('button', { type: 'button', text: 'Notes', onclick: () => this.editNotes() });
    this.state = el('span', { role: 'status' });
    this.waiting = el('p', { role: 'status' });
    this.figures = el('dl', { class: 'figures' });
    this.notices = el('details', { class: 'notes' }, el('summary'), el('ul'));
    this.trajectories = el('a', { class: 'button', href: `#/run/${run.id}/trajectories`, text: 'Trajectories' });
    this.tabs = el('nav', { class: 'tabs', 'aria-label': 'Parts of the run' });
    this.panel = el('div', { class: 'tab-panel' });
    replace(root,
      el('div', { class: 'run-head' },
        crumbs([null, [run.number !== null && `run ${run.number} `, el('span', { class: 'mono', text: run.folder })]]),
        el('div', { class: 'bar' }, el('h1', { text: run.name }), this.state,
          el('div', { class: 'buttons end' }, this.orders.node, this.edit, this.trajectories)),
        this.noted, this.waiting, this.figures, this.notices),
      this.tabs, this.panel);
    this.choose(route.query.get('tab'));
    this.ends = [on('run', latest => latest.id === run.id && this.changed(latest)), on('again', () => this.detail())];
    this.clock = setInterval(() => this.draw(), 1000);
    this.draw();
  }

  /** Shows a tab: a part gets the panel, `{ run, route, onPace }`, and returns `{ update(run), close() }`. */
  choose(tab) {
    const chosen = TABS[tab] ? tab : 'curves';
    this.route.put({ tab: chosen === 'curves' ? null : chosen });
    update(this.tabs, Object.entries(TABS).map(([id, [text]]) =>
      el('button', { type: 'button', 'aria-current': id === chosen ? 'true' : null, text, onclick: () => this.choose(id) })));
    if (chosen === this.tab) {
      return;
    }
    this.tab = chosen;
    this.part?.close();
    replace(this.panel);
    this.part = TABS[chosen][1](this.panel, { run: this.run, route: this.route, onPace: pace => this.pace = pace });
  }

  update(route) {
    Object.assign(this.route, route); // the parts keep theirs
    this.choose(route.query.get('tab'));
  }

  draw() {
    const { run, pace } = this;
    const { began, took } = times(run);
    const left = run.live && run.state === 'running' && pace && run.step < run.maxSteps ? (run.maxSteps - run.step) * pace : null;
    update(this.state, badge(stateOf(run)));
    update(this.noted, notesOf(run.notes));
    this.orders.show(run);
    this.waiting.hidden = !run.waiting;
    this.waiting.className = run.state === 'failed' ? 'note bad' : 'note warn';
    update(this.waiting, run.waiting);
    update(this.figures,
      figure('step', progress(run), run.phase || (run.live && run.state === 'running' ? 'between steps' : '')),
      HEADLINES.map(column => [column, headline(run, column)]).map(([{ label, format }, value]) => value !== null && figure(label, format(value))),
      took && figure('time', took, `since ${began}`),
      left !== null && figure('left', `≈ ${seconds(left)}`, `${seconds(pace)} per step`));
    this.trajectories.hidden = run.trajectories.length === 0;
    this.notices.hidden = run.notices.length === 0;
    const [summary, list] = this.notices.children;
    update(summary, plural(run.notices.length, 'notice'));
    update(list, run.notices.map(line => el('li', { text: line })));
  }

  changed(latest) {
    const swapped = latest.served?.join() !== this.run.served?.join();
    this.show({ ...this.run, ...latest });
    this.timer ??= setTimeout(() => this.detail(), swapped ? 200 : DETAIL_MS); // names and swaps are not in the event
  }

  async detail() {
    clearTimeout(this.timer);
    this.timer = null;
    try {
      this.show(await get(`/api/runs/${this.run.id}`));
    } catch {
      // the state of the connection shows it; the next event asks again
    }
  }

  show(run) {
    this.run = run;
    this.draw();
    this.part.update(run);
  }

  async editNotes() {
    const done = await editNotes({ ...this.run, ...this.run.notes });
    if (done?.deleted) {
      location.hash = '#/runs';
    } else if (done) {
      this.show({ ...this.run, notes: done });
    }
  }

  close() {
    clearTimeout(this.timer);
    clearInterval(this.clock);
    this.ends.forEach(end => end());
    this.part.close();
  }
}

function figure(label, value, below = '') {
  return el('div', {}, el('dt', { text: label }), el('dd', {}, value, el('small', { text: below })));
}
