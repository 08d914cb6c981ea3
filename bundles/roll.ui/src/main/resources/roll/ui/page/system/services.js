// Registered services by kind: bundle, version, file, runs that use them; what runs wait for; swaps and deployment.
import { aborted, about, get } from '../api.js';
import { el, replace, setText, update } from '../dom.js';
import { line } from '../legible.js';
import { on } from '../live.js';
import { badge, name, segments, table } from '../parts.js';
import { deployArea } from './deploy.js';
import { swapBoard } from './swaps.js';

const DELAY_MS = 300; // in which events are answered together
const MAX_LINES = 100;
const FILTERS = {
  all: ['all', () => true],
  used: ['in use', service => service.usedBy.length > 0],
  deployed: ['deployed', service => service.from !== null],
  trouble: ['unavailable', service => service.trouble !== null],
};

/** Shows the services of this system. Query: `q` and `only`, the search and the filter. */
export async function show(root, route) {
  const { readOnly, deploy } = await about();
  let [q, only] = [route.query.get('q') ?? '', FILTERS[route.query.get('only')] ? route.query.get('only') : 'all'];
  const list = el('div', { class: 'scroll panel flush', tabindex: 0, role: 'region', 'aria-label': 'Services' });
  const waits = el('div', { role: 'status' });
  const found = el('p', { class: 'muted num', role: 'status' });
  const log = activity();
  const swaps = readOnly ? null : swapBoard(log);
  const jars = readOnly || !deploy ? null : deployArea(root, log, refresh);
  const ended = new AbortController();
  let [services, runs] = [{ kinds: [], waiting: [] }, []];
  let timer = null;

  async function refresh() {
    try {
      [services, { runs }] = await Promise.all(['/api/services', '/api/runs'].map(path => get(path, {}, ended.signal)));
      draw();
      swaps?.runs(runs);
      jars?.services(services.kinds);
    } catch (error) {
      if (!aborted(error)) {
        throw error;
      }
    }
  }

  function again() {
    timer ??= setTimeout(() => {
      timer = null;
      refresh().catch(error => setText(found, error.message));
    }, DELAY_MS);
  }

  function draw() {
    route.put({ q, only: only === 'all' ? null : only });
    const { kinds, waiting } = services;
    const shown = kinds.map(({ kind, services: all }) => ({ kind, services: all.filter(service => FILTERS[only][1](service)
      && [service.id, kind, service.bundle, service.from].some(text => (text ?? '').toLowerCase().includes(q.toLowerCase()))) }))
      .filter(one => one.services.length > 0);
    const size = all => all.reduce((sum, one) => sum + one.services.length, 0);
    setText(found, size(shown) === size(kinds) ? `${size(kinds)} services of ${kinds.length} kinds` : `${size(shown)} of ${size(kinds)} services`);
    const nothing = size(kinds) === 0 ? 'Nothing is registered: the bundles are still starting, or this distribution has no plugins.'
      : q ? `No service has “${line(q, 60)}” in its id, kind, bundle or file.` : 'None of the services.';
    update(list, shown.length > 0 ? serviceTable(shown, runs) : el('p', { class: 'nothing padded', text: nothing }));
    update(waits, waiting.map(({ run, line: reason }) => el('p', { class: 'note warn' },
      el('strong', {}, runLink(run, runs, true)), ' waits: ', el('bdi', { text: line(reason, 400) }))));
  }

  const filter = segments('Show', 'service-filter', Object.entries(FILTERS).map(([value, [text]]) => [value, text]), only, value => {
    only = value;
    draw();
  });
  const search = el('input', { type: 'search', value: q, placeholder: 'id, kind, bundle, file …', maxlength: 100, oninput: () => {
    q = search.value.trim();
    draw();
  } });
  replace(root,
    el('header', { class: 'bar' }, el('h1', { text: 'Services' }), found),
    waits,
    el('div', { class: 'controls', role: 'search' }, el('label', { class: 'field' }, 'Find', search), filter.node),
    readOnly ? list : el('div', { class: 'beside' }, el('div', { class: 'beside-side' }, swaps.node, jars?.node, log.node), el('div', { class: 'beside-main' }, list)));
  await refresh();
  const offs = [on('services', again), on('run', whenPartsChange(again)), on('again', again)];
  return {
    close() {
      ended.abort();
      clearTimeout(timer);
      offs.forEach(off => off());
      jars?.close();
    },
  };
}

/** A listener to runs that calls `changed` only where the plugins of a run or its wait have changed. */
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

/** The answers of the server to swaps and deployments: its node, hidden while empty, `answer(result)` and `refuse(line)`. */
function activity() {
  const lines = el('div', { class: 'code wrap', role: 'log', 'aria-label': 'Activity', tabindex: 0 });
  const node = el('section', { class: 'panel activity', hidden: true }, el('h2', { text: 'Activity' }), lines);

  function add(text, kind) {
    node.hidden = false;
    const time = new Date().toLocaleTimeString('en-GB');
    lines.append(el('div', { class: kind }, el('time', { class: 'muted', text: time }), ' ', el('bdi', { text: line(text, 2000) })));
    while (lines.childElementCount > MAX_LINES) {
      lines.firstElementChild.remove();
    }
    lines.scrollTop = lines.scrollHeight;
  }

  return {
    node,
    answer: result => [...(result.notices ?? []).map(notice => `notice: ${notice}`), result.line].forEach(text => add(text, 'answer')),
    refuse: text => add(text, 'refusal'),
  };
}

/** One table for all kinds, so that columns line up across kinds. */
function serviceTable(kinds, runs) {
  const columns = ['id', 'bundle', 'version', 'from', 'used by'];
  const wide = (...content) => el('td', { colspan: columns.length }, content);
  return table({ class: 'list services', columns }, ...kinds.map(({ kind, services }) => el('tbody', {},
    el('tr', { class: 'kind' }, el('th', { scope: 'rowgroup', colspan: columns.length }, name(kind, 60, 'mono'), el('small', { text: ` ${services.length}` }))),
    services.map(service => [row(service, runs),
      service.trouble && el('tr', { class: 'trouble' }, wide(badge('bad', 'unavailable'), ' ', name(service.trouble, 600)))]))));
}

function row({ id, bundle, version, from, trouble, usedBy }, runs) {
  return el('tr', { class: trouble ? 'troubled' : null },
    el('th', { scope: 'row' }, name(id, 60, 'mono')), el('td', {}, name(bundle, 80)), el('td', { class: 'version' }, name(version, 40)),
    el('td', { class: 'file' }, from ? el('bdi', { class: 'mono', title: line(from, 400), text: line(from.split(/[/\\]/).at(-1)) }) : el('span', { class: 'muted', text: 'distribution' })),
    el('td', { class: 'used' }, usedBy.map(run => runLink(run, runs))));
}

function runLink(number, runs, named = false) {
  const run = runs.find(one => one.number === number);
  return run ? el('a', { href: `#/run/${run.id}`, title: line(run.name, 80), text: `run ${number}${named ? ` ${line(run.name, 40)}` : ''}` }) : el('span', { text: `run ${number}` });
}
