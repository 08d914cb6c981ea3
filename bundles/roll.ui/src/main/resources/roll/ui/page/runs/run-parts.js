// Small parts that show a run: progress, times, headline numbers, orders, swaps.
import { post } from '../api.js';
import { el, update } from '../dom.js';
import { count, moment, seconds } from '../format.js';
import { ask, complain, say, table } from '../parts.js';

/** Whether a run continues, in this or another process. */
export function isActive(run) {
  return run.live || run.ended === null;
}

/** Orders that were given and have not taken effect: a step may last minutes. By id of the run. */
const given = new Map();

/** The state of a run as it is shown: `pausing` and `stopping` from the order on. */
export function stateOf(run) {
  const { word, from } = given.get(run.id) ?? {};
  if (!word || !run.live || run.state !== from) {
    given.delete(run.id);
    return run.state;
  }
  return word;
}

/** Completed steps, with a bar where the last step is known. */
export function progress(run) {
  if (!run.maxSteps) {
    return el('span', { class: 'steps', text: count(run.step) });
  }
  const width = `${Math.min(100, (100 * run.step) / run.maxSteps)}%`;
  return el('span', { class: 'steps' }, `${count(run.step)} / ${count(run.maxSteps)}`,
    el('span', { class: run.live ? 'progress going' : 'progress', 'aria-hidden': 'true' }, el('span', { style: { width } })));
}

/** When it began and how long it took, as two short texts. */
export function times(run) {
  const began = run.started ?? null;
  const until = run.ended ?? (run.live ? Date.now() : run.updated);
  return { began: moment(began ?? run.updated), took: began && until > began ? seconds((until - began) / 1000) : '' };
}

/** The last two parts of the path of a folder. */
export function shortFolder(folder) {
  const parts = folder.split('/').filter(Boolean);
  return parts.length > 2 ? `…/${parts.slice(-2).join('/')}` : folder;
}

/** Buttons for the orders that a run takes now; none for one that has ended or is only shown. Calls `changed()` after an order. */
export function orders(readOnly, small = false, changed = () => {}) {
  const node = el('div', { class: 'buttons orders' });

  async function order(word, run) {
    node.querySelectorAll('button').forEach(button => button.disabled = true);
    try {
      if (word !== 'stop' || await ask(stopping(run))) {
        const { line } = await post(`/api/runs/${run.id}/${word}`);
        given.delete(run.id);
        if (word !== 'resume') {
          given.set(run.id, { word: word === 'pause' ? 'pausing' : 'stopping', from: run.state });
        }
        say(line);
      }
    } catch (error) {
      complain(error);
    }
    show(run);
    changed();
  }

  /** Shows the buttons for `run`, an entry of /api/runs. */
  function show(run) {
    const state = stateOf(run);
    const words = readOnly || !run.live ? [] : state === 'paused' || state === 'pausing' ? ['Resume', 'Stop']
      : ['starting', 'running', 'waiting'].includes(state) ? ['Pause', 'Stop'] : [];
    const kind = { Resume: small ? '' : 'primary', Stop: 'danger' };
    update(node, words.map(word => el('button', {
      type: 'button', class: `${small ? 'small' : ''} ${kind[word] ?? ''}`, text: word, 'aria-label': `${word} ${run.name}`,
      onclick: () => order(word.toLowerCase(), run),
    })));
  }

  return { node, show };
}

function stopping(run) {
  return {
    title: `Stop ${run.name}?`,
    content: `The current step is completed and a checkpoint is saved${run.step === null ? '' : ` (step ${run.step} now)`}. The run can be resumed later with resume_from_checkpoint=true.`,
    action: 'Stop', danger: true,
  };
}

/** A panel with the swaps of a run, or null where there are none. */
export function swapList({ swaps }) {
  return swaps.length === 0 ? null : el('section', { class: 'panel' },
    el('h2', {}, 'Swapped ', el('small', { text: 'dashed lines in the curves' })),
    table({ class: 'swaps', columns: [{ text: 'from step', class: 'number' }, 'at', 'what'] }, swaps.map(swap => el('tr', {},
      el('td', { class: 'number', text: swap.step ?? '–' }),
      el('td', { class: 'muted', text: moment(swap.time) }),
      el('td', { text: swap.line })))));
}
