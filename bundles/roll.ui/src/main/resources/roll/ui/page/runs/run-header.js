// The head of a run: name, state, orders, where it is, its numbers, what it waits for, its notices.
import { el, replace, setText } from '../dom.js';
import { count, seconds } from '../format.js';
import { HEADLINES, headline } from './metric-names.js';
import { orders } from './orders.js';
import { badge, progress, times } from './run-state.js';

const TICK = 1000;

/** Returns `{ node, update(run), pace(seconds of a step), close() }`. */
export function runHeader(first, readOnly) {
  let run = first;
  let pace = null;
  const state = el('span', { role: 'status' });
  const order = orders(readOnly);
  const step = figure('step');
  const phase = el('small');
  const numbers = HEADLINES.map(column => figure(column.label));
  const took = figure('time');
  const left = figure('left');
  const waiting = el('p', { class: 'note warn', role: 'status', hidden: true });
  const trajectories = el('a', { class: 'button', href: `#/run/${run.id}/trajectories`, text: 'Trajectories' });
  const notices = el('details', { class: 'notes' });
  const node = el('div', { class: 'run-head' },
    el('p', { class: 'crumbs' }, el('a', { href: '#/runs', text: 'Runs' }), ` / ${first.number === null ? '' : `run ${first.number} `}`, el('span', { class: 'mono', text: first.folder })),
    el('div', { class: 'bar' }, el('h1', { text: first.name }), state,
      el('div', { class: 'buttons end' }, order.node, trajectories)),
    waiting,
    el('dl', { class: 'figures' }, [step, ...numbers, took, left].map(one => one.node)),
    notices);

  function tick() {
    const time = times(run);
    took.set(time.took, `since ${time.began}`);
    const remaining = run.live && run.state === 'running' && pace && run.step < run.maxSteps ? (run.maxSteps - run.step) * pace : null;
    left.set(remaining === null ? '' : `≈ ${seconds(remaining)}`, pace === null ? '' : `${seconds(pace)} a step`);
  }

  function update(latest) {
    run = latest;
    if (state.textContent !== run.state) {
      replace(state, badge(run));
    }
    order.update(run);
    setText(phase, run.phase || (run.state === 'running' ? 'between steps' : ''));
    step.put([progress(run), phase]);
    HEADLINES.forEach((column, place) => numbers[place].set(headline(run, column) ?? ''));
    waiting.hidden = !run.waiting;
    waiting.className = run.state === 'failed' ? 'note bad' : 'note warn';
    setText(waiting, run.waiting ?? '');
    trajectories.hidden = (run.trajectories ?? []).length === 0;
    updateNotices(notices, run.notices ?? []);
    tick();
  }

  update(first);
  const timer = setInterval(tick, TICK);
  return {
    node, update,
    pace(secondsOfStep) {
      pace = secondsOfStep;
      tick();
    },
    close: () => clearInterval(timer),
  };
}

/** A number with its name above; nothing is shown where it has none. */
function figure(label) {
  const value = el('dd');
  const more = el('small');
  const node = el('div', { hidden: true }, el('dt', { text: label }), value);
  return {
    node,
    set(text, below = '') {
      node.hidden = text === '';
      if (!value.firstChild || value.firstChild.nodeType !== Node.TEXT_NODE) {
        replace(value, document.createTextNode(''), more);
      }
      if (value.firstChild.data !== text) {
        value.firstChild.data = text;
      }
      setText(more, below);
    },
    put(content) {
      node.hidden = false;
      replace(value, content);
    },
  };
}

function updateNotices(node, lines) {
  node.hidden = lines.length === 0;
  if (node.dataset.lines === lines.join('\n')) {
    return;
  }
  node.dataset.lines = lines.join('\n');
  replace(node, el('summary', { text: lines.length === 1 ? '1 notice' : `${count(lines.length)} notices` }),
    el('ul', {}, lines.map(line => el('li', { text: line }))));
}
