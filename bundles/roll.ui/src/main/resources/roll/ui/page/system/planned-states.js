// What a run's plan counts on each device, by phase, and what for: parameters, gradients, optimizer,
// KV cache and so on beside each other.
import { el } from '../dom.js';
import { megabytes } from '../format.js';
import { line } from '../legible.js';
import { lineColor } from '../colors.js';

const STATES = ['parameters', 'gathered', 'gradients', 'optimizer', 'activations', 'kv_cache'];
const NAMES = { kv_cache: 'KV cache', gathered: 'gathered parameters' };

/**
 * The planned memory of `run`, an answer of /api/runs/{id}: megabytes by phase and device, and by
 * state where the answer has `states` of a phase; nothing where its plan is not known.
 */
export function plannedStates(run) {
  const phases = run.plan?.phases ?? [];
  const devices = [...new Set(phases.flatMap(phase => Object.keys(phase.devices)))];
  if (devices.length === 0) {
    return [];
  }
  const held = phases.flatMap(phase => Object.values(phase.states ?? {}));
  const states = STATES.filter(state => held.some(one => one[state] > 0));
  const most = Math.max(...phases.flatMap(phase => Object.values(phase.devices)), 1);
  const title = `Planned memory of run ${run.number}`;
  return el('section', { class: 'panel flush scroll', tabindex: '0', 'aria-label': title },
    el('table', { class: 'list planned' },
      el('caption', { class: 'padded' }, 'Run ', el('a', { href: `#/run/${run.id}` }, `${run.number} `, el('bdi', { text: line(run.name, 60) })),
        ': what its plan counts in each phase, all roles together', states.length > 0 ? legend(states) : null),
      el('thead', {}, el('tr', {},
        ['phase', ...states.map(nameOf), 'sum'].map((text, place) => el('th', { scope: 'col', class: place > 0 ? 'number' : '', text })),
        el('th', { scope: 'col' }, el('span', { class: 'hidden', text: 'share' })))),
      alike(devices, phases).map(([device, ...same]) => el('tbody', {},
        el('tr', { class: 'kind' }, el('th', { scope: 'rowgroup', colspan: states.length + 3 },
          named([device, ...same]), capacity(run.plan.capacity?.[device]))),
        phases.filter(phase => phase.devices[device] !== undefined)
          .map(phase => phaseRow(phase, device, states, most))))),
    run.plan.unknown?.length > 0
      ? el('p', { class: 'muted padded', text: `Not counted, since their strategy does not tell: ${run.plan.unknown.map(role => line(role, 60)).join(', ')}.` })
      : null);
}

/** Devices that hold the same in every phase, together. */
function alike(devices, phases) {
  const groups = new Map();
  for (const device of devices) {
    const held = JSON.stringify(phases.map(phase => [phase.devices[device], phase.states?.[device]]));
    groups.set(held, [...(groups.get(held) ?? []), device]);
  }
  return [...groups.values()];
}

function named(devices) {
  if (devices.length > 1) {
    return `devices ${devices.length > 6 ? `${devices[0]} … ${devices.at(-1)} (${devices.length})` : devices.join(', ')}, each`;
  }
  return devices[0] === 'cpu' ? 'cpu, all cores' : `device ${devices[0]}`;
}

function capacity(size) {
  return size === undefined ? null : el('small', { text: ` of ${megabytes(size)}` });
}

function phaseRow(phase, device, states, most) {
  const held = phase.states?.[device] ?? {};
  const sum = phase.devices[device];
  const bar = el('span', { class: 'state-bar', 'aria-hidden': 'true' },
    states.length > 0
      ? states.filter(state => held[state] > 0).map(state => piece(held[state], most, colorOf(state), nameOf(state)))
      : piece(sum, most, colorOf(STATES[0]), 'sum'));
  return el('tr', {},
    el('th', { scope: 'row', text: line(phase.name.replaceAll('_', ' '), 60) }),
    states.map(state => el('td', { class: 'number', text: held[state] ? megabytes(held[state]) : '–' })),
    el('td', { class: 'number sum', text: megabytes(sum) }),
    el('td', { class: 'share' }, bar));
}

function piece(size, most, color, name) {
  const drawn = el('span', { class: 'state-piece', title: `${name} ${megabytes(size)}` });
  drawn.style.width = `${(100 * size) / most}%`;
  drawn.style.background = color;
  return drawn;
}

function legend(states) {
  return el('ul', { class: 'legend', 'aria-hidden': 'true' }, states.map(state => {
    const swatch = el('span', { class: 'swatch' });
    swatch.style.background = colorOf(state);
    return el('li', {}, swatch, el('span', { class: 'name', text: nameOf(state) }));
  }));
}

function nameOf(state) {
  return NAMES[state] ?? state;
}

function colorOf(state) {
  return `var(${lineColor(STATES.indexOf(state))})`;
}
