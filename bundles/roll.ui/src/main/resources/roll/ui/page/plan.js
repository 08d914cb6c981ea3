// The plan of a run: memory on each device, by phase and purpose (parameters, gradients, KV cache …).
import { lineColor } from './colors.js';
import { el } from './dom.js';
import { megabytes } from './format.js';
import { line } from './legible.js';
import { swatch, table } from './parts.js';

const STATES = ['parameters', 'gathered', 'gradients', 'optimizer', 'activations', 'kv_cache'];
const NAMES = { kv_cache: 'KV cache', gathered: 'gathered parameters' };

/** A panel with the plan of `run`, an answer of /api/runs/{id}; null where it has none. */
export function planTable({ id, number, name, plan }) {
  const phases = plan?.phases ?? [];
  const devices = [...new Set(phases.flatMap(phase => Object.keys(phase.devices)))];
  if (devices.length === 0) {
    return null;
  }
  const states = STATES.filter(state => phases.some(phase => Object.values(phase.states).some(one => one[state] > 0)));
  const max = Math.max(...phases.flatMap(phase => Object.values(phase.devices)), 1);
  const columns = ['phase', ...[...states.map(nameOf), 'sum'].map(text => ({ text, class: 'number' })), { text: 'share', unseen: true }];
  const caption = el('caption', { class: 'padded' }, 'Run ', el('a', { href: `#/run/${id}` }, `${number} `, el('bdi', { text: line(name, 60) })),
    ': planned memory in each phase, all roles together',
    el('ul', { class: 'legend', 'aria-hidden': 'true' }, states.map(state => el('li', {}, swatch(colorOf(state)), el('span', { class: 'name', text: nameOf(state) })))));
  return el('section', { class: 'panel flush scroll', tabindex: 0, 'aria-label': `Planned memory of run ${number}` },
    plan.refusal && el('p', { class: 'note warn', text: plan.refusal }),
    table({ class: 'list planned', caption, columns }, ...alike(devices, phases).map(group => el('tbody', {},
      el('tr', { class: 'kind' }, el('th', { scope: 'rowgroup', colspan: columns.length }, groupName(group),
        plan.capacity[group[0]] !== undefined && el('small', { text: ` of ${megabytes(plan.capacity[group[0]])}` }))),
      phases.filter(phase => phase.devices[group[0]] !== undefined).map(phase => row(phase, group[0], states, max))))),
    plan.unknown.length > 0 && el('p', { class: 'muted padded', text: `Not counted, since their strategy does not report it: ${plan.unknown.map(role => line(role, 60)).join(', ')}.` }));
}

/** The name of a device in metrics and plans: `cpu` is the memory of the machine. */
export function deviceName(device) {
  return device === 'cpu' ? 'machine' : /^\d+$/.test(device) ? `device ${device}` : device;
}

/** Groups of devices that hold the same in every phase. */
function alike(devices, phases) {
  return Object.values(Object.groupBy(devices, device => JSON.stringify(phases.map(phase => [phase.devices[device], phase.states[device]]))));
}

function groupName(devices) {
  return devices.length === 1 ? deviceName(devices[0])
    : `devices ${devices.length > 6 ? `${devices[0]} … ${devices.at(-1)} (${devices.length})` : devices.join(', ')}, each`;
}

function row(phase, device, states, max) {
  const held = phase.states[device] ?? {};
  const sum = phase.devices[device];
  const pieces = states.length > 0 ? states.filter(state => held[state] > 0).map(state => [nameOf(state), held[state], colorOf(state)]) : [['sum', sum, colorOf(STATES[0])]];
  return el('tr', {},
    el('th', { scope: 'row', text: line(phase.name.replaceAll('_', ' '), 60) }),
    states.map(state => el('td', { class: 'number', text: held[state] ? megabytes(held[state]) : '–' })),
    el('td', { class: 'number sum', text: megabytes(sum) }),
    el('td', { class: 'share' }, el('span', { class: 'state-bar', 'aria-hidden': 'true' }, pieces.map(([name, size, color]) =>
      el('span', { class: 'state-piece', title: `${name} ${megabytes(size)}`, style: { width: `${(100 * size) / max}%`, background: `var(${color})` } })))));
}

function nameOf(state) {
  return NAMES[state] ?? state;
}

function colorOf(state) {
  return lineColor(STATES.indexOf(state));
}
