// What is registered, by which bundle, used by which run; what waits; swaps and deployment.
import { about, get, gone } from '../api.js';
import { el, replace, setText } from '../dom.js';
import { line } from '../legible.js';
import { on } from '../live.js';
import { answerLog } from './answer-log.js';
import { deployArea } from './deploy-area.js';
import { serviceTable } from './service-table.js';
import { swapBoard } from './swap-board.js';

const TOGETHER = 300; // ms in which events are answered together

/** Shows the services of this system. */
export async function show(root, route) {
  const rights = await about();
  const state = { q: route.query.get('q') ?? '', only: route.query.get('only') ?? 'all' };
  const table = el('div', { class: 'scroll panel flush', tabindex: '0', role: 'region', 'aria-label': 'Services' });
  const waits = el('div', { role: 'status' });
  const found = el('p', { class: 'muted num', role: 'status' });
  const log = answerLog();
  const swaps = rights.readOnly ? null : swapBoard(log);
  const jars = rights.deploy && !rights.readOnly ? deployArea(root, log, refresh) : null;
  const asking = new AbortController();
  let services = { kinds: [], waiting: [] };
  let runs = [];
  let timer = 0;

  async function refresh() {
    try {
      const [answer, list] = await Promise.all([
        get('/api/services', { signal: asking.signal }), get('/api/runs', { signal: asking.signal }),
      ]);
      services = answer;
      runs = list.runs;
      draw();
      swaps?.runs(runs);
      jars?.services(services.kinds);
    } catch (error) {
      if (!gone(error)) {
        throw error;
      }
    }
  }

  function again() {
    timer ||= setTimeout(() => {
      timer = 0;
      refresh().catch(error => setText(found, error.message));
    }, TOGETHER);
  }

  function draw() {
    const shown = kept(services.kinds, state);
    const all = size(services.kinds);
    setText(found, size(shown) === all ? `${all} services of ${services.kinds.length} kinds` : `${size(shown)} of ${all} services`);
    replace(table, all === 0
      ? el('p', { class: 'nothing padded', text: 'Nothing is registered: the bundles are still starting, or this distribution has no plugins.' })
      : size(shown) === 0
        ? el('p', { class: 'nothing padded', text: state.q ? `No service has “${line(state.q, 60)}” in its id, kind, bundle or file.` : 'None of the services.' })
        : serviceTable(shown, runs));
    replace(waits, waitingList(services.waiting, runs));
  }

  function keep(part) {
    Object.assign(state, part);
    const query = new URLSearchParams();
    if (state.q) {
      query.set('q', state.q);
    }
    if (state.only !== 'all') {
      query.set('only', state.only);
    }
    route.keep(query);
    draw();
  }

  const side = [swaps?.root, jars?.root, rights.readOnly ? null : log.root].filter(Boolean);
  replace(root,
    el('header', { class: 'bar' }, el('h1', { text: 'Services' }), found),
    waits,
    el('div', { class: 'controls', role: 'search' },
      el('label', { class: 'field' }, el('span', { text: 'Find' }), el('input', {
        type: 'search', value: state.q, placeholder: 'id, kind, bundle, file …', maxlength: 100,
        oninput: event => keep({ q: event.target.value.trim() }),
      })),
      choice([['all', 'all'], ['used', 'in use'], ['deployed', 'deployed'], ['trouble', 'in trouble']], state.only, only => keep({ only }))),
    side.length > 0
      ? el('div', { class: 'beside' }, el('div', { class: 'beside-side' }, side), el('div', { class: 'beside-main' }, table))
      : table);
  await refresh();
  const offs = [on('services', again), on('run', whenPartsChange(again)), on('again', again)];
  return {
    close() {
      asking.abort();
      clearTimeout(timer);
      offs.forEach(off => off());
      jars?.close();
    },
  };
}

/** A listener to runs that calls `changed` only where what a run uses or waits for is another. */
function whenPartsChange(changed) {
  const known = new Map();
  return run => {
    const parts = JSON.stringify([run.state, run.waiting, run.served]);
    if (known.get(run.id) !== parts) {
      known.set(run.id, parts);
      changed();
    }
  };
}

function choice(choices, chosen, onChoose) {
  return el('fieldset', { class: 'segments' }, el('legend', { class: 'hidden', text: 'Show' }),
    choices.map(([value, text]) => el('label', {},
      el('input', { type: 'radio', name: 'service-filter', value, checked: value === chosen, onchange: () => onChoose(value) }),
      el('span', { text }))));
}

function kept(kinds, { q, only }) {
  const words = q.toLowerCase();
  return kinds
    .map(({ kind, services }) => ({
      kind,
      services: services.filter(service => fits(service, only)
        && [service.id, kind, service.bundle, service.from].some(text => String(text ?? '').toLowerCase().includes(words))),
    }))
    .filter(({ services }) => services.length > 0);
}

function fits(service, only) {
  switch (only) {
    case 'used': return service.usedBy?.length > 0;
    case 'deployed': return Boolean(service.from);
    case 'trouble': return Boolean(service.trouble);
    default: return true;
  }
}

function size(kinds) {
  return kinds.reduce((sum, { services }) => sum + services.length, 0);
}

function waitingList(waiting, runs) {
  return (waiting ?? []).map(({ run, line: words }) => {
    const known = runs.find(one => one.number === run || one.id === run);
    return el('p', { class: 'note warn' }, el('strong', {},
      known ? el('a', { href: `#/run/${known.id}`, text: `run ${known.number ?? ''} ${line(known.name, 40)}` }) : `run ${run}`),
    ' waits: ', el('bdi', { text: line(words, 400) }));
  });
}
