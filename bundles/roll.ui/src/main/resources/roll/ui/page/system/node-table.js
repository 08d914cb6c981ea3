// The nodes of a run as the first one sees them.
import { el } from '../dom.js';
import { count, number } from '../format.js';
import { line } from '../legible.js';

const STATES = { first: 'good', this: 'good', joined: 'good', unreachable: 'bad' };
const COLUMNS = ['node', 'state', 'address', 'version', 'epoch', 'answers in', 'cores', 'devices', 'roles', 'says of itself'];
const NUMBERS = new Set(['epoch', 'answers in', 'cores']);

/** The table of `nodes`. */
export function nodeTable(nodes) {
  const own = nodes.find(node => node.state === 'first') ?? nodes[0];
  return el('table', { class: 'list nodes' },
    el('caption', { class: 'hidden', text: 'Nodes' }),
    el('thead', {}, el('tr', {}, COLUMNS.map(text => el('th', { scope: 'col', class: NUMBERS.has(text) ? 'number' : '', text })))),
    el('tbody', {}, nodes.map(node => row(node, node.version !== own.version))));
}

function row(node, mixed) {
  return el('tr', {},
    el('th', { scope: 'row' }, el('bdi', { class: 'mono', text: line(node.name, 60) })),
    el('td', {}, el('span', { class: 'badge', 'data-state': STATES[node.state] ?? 'warn', text: line(node.state, 30) })),
    el('td', {}, el('bdi', { class: 'mono', text: line(node.address, 60) })),
    el('td', { class: mixed ? 'mixed' : '', title: mixed ? 'another version than the first node’s' : null }, el('bdi', { text: line(node.version || '–', 40) }), mixed ? ' differs' : null),
    el('td', { class: 'number', text: node.epoch < 0 ? '–' : count(node.epoch) }),
    el('td', { class: 'number', text: node.lagMillis < 0 ? 'no answer' : `${number(node.lagMillis)} ms` }),
    el('td', { class: 'number', text: count(node.cores) }),
    el('td', { text: words(node.devices) }),
    el('td', { text: node.roles?.length > 0 ? words(node.roles) : 'all but environment' }),
    el('td', {}, facts(node.facts ?? {})));
}

function words(list) {
  return (list ?? []).map(one => line(one, 60)).join(', ') || '–';
}

function facts(all) {
  const entries = Object.entries(all);
  return entries.length === 0 ? '–' : el('dl', { class: 'facts' }, entries.map(([name, value]) => [
    el('dt', {}, el('bdi', { text: line(name, 60) })), el('dd', {}, el('bdi', { text: line(String(value), 300) })),
  ]));
}
