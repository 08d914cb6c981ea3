// The router: shows one view at a time, chosen by the part of the address behind '#'. A view module
// exports `async function show(root, route)` and returns `{ close(), update?(route) }`; `update` is
// called instead of a new `show` where only the query changed. Each view begins with an h1, which
// becomes the title of the window and gets the focus.
import { about } from './api.js';
import { el, replace, setText } from './dom.js';
import { on } from './live.js';

const RUN = '^/run/([^/]+)';
const ROUTES = [
  ['runs', '^/runs$', './runs/runs.js'],
  ['compare', '^/compare$', './runs/compare.js'],
  ['one-run', `${RUN}$`, './runs/run.js'],
  ['trajectories', `${RUN}/trajectories$`, './trajectory/trajectories.js'],
  ['trajectory', `${RUN}/trajectory/(\\d+)/(\\d+)$`, './trajectory/trajectory.js'],
  ['services', '^/services$', './system/services.js'],
  ['devices', '^/devices$', './system/devices.js'],
].map(([name, pattern, module]) => ({ name, pattern: new RegExp(pattern), module }));
const LIVE = { connecting: 'connecting', live: 'live', lost: 'not connected, trying again' };

const main = document.getElementById('main');
let shown = null; // { route, view }
let turn = 0;

/**
 * The route of an address: `name`, `module`, `path` without query, `query` (URLSearchParams), `id` of the run,
 * `step` and `index` of a trajectory, and `put(values)`, which changes the query in the address without showing
 * the view again: null, '' and false remove a value, true sets 1.
 */
function routeOf(hash) {
  const [path, text = ''] = (hash.replace(/^#/, '') || '/runs').split('?');
  const query = new URLSearchParams(text);
  const entry = ROUTES.find(({ pattern }) => pattern.test(path)) ?? { name: 'none', module: null };
  const [, id, step, index] = entry.pattern?.exec(path) ?? [];
  const put = values => {
    for (const [name, value] of Object.entries(values)) {
      if (value === null || value === '' || value === false) {
        query.delete(name);
      } else {
        query.set(name, value === true ? '1' : value);
      }
    }
    const changed = query.toString().replaceAll('%2C', ',').replaceAll('%2F', '/');
    history.replaceState(null, '', changed ? `#${path}?${changed}` : `#${path}`);
  };
  return { ...entry, path, id, step, index, query, put };
}

async function go() {
  const route = routeOf(location.hash);
  const first = shown === null;
  if (shown?.view?.update && shown.route.path === route.path) {
    shown.route = route;
    shown.view.update(route);
    return;
  }
  const mine = ++turn;
  close(shown?.view);
  const root = el('div', { class: `view ${route.name}` });
  shown = { route, view: null };
  markSection(route.path);
  replace(main, root);
  main.setAttribute('aria-busy', 'true');
  const view = await open(root, route);
  if (mine !== turn) { // the address has changed since
    close(view);
    return;
  }
  shown.view = view;
  main.removeAttribute('aria-busy');
  announce(root, first);
  main.dataset.path = route.path; // of the view that is shown: the address changes before it
}

async function open(root, route) {
  if (route.module === null) {
    explain(root, 'There is no such page', `Nothing is shown at #${route.path}.`);
    return null;
  }
  try {
    const module = await import(route.module);
    return await module.show(root, route);
  } catch (error) {
    console.warn(error);
    explain(root, 'This cannot be shown', error instanceof TypeError ? 'This view could not be loaded or drawn.' : error.message);
    return null;
  }
}

function explain(root, title, text) {
  replace(root, el('h1', { text: title }), el('div', { class: 'empty', role: 'alert' },
    el('p', { text }),
    el('p', {}, el('button', { type: 'button', onclick: go, text: 'Try again' }), ' ', el('a', { href: '#/runs', text: 'All runs' }))));
}

function announce(root, first) {
  const heading = root.querySelector('h1');
  document.title = heading ? `${heading.textContent} · roll` : 'roll';
  if (!first && heading) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
}

function close(view) {
  try {
    view?.close();
  } catch (error) {
    console.warn(error);
  }
}

/** Marks the link of the section of `path`: views of runs belong to Runs. */
function markSection(path) {
  const section = /^\/(services|devices)$/.test(path) ? `#${path}` : '#/runs';
  for (const link of document.querySelectorAll('.top nav a')) {
    const current = link.getAttribute('href') === section;
    link.ariaCurrent = current ? (section === `#${path}` ? 'page' : 'true') : null;
  }
}

const live = document.getElementById('live');
on('state', state => {
  live.dataset.state = state;
  setText(live, LIVE[state]);
});
about().then(({ version, readOnly }) => {
  document.querySelector('.brand').title = `roll ${version}`;
  document.getElementById('read-only').hidden = !readOnly;
}, () => {}); // the view reports that the server does not answer
document.querySelector('.skip').addEventListener('click', event => { // the address behind '#' is the route
  event.preventDefault();
  main.focus();
});
addEventListener('hashchange', go);
go();
