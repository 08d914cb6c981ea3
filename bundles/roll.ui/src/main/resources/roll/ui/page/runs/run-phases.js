// Phases of the latest steps: how long each took, and what one step did and held in memory.
import { get } from '../api.js';
import { el, replace, setText } from '../dom.js';
import { lineColor } from '../colors.js';
import { percent, seconds } from '../format.js';
import { phaseColumns } from './phase-columns.js';
import { phaseTable } from './phase-table.js';
import { planTable } from './plan-table.js';

const BETWEEN = 2000;
const STEPS = 120;
const COLORS = 8; // the shortest phases share the last one, a grey

/** Query: `step`, the one whose phases are shown; the last one otherwise. Returns `{ update(run), close() }`. */
export function runPhases(panel, context) {
  return new RunPhases(panel, context);
}

class RunPhases {
  constructor(panel, { run, route }) {
    Object.assign(this, { run, route, steps: [], timer: null });
    const asked = route.query.get('step');
    this.chosen = asked === null ? null : Number(asked);
    this.columns = phaseColumns(step => this.choose(step));
    this.shares = el('ul', { class: 'shares', 'aria-label': 'Phases, mean of the steps shown' });
    this.table = el('div');
    this.problem = el('p', { class: 'note warn', role: 'status', hidden: true });
    this.nothing = el('div', { class: 'empty', hidden: true }, el('p', { text: 'No step is complete yet: phases are shown step by step.' }));
    this.whole = el('section', { class: 'panel' }, el('h2', { text: 'Seconds of each step' }), this.columns.node, this.shares);
    replace(panel, this.problem, this.nothing, this.whole, this.table, planTable(run.plan));
    this.read();
  }

  async read() {
    try {
      const answer = await get(`/api/runs/${this.run.id}/phases${this.range()}`);
      this.steps = answer.steps.slice(-STEPS);
      this.tps = new Map((answer.tps?.step ?? []).map((step, place) => [step, answer.tps.value[place]]));
      this.problem.hidden = true;
      this.draw();
      if (answer.complete === false) {
        this.later();
      }
    } catch (error) {
      this.problem.hidden = false;
      setText(this.problem, error.message);
    }
  }

  /** A link to an old step shows its neighbours. */
  range() {
    return this.chosen === null ? '' : `?from=${Math.max(0, this.chosen - STEPS / 2)}&to=${this.chosen + STEPS / 2}`;
  }

  draw() {
    const { steps } = this;
    this.nothing.hidden = steps.length > 0;
    this.whole.hidden = steps.length === 0;
    if (steps.length === 0) {
      replace(this.table);
      return;
    }
    const phases = totals(steps);
    const colors = new Map(phases.map((phase, place) => [phase.name, lineColor(Math.min(place, COLORS - 1))]));
    const current = steps.find(one => one.step === this.chosen) ?? steps[steps.length - 1];
    this.columns.set(steps, phases.map(phase => phase.name), colors, current.step);
    replace(this.shares, phases.slice(0, COLORS - 1).map(phase => share(phase, colors.get(phase.name), steps)),
      phases.length >= COLORS && share(others(phases.slice(COLORS - 1)), lineColor(COLORS - 1), steps));
    replace(this.table, phaseTable(current, colors, { tps: this.tps.get(current.step) ?? null, latest: this.chosen === null, onLatest: () => this.choose(null) }));
  }

  choose(step) {
    this.chosen = step;
    const query = this.route.query;
    if (step === null) {
      query.delete('step');
    } else {
      query.set('step', step);
    }
    this.route.keep(query);
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
    }, BETWEEN);
  }

  close() {
    clearTimeout(this.timer);
  }
}

/** Phases by their whole time, the longest first. */
function totals(steps) {
  const sums = new Map();
  for (const { phases } of steps) {
    for (const phase of phases) {
      sums.set(phase.name, (sums.get(phase.name) ?? 0) + phase.seconds);
    }
  }
  return [...sums].map(([name, sum]) => ({ name, sum })).sort((a, b) => b.sum - a.sum);
}

/** Phases that are too short to be told apart, as one. */
function others(phases) {
  const name = phases.length === 1 ? phases[0].name : `${phases.length} others`;
  return { name, sum: phases.reduce((sum, phase) => sum + phase.sum, 0) };
}

function share(phase, color, steps) {
  const whole = steps.reduce((sum, step) => sum + step.seconds, 0);
  const swatch = el('span', { class: 'swatch' });
  swatch.style.color = `var(${color})`;
  return el('li', {}, swatch, el('span', { class: 'name', text: phase.name }),
    el('span', { text: seconds(phase.sum / steps.length) }), el('span', { class: 'muted', text: whole > 0 ? percent(phase.sum / whole) : '' }));
}
