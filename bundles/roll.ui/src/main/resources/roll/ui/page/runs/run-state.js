// Small pieces that show where a run is: badge, progress, times.
import { el } from '../dom.js';
import { count, moment, seconds } from '../format.js';

/** Whether it goes on, here or in another process. */
export function goesOn(run) {
  return run.live || run.state === 'elsewhere';
}

/** The state with its colour. */
export function badge({ state }) {
  return el('span', { class: 'badge', 'data-state': state, text: state });
}

/** Steps done of all, with a bar where the last one is known. */
export function progress(run) {
  const text = run.maxSteps ? `${count(run.step)} / ${count(run.maxSteps)}` : count(run.step);
  if (!run.maxSteps) {
    return el('span', { class: 'steps', text });
  }
  const bar = el('span', { class: run.live ? 'progress going' : 'progress', 'aria-hidden': 'true' }, el('span', {}));
  bar.firstChild.style.width = `${Math.min(100, (100 * run.step) / run.maxSteps)}%`;
  return el('span', { class: 'steps' }, text, bar);
}

/** When it began and how long it took, as two short texts. */
export function times(run) {
  const began = run.started ?? null;
  const until = run.ended ?? (run.live ? Date.now() : run.updated);
  return {
    began: moment(began ?? run.updated),
    took: began && until > began ? seconds((until - began) / 1000) : '',
  };
}

/** The last two parts of a folder's path. */
export function shortFolder(folder) {
  const parts = folder.split('/').filter(Boolean);
  return parts.length > 2 ? `…/${parts.slice(-2).join('/')}` : folder;
}
