// Phases of the latest steps: how long each took, and time and memory of the phases of one step.
import { get } from '../api.js';
import { lineColor } from '../colors.js';
import { el, replace, setText } from '../dom.js';
import { percent, seconds } from '../format.js';
import { planTable } from '../plan.js';
import { swatch } from '../parts.js';
import { phaseColumns } from './phase-columns.js';
import { phaseTable } from './phase-table.js';

const INTERVAL_MS = 2000;
const STEPS = 120;
const COLORS = 8; // the shortest phases share the last color

/** Query: `step`, whose phases are shown; otherwise those of the latest step. */
export class RunPhases {
  constructor(panel, { run, route }) {
    Object.assign(this, { run, route, timer: null });
    const step = route.query.get('step');
    this.chosen = step === null ? null : Number(step);
    this.columns = phaseColumns(step => this.choose(step));
    this.shares = el('ul', { class: 'shares', 'aria-label': 'Phases, mean of the steps shown' });
    this.table = el('div');
    this.problem = el('p', { class: 'note warn', role: 'status', hidden: true });
    this.nothing = el('div', { class: 'empty', hidden: true }, el('p', { text: 'No step is complete yet: phases are shown step by step.' }));
    this.whole = el('section', { class: 'panel' }, el('h2', { text: 'Seconds of each step' }), this.columns.node, this.shares);
    replace(panel, this.problem, this.nothing, this.whole, this.table, planTable(run));
    this.read();
  }

  async read() {
    try { // a link to an old step shows its neighbors
      const range = this.chosen === null ? {} : { from: Math.max(0, this.chosen - STEPS / 2), to: this.chosen + STEPS / 2 };
      const { steps, tps, complete } = await get(`/api/runs/${this.run.id}/phases`, range);
      this.steps = steps.slice(-STEPS);
      this.tps = new Map(tps.step.map((step, index) => [step, tps.value[index]]));
      this.problem.hidden = true;
      this.draw();
      if (!complete) {
        this.later();
      }
    } catch (error) {
      this.problem.hidden = false;
      setText(this.problem, error.message);
    }
  }

  draw() {
    const { steps } = this;
    this.nothing.hidden = steps.length > 0;
    this.whole.hidden = this.table.hidden = steps.length === 0;
    if (steps.length === 0) {
      return;
    }
    const phases = totals(steps);
    const colors = new Map(phases.map((phase, index) => [phase.name, lineColor(Math.min(index, COLORS - 1))]));
    const current = steps.find(one => one.step === this.chosen) ?? steps.at(-1);
    this.columns.set(steps, phases.map(phase => phase.name), colors, current);
    const rest = phases.slice(COLORS - 1);
    const others = rest.length < 2 ? rest : [{ name: `${rest.length} others`, sum: rest.reduce((sum, phase) => sum + phase.sum, 0) }];
    const whole = steps.reduce((sum, step) => sum + step.seconds, 0);
    replace(this.shares, [...phases.slice(0, COLORS - 1), ...others].map(({ name, sum }, index) => el('li', {}, swatch(lineColor(index)),
      el('span', { class: 'name', text: name }), el('span', { text: seconds(sum / steps.length) }),
      el('span', { class: 'muted', text: whole > 0 ? percent(sum / whole) : '' }))));
    replace(this.table, phaseTable(current, colors, { tps: this.tps.get(current.step) ?? null, latest: this.chosen === null, onLatest: () => this.choose(null) }));
  }

  choose(step) {
    this.chosen = step;
    this.route.put({ step });
    if (step === null) {
      this.read();
    } else {
      this.draw();
    }
  }

  update(run) {
    const further = run.step !== this.run.step;
    this.run = run;
    if (further && this.chosen === null) {
      this.later();
    }
  }

  later() {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.read();
    }, INTERVAL_MS);
  }

  close() {
    clearTimeout(this.timer);
  }
}

/** Phases with their time in all steps, the longest first. */
function totals(steps) {
  const sums = new Map();
  for (const phase of steps.flatMap(step => step.phases)) {
    sums.set(phase.name, (sums.get(phase.name) ?? 0) + phase.seconds);
  }
  return [...sums].map(([name, sum]) => ({ name, sum })).sort((a, b) => b.sum - a.sum);
}
