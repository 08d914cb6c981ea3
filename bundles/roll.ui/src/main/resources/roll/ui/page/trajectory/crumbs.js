// Where a view of episodes stands: its run, and the step.
import { el } from '../dom.js';
import { line } from '../legible.js';

/** Links to all runs, to the run `id` called `name` and, where it is given, to the list of `step`. */
export function crumbs(id, name, step = null) {
  return el('p', { class: 'crumbs' },
    el('a', { href: '#/runs', text: 'Runs' }), ' / ',
    el('a', { href: `#/run/${id}` }, el('bdi', { text: line(name, 60) })),
    step === null ? null : [' / ', el('a', { href: `#/run/${id}/trajectories?step=${step}`, text: `step ${step}` })]);
}
