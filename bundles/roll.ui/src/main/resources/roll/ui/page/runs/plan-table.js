// What the run was planned to hold on each device in each phase, before it began.
import { el } from '../dom.js';
import { megabytes } from '../format.js';

/** A panel for the plan of a run; null where none is known. */
export function planTable(plan) {
  const phases = plan?.phases ?? [];
  if (phases.length === 0) {
    return null;
  }
  const devices = [...new Set(phases.flatMap(phase => Object.keys(phase.devices)))].sort();
  const row = (name, values, attributes = {}) => el('tr', attributes, el('th', { scope: 'row', text: name }),
    devices.map(device => el('td', { class: 'number', text: values[device] === undefined ? '' : megabytes(values[device]) })));
  return el('section', { class: 'panel' },
    el('h2', {}, 'Plan ', el('small', { text: 'what all roles are expected to hold' })),
    plan.refusal && el('p', { class: 'note warn', text: plan.refusal }),
    plan.unknown?.length > 0 && el('p', { class: 'nothing', text: `Not counted, since their strategy does not say: ${plan.unknown.join(', ')}` }),
    el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Plan' },
      el('table', { class: 'plan' },
        el('thead', {}, el('tr', {}, el('th', { scope: 'col', text: 'phase' }), devices.map(device => el('th', { scope: 'col', class: 'number', text: deviceName(device) })))),
        el('tbody', {}, phases.map(phase => row(phase.name, phase.devices)),
          row('there is', plan.capacity ?? {}, { class: 'muted' })))));
}

/** How a device is called: `cpu` are the roles that have none, which take the machine's memory. */
export function deviceName(name) {
  return name === 'cpu' ? 'machine' : /^\d+$/.test(name) ? `device ${name}` : name;
}
