// The phases of one step: when, how long, the process's memory, and what devices held beside the plan.
import { el } from '../dom.js';
import { count, megabytes, percent, seconds } from '../format.js';
import { deviceName } from './plan-table.js';

/**
 * A panel for `step`, an entry of …/phases. `tps`: tokens a second, or null; `latest`: it follows the
 * run; otherwise a button does.
 */
export function phaseTable(step, colors, { tps, latest, onLatest }) {
  const devices = [...new Set(step.phases.flatMap(phase => Object.keys(phase.devices ?? {})))].sort();
  const inOrder = [...step.phases].sort((a, b) => a.start - b.start);
  return el('section', { class: 'panel' },
    el('div', { class: 'bar' }, el('h2', {}, `Step ${step.step} `, el('small', { text: tps === null ? seconds(step.seconds) : `${seconds(step.seconds)} · ${count(tps)} tokens/s` })),
      latest ? el('small', { class: 'end', text: 'the latest' }) : el('button', { type: 'button', class: 'small end', text: 'Follow the latest', onclick: onLatest })),
    el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Phases of step ${step.step}` },
      el('table', { class: 'phases' },
        el('thead', {}, head(devices)),
        el('tbody', {}, inOrder.map(phase => row(phase, step, devices, colors)), rest(step, devices)))));
}

function head(devices) {
  const number = text => el('th', { scope: 'col', class: 'number', text });
  return el('tr', {}, el('th', { scope: 'col', text: 'phase' }), number('time'), number('share'),
    el('th', { scope: 'col', class: 'time', text: 'in the step' }), number('process before'), number('after'),
    devices.map(name => el('th', { scope: 'col', class: 'held', text: `${deviceName(name)}: held of the plan` })));
}

function row(phase, step, devices, colors) {
  const bar = el('span', { class: 'gantt', 'aria-hidden': 'true' }, el('span'));
  bar.firstChild.style.left = share(phase.start, step.seconds);
  bar.firstChild.style.width = share(phase.seconds, step.seconds);
  bar.firstChild.style.background = `var(${colors.get(phase.name)})`;
  const number = text => el('td', { class: 'number', text });
  const { start, end } = phase.memory ?? {};
  return el('tr', {}, el('th', { scope: 'row', text: phase.name }),
    number(seconds(phase.seconds)), number(step.seconds > 0 ? percent(phase.seconds / step.seconds) : ''),
    el('td', { class: 'time' }, bar),
    number(start === undefined ? '' : megabytes(start)), number(end === undefined ? '' : megabytes(end)),
    devices.map(name => el('td', { class: 'held' }, held(phase.devices?.[name]))));
}

/** What is held beside the plan's figure, as numbers and as a bar whose mark is the plan. */
function held(device) {
  if (!device || (device.held ?? null) === null) {
    return null;
  }
  const text = (device.expected ?? null) === null ? megabytes(device.held) : `${megabytes(device.held)} of ${megabytes(device.expected)}`;
  const above = device.expected > 0 && device.held > device.expected;
  const bar = el('span', { class: above ? 'meter above' : 'meter', 'aria-hidden': 'true' }, el('span'));
  const whole = Math.max(device.held, device.expected ?? 0, 1e-9) * 1.05;
  bar.firstChild.style.width = share(device.held, whole);
  bar.style.setProperty('--plan', share(device.expected ?? 0, whole));
  return [text, above && el('small', { class: 'over', text: ' above the plan' }), bar];
}

/** What of the step no phase covers. */
function rest(step, devices) {
  const covered = step.phases.reduce((sum, phase) => sum + phase.seconds, 0);
  const left = step.seconds - covered;
  return left > 0.005 * step.seconds && el('tr', { class: 'muted' }, el('th', { scope: 'row', text: 'outside phases' }),
    el('td', { class: 'number', text: seconds(left) }), el('td', { class: 'number', text: percent(left / step.seconds) }),
    el('td'), el('td'), el('td'), devices.map(() => el('td')));
}

function share(part, whole) {
  return `${whole > 0 ? Math.min(100, (100 * part) / whole).toFixed(2) : 0}%`;
}
