// The router: one view at a time, chosen by the part of the address behind '#'. A view module
// exports `async function show(root, route)` and returns `{ close(), update?(route) }`; `update` is
// called instead of a new `show` where only the query changed. Each view begins with an h1: it
// becomes the title of the window and takes the focus.
import { about } from './api.js';
import { el, replace, setText } from './dom.js';
import { on } from './live.js';

const ROUTES = [
  { name: 'runs', pattern: /^\/runs$/, module: './runs/runs.js', place: '#/runs' },
  { name: 'compare', pattern: /^\/compare$/, module: './runs/compare.js', place: '#/runs' },
  { name: 'one-run', pattern: /^\/run\/([^/]+)$/, module: './runs/run.js', place: '#/runs' },
  { name: 'trajectories', pattern: /^\/run\/([^/]+)\/trajectories$/, module: './trajectory/trajectories.js', place: '#/runs' },
  { name: 'trajectory', pattern: /^\/run\/([^/]+)\/trajectory\/(\d+)\/(\d+)$/, module: './trajectory/trajectory.js', place: '#/runs' },
  { name: 'services', pattern: /^\/services$/, module: './system/services.js', place: '#/services' },
  { name: 'devices', pattern: /^\/devices$/, module: './system/devices.js', place: '#/devices' },
];
const LIVE = { connecting: 'connecting', live: 'live', lost: 'not connected, trying again' };

const main = document.getElementById('main');
let shown = null; // { route, view, root }
let turn = 0;

/**
 * The route of an address: name, `id` of the run, `step` and `index` of a trajectory, `query`
 * (URLSearchParams), `path` without query, and `keep(query)`, which puts another query into the
 * address without showing the view again.
 */
function routeOf(hash) {
  const [path, query = ''] = (hash.replace(/^#/, '') || '/runs').split('?');
  for (const entry of ROUTES) {
    const parts = entry.pattern.exec(path);
    if (parts) {
      const [, id, step, index] = parts;
      return { ...entry, path, id, step, index, query: new URLSearchParams(query), keep: keep(path) };
    }
  }
  return { name: 'none', path, place: '', query: new URLSearchParams(query) };
}

const keep = path => query => {
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%2F', '/');
  history.replaceState(null, '', text ? `#${path}?${text}` : `#${path}`);
};

async function go() {
  const route = routeOf(location.hash);
  const first = shown === null;
  if (!first && shown.view?.update && shown.route.path === route.path) {
    shown.route = route;
    shown.view.update(route);
    return;
  }
  const mine = ++turn;
  close();
  const root = el('div', { class: `view ${route.name}` });
  shown = { route, view: null, root };
  markPlace(route);
  replace(main, root);
  main.setAttribute('aria-busy', 'true');
  const view = await open(root, route);
  if (mine !== turn) { // another address meanwhile
    closeQuietly(view);
    return;
  }
  shown.view = view;
  main.removeAttribute('aria-busy');
  arrive(root, first);
  main.dataset.path = route.path; // of what is shown: the address is ahead of it
}

async function open(root, route) {
  if (route.name === 'none') {
    explain(root, 'There is no such page', `Nothing is shown at #${route.path}.`);
    return null;
  }
  try {
    const module = await import(route.module);
    return await module.show(root, route);
  } catch (error) {
    console.warn(error);
    const line = error instanceof TypeError ? 'This view could not be loaded or drawn.' : error.message;
    explain(root, 'This cannot be shown', line);
    return null;
  }
}

function explain(root, title, line) {
  replace(root, el('h1', { text: title }), el('div', { class: 'empty', role: 'alert' },
    el('p', { text: line }),
    el('p', {}, el('button', { type: 'button', onclick: go, text: 'Try again' }), ' ', el('a', { href: '#/runs', text: 'All runs' }))));
}

function arrive(root, first) {
  const heading = root.querySelector('h1');
  document.title = heading ? `${heading.textContent} · roll` : 'roll';
  if (!first && heading) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
}

function close() {
  closeQuietly(shown?.view);
}

function closeQuietly(view) {
  try {
    view?.close();
  } catch (error) {
    console.warn(error);
  }
}

function markPlace(route) {
  for (const link of document.querySelectorAll('.top nav a')) {
    if (link.getAttribute('href') === route.place) {
      link.setAttribute('aria-current', route.place === `#${route.path}` ? 'page' : 'true');
    } else {
      link.removeAttribute('aria-current');
    }
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
}, () => {}); // the view that is shown says that nothing answers
document.querySelector('.skip').addEventListener('click', event => { // the address behind '#' is the route
  event.preventDefault();
  main.focus();
});
addEventListener('hashchange', go);
go();
