// The phases of one step: time, memory of the process, and memory of the models beside the plan.
import { el } from '../dom.js';
import { count, megabytes, percent, seconds } from '../format.js';
import { scroller, table } from '../parts.js';
import { deviceName } from '../plan.js';

/** A panel for `step`, an entry of …/phases. `tps`: tokens per second, or null; `latest`: whether it follows the run. */
export function phaseTable(step, colors, { tps, latest, onLatest }) {
  const devices = [...new Set(step.phases.flatMap(phase => Object.keys(phase.devices)))].sort();
  const number = text => ({ text, class: 'number' });
  const columns = ['phase', number('time'), number('share'), { text: 'in the step', class: 'time' }, number('process before'), number('after'),
    ...devices.map(name => ({ text: `${deviceName(name)}, model memory: used / planned`, class: 'held' }))];
  return el('section', { class: 'panel' },
    el('div', { class: 'bar' }, el('h2', {}, `Step ${step.step} `, el('small', { text: seconds(step.seconds) + (tps === null ? '' : ` · ${count(tps)} tokens/s`) })),
      latest ? el('small', { class: 'end', text: 'latest' }) : el('button', { type: 'button', class: 'small end', text: 'Follow the latest', onclick: onLatest })),
    scroller(`Phases of step ${step.step}`, table({ class: 'phases', columns },
      [step.phases.map(phase => row(phase, step, devices, colors)), rest(step, devices)].flat().filter(Boolean))),
    Object.entries(step.idle).map(([device, shares]) => el('p', { text: idle(device, shares) })));
}

/** The share of the step in which no model computed on a device, the largest cause first. */
function idle(device, { total, ...causes }) {
  const parts = Object.entries(causes).filter(([, share]) => share >= 0.005).sort(([, a], [, b]) => b - a);
  return `${deviceName(device)} idle: ${percent(total)}` + (parts.length > 0 ? ` (${parts.map(([cause, share]) => `${cause} ${percent(share)}`).join(', ')})` : '');
}

function row(phase, step, devices, colors) {
  const style = { left: share(phase.start, step.seconds), width: share(phase.seconds, step.seconds), background: `var(${colors.get(phase.name)})` };
  const number = text => el('td', { class: 'number', text });
  const memory = value => number((value ?? null) === null ? '' : megabytes(value));
  return el('tr', {}, el('th', { scope: 'row', text: phase.name }),
    number(seconds(phase.seconds)), number(step.seconds > 0 ? percent(phase.seconds / step.seconds) : ''),
    el('td', { class: 'time' }, el('span', { class: 'gantt', 'aria-hidden': 'true' }, el('span', { style }))),
    memory(phase.memory?.start), memory(phase.memory?.end),
    devices.map(name => el('td', { class: 'held' }, held(phase.devices[name]))));
}

/** Used and planned memory of models, as numbers and as a bar whose mark is the plan. */
function held(device) {
  if (!device || device.held === null) {
    return null;
  }
  const planned = device.expected ?? 0;
  const above = planned > 0 && device.held > planned;
  const whole = Math.max(device.held, planned, 1e-9) * 1.05;
  return [device.expected === null ? megabytes(device.held) : `${megabytes(device.held)} / ${megabytes(planned)}`,
    above && el('small', { class: 'over', text: ' above the plan' }),
    el('span', { class: above ? 'meter above' : 'meter', 'aria-hidden': 'true', style: { '--plan': share(planned, whole) } },
      el('span', { style: { width: share(device.held, whole) } }))];
}

/** The part of the step outside phases. */
function rest(step, devices) {
  const left = step.seconds - step.phases.reduce((sum, phase) => sum + phase.seconds, 0);
  return left > 0.005 * step.seconds && el('tr', { class: 'muted' }, el('th', { scope: 'row', text: 'outside phases' }),
    el('td', { class: 'number', text: seconds(left) }), el('td', { class: 'number', text: percent(left / step.seconds) }),
    [1, 2, 3, ...devices].map(() => el('td')));
}

function share(part, whole) {
  return `${whole > 0 ? Math.min(100, (100 * part) / whole).toFixed(2) : 0}%`;
}
