// Devices with what models hold on each, what was planned, and what there is.
import { el } from '../dom.js';
import { megabytes } from '../format.js';
import { line } from '../legible.js';

/** The table of `devices`. */
export function deviceTable(devices) {
  const most = Math.max(...devices.map(({ memory }) => memory.total ?? 0), 1);
  const cards = devices.some(({ memory }) => memory.reserved !== null && memory.reserved !== undefined);
  const columns = ['device', 'what', 'held by models', 'expected', ...(cards ? ['in use'] : []), 'total', 'share'];
  return el('table', { class: 'list devices' },
    el('caption', { class: 'hidden', text: 'Memory of devices' }),
    el('thead', {}, el('tr', {}, columns.map((text, place) => el('th', { scope: 'col', class: place > 1 && text !== 'share' ? 'number' : '', text })))),
    el('tbody', {}, devices.map(device => row(device, most, cards))));
}

function row(device, most, cards) {
  const { memory } = device;
  return el('tr', {},
    el('th', { scope: 'row', text: deviceName(device) }),
    el('td', { class: 'what' }, el('bdi', { text: line(device.name ?? '', 80) })),
    ['held', 'expected', ...(cards ? ['reserved'] : []), 'total'].map(name => el('td', { class: 'number', text: megabytes(memory[name]) })),
    el('td', { class: 'share' }, bar(memory, most)));
}

/** Held as a filled bar, expected as a mark, on a scale that all devices share. */
function bar({ held, expected, total }, most) {
  const percent = total > 0 && held !== null && held !== undefined ? `${Math.round((100 * held) / total)} % held` : 'nothing held';
  const track = el('span', { class: 'memory-track' });
  track.style.width = `${(100 * (total ?? 0)) / most}%`;
  const filled = el('span', { class: 'memory-held' });
  filled.style.width = total > 0 ? `${Math.min(100, (100 * (held ?? 0)) / total)}%` : '0';
  track.append(filled);
  if (expected !== null && expected !== undefined && total > 0) {
    const mark = el('span', { class: 'memory-expected', title: `expected ${megabytes(expected)}` });
    mark.style.left = `${Math.min(100, (100 * expected) / total)}%`;
    track.append(mark);
  }
  return el('span', { class: 'memory', role: 'img', 'aria-label': percent }, track);
}

/** What the shell calls a device. */
export function deviceName({ index, kind }) {
  return index < 0 ? 'cpu' : `${kind ?? 'device'} ${index}`;
}
