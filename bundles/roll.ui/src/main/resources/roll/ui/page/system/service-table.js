// Services by kind, one table, so that columns line up across kinds.
import { el } from '../dom.js';
import { line } from '../legible.js';

const COLUMNS = ['id', 'bundle', 'version', 'from', 'used by'];

/** The table of `kinds`; `runs` give the names of their numbers. */
export function serviceTable(kinds, runs) {
  return el('table', { class: 'list services' },
    el('caption', { class: 'hidden', text: 'Services by kind' }),
    el('thead', {}, el('tr', {}, COLUMNS.map(text => el('th', { scope: 'col', text })))),
    kinds.map(({ kind, services }) => el('tbody', {},
      el('tr', { class: 'kind' }, el('th', { scope: 'rowgroup', colspan: COLUMNS.length },
        el('bdi', { class: 'mono', text: line(kind, 60) }), el('small', { text: ` ${services.length}` }))),
      services.map(service => [row(service, runs), service.trouble ? trouble(service) : null]))));
}

function row(service, runs) {
  return el('tr', { class: service.trouble ? 'troubled' : null },
    el('th', { scope: 'row' }, el('bdi', { class: 'mono', text: line(service.id, 60) })),
    el('td', {}, el('bdi', { text: line(service.bundle ?? '–', 80) })),
    el('td', { class: 'version' }, el('bdi', { text: line(service.version ?? '–', 40) })),
    el('td', { class: 'file' }, service.from ? el('bdi', { class: 'mono', title: line(service.from, 400), text: line(fileOf(service.from), 60) }) : el('span', { class: 'muted', text: 'distribution' })),
    el('td', { class: 'used' }, (service.usedBy ?? []).map(number => usedBy(number, runs))));
}

function trouble(service) {
  return el('tr', { class: 'trouble' }, el('td', { colspan: COLUMNS.length },
    el('span', { class: 'badge', 'data-state': 'bad', text: 'trouble' }), ' ', el('bdi', { text: line(service.trouble, 600) })));
}

function usedBy(number, runs) {
  const run = runs.find(one => one.number === number);
  return run
    ? el('a', { href: `#/run/${run.id}`, title: line(run.name, 80), text: `run ${number}` })
    : el('span', { text: `run ${number}` });
}

/** The last part of a path. */
export function fileOf(path) {
  return path.split(/[/\\]/).at(-1);
}
