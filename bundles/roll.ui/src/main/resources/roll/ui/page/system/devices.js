// Memory of the process and of devices, over time and now; planned memory of active runs; nodes.
import { aborted, get } from '../api.js';
import { Chart } from '../chart.js';
import { el, replace, update } from '../dom.js';
import { count, megabytes, number } from '../format.js';
import { line } from '../legible.js';
import { on } from '../live.js';
import { badge, facts, name, table } from '../parts.js';
import { planTable } from '../plan.js';

const INTERVAL_MS = 5000; // as the server records points
const PLOT = { level: 2, x: 'clock', format: megabytes, height: 132 };
const STATES = { first: 'good', this: 'good', joined: 'good', unreachable: 'bad' };

/** Shows devices and nodes. */
export async function show(root) {
  const ended = new AbortController();
  const ask = path => get(path, {}, ended.signal);
  const part = label => el('section', { class: 'panel flush scroll', tabindex: 0, 'aria-label': label });
  const [now, library, plans] = [el('div'), el('p', { class: 'muted library' }), el('div', { class: 'states' })];
  const [devices, nodes] = [part('Devices'), part('Nodes')];
  const wrong = el('p', { class: 'note bad', role: 'alert', hidden: true });
  const plots = el('div', { class: 'time-plots' });
  const process = new Chart(plots, { ...PLOT, label: 'Memory of the process' });
  const models = new Chart(plots, { ...PLOT, label: 'Memory of models on devices' });
  let planned = ''; // the runs whose plans are shown

  async function refresh() {
    try {
      const [answer, others] = await Promise.all([ask('/api/devices'), ask('/api/nodes')]);
      wrong.hidden = true;
      draw(answer, others.nodes);
    } catch (error) {
      wrong.hidden = aborted(error);
      wrong.textContent = error.message;
    }
  }

  function draw({ process: { resident, heap }, cores, history, devices: all, library: name, unused }, others) {
    update(now, facts([['process', megabytes(resident)], ['Java heap', megabytes(heap)], ['cores', count(cores)]], 'figures'));
    const step = history.time.map(time => time / 1000);
    process.set({ series: [{ label: 'resident', step, mean: history.resident }] });
    const series = Object.entries(history.devices).map(([index, mean]) => ({ label: deviceName(all.find(one => String(one.index) === index) ?? { index: Number(index) }), step, mean }));
    models.node.hidden = series.length === 0;
    models.set({ series });
    update(devices, all.length > 0 ? deviceTable(all) : el('p', { class: 'nothing padded' },
      'No compute bundle is installed, so no devices are known: ', el('code', { text: 'devices' }), ' in the shell names the missing bundle.'));
    update(library, [name, ...unused].filter(Boolean).map(text => el('span', {}, el('bdi', { text: line(text, 400) }))));
    update(nodes, others.length > 0 ? nodeTable(others) : noNodes());
  }

  async function showPlans() {
    try {
      const live = (await ask('/api/runs')).runs.filter(run => run.live);
      const ids = live.map(run => run.id).join();
      if (ids !== planned) {
        const found = await Promise.all(live.map(run => ask(`/api/runs/${run.id}`)));
        planned = ids;
        replace(plans, found.map(planTable));
      }
    } catch (error) {
      if (!aborted(error)) {
        console.warn(error);
      }
    }
  }

  const tick = () => document.hidden || refresh();
  replace(root,
    el('header', { class: 'bar' }, el('h1', { text: 'Devices and nodes' })),
    wrong, now, plots,
    el('h2', { text: 'Devices' }), devices, library, plans,
    el('h2', { text: 'Nodes' }), nodes);
  await refresh();
  showPlans();
  const timer = setInterval(tick, INTERVAL_MS);
  document.addEventListener('visibilitychange', tick);
  const off = on('run', showPlans);
  return {
    close() {
      off();
      ended.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
      process.close();
      models.close();
    },
  };
}

/** The name of a device in the shell. */
function deviceName({ index, kind }) {
  return index < 0 ? 'cpu' : `${kind ?? 'device'} ${index}`;
}

function deviceTable(devices) {
  const max = Math.max(...devices.map(({ memory }) => memory.total ?? 0), 1);
  const gpus = devices.some(({ memory }) => memory.reserved !== null);
  const number = text => ({ text, class: 'number' });
  const sizes = ['held', 'expected', ...(gpus ? ['reserved'] : []), 'total'];
  const columns = ['device', 'model', number('model memory: used'), number('planned'), ...(gpus ? [number('in use')] : []), number('total'), 'share'];
  return table({ class: 'list devices', columns }, devices.map(device => el('tr', {},
    el('th', { scope: 'row', text: deviceName(device) }),
    el('td', { class: 'what' }, name(device.name, 80)),
    sizes.map(size => el('td', { class: 'number', text: megabytes(device.memory[size]) })),
    el('td', { class: 'share' }, bar(device.memory, max)))));
}

/** Used memory as a filled bar, planned memory as a mark, on a scale that all devices share. */
function bar({ held, expected, total }, max) {
  const share = size => `${total > 0 ? Math.min(100, (100 * (size ?? 0)) / total) : 0}%`;
  const label = total > 0 && held !== null ? `${Math.round((100 * held) / total)}% used by models` : 'not used by models';
  return el('span', { class: 'memory', role: 'img', 'aria-label': label },
    el('span', { class: 'memory-track', style: { width: `${(100 * (total ?? 0)) / max}%` } },
      el('span', { class: 'memory-held', style: { width: share(held) } }),
      expected !== null && total > 0 && el('span', { class: 'memory-expected', title: `planned ${megabytes(expected)}`, style: { left: share(expected) } })));
}

function nodeTable(nodes) {
  const { version } = nodes.find(node => node.state === 'first') ?? nodes[0];
  const number = text => ({ text, class: 'number' });
  const columns = ['node', 'state', 'address', 'version', number('epoch'), number('latency'), number('cores'), 'devices', 'roles', 'reported facts'];
  return table({ class: 'list nodes', columns }, nodes.map(node => nodeRow(node, node.version !== version)));
}

function nodeRow(node, mixed) {
  const all = (list, otherwise = '–') => el('td', { text: (list ?? []).map(one => line(one, 60)).join(', ') || otherwise });
  const number = text => el('td', { class: 'number', text });
  const reported = Object.entries(node.facts ?? {}).map(([key, value]) => [line(key, 60), line(value, 300)]);
  return el('tr', {},
    el('th', { scope: 'row' }, name(node.name, 60, 'mono')),
    el('td', {}, badge(STATES[node.state] ?? 'warn', node.state)),
    el('td', {}, name(node.address, 60, 'mono')),
    el('td', { class: mixed ? 'mixed' : null, title: mixed && 'not the version of the first node' }, name(node.version, 40), mixed && ' differs'),
    number(node.epoch < 0 ? '–' : count(node.epoch)), number(node.lagMillis < 0 ? 'no answer' : milliseconds(node.lagMillis)), number(count(node.cores)),
    all(node.devices), all(node.roles, 'all but environment'),
    el('td', {}, reported.length > 0 ? facts(reported) : '–'));
}

function milliseconds(value) {
  return `${number(value)} ms`;
}

function noNodes() {
  return el('p', { class: 'nothing padded' },
    'No other nodes. A run accepts them if it was started with ', el('code', { text: 'train <config.yaml> --listen <host>' }),
    '; it prints the command for the other machine: ', el('code', { text: 'join <host:port> --token <text>' }));
}
