// Which keys of their configurations runs differ in.
import { el } from '../dom.js';
import { differences, flatConfig } from './config-lines.js';

const MOST = 200;
const LONG = 60;

/** A panel with the keys that are not the same in all `runs`; null for less than two. */
export function differencesPanel(runs) {
  const known = runs.filter(run => run.config);
  if (known.length < 2) {
    return null;
  }
  const found = differences(known.map(run => flatConfig(run.config)));
  return el('section', { class: 'panel' },
    el('h2', {}, 'Configurations ', el('small', { text: found.length === 0 ? '' : `${found.length} ${found.length === 1 ? 'key differs' : 'keys differ'}` })),
    found.length === 0
      ? el('p', { class: 'nothing', text: 'Nothing differs.' })
      : el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Keys that differ' }, table(known, found)));
}

function table(runs, found) {
  return el('table', { class: 'differences' },
    found.length > MOST && el('caption', { text: `The first ${MOST} of ${found.length} keys` }),
    el('thead', {}, el('tr', {}, el('th', { scope: 'col', text: 'key' }), runs.map(run => el('th', { scope: 'col', text: run.name })))),
    el('tbody', {}, found.slice(0, MOST).map(({ key, values }) => el('tr', {},
      el('th', { scope: 'row' }, el('code', { text: key })),
      values.map(value => value === null
        ? el('td', { class: 'muted', text: 'not set' })
        : el('td', {}, el('code', { text: shortened(value), title: value })))))));
}

function shortened(value) {
  return value.length > LONG ? `${value.slice(0, LONG)}…` : value;
}
