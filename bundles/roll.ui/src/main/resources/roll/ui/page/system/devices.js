// Memory of the process and of devices, over time and now; what it is held for; other nodes.
import { get, gone } from '../api.js';
import { chart } from '../chart.js';
import { el, replace, setText } from '../dom.js';
import { count, megabytes } from '../format.js';
import { line } from '../legible.js';
import { on } from '../live.js';
import { deviceName, deviceTable } from './device-table.js';
import { nodeTable } from './node-table.js';
import { plannedStates } from './planned-states.js';

const EACH = 5000; // ms, as the server notes points
const PLOT = { level: 2, x: 'clock', format: megabytes, height: 132 };

/** Shows devices and nodes. */
export async function show(root) {
  const asking = new AbortController();
  const signal = { signal: asking.signal };
  const now = el('dl', { class: 'figures' });
  const devices = el('section', { class: 'panel flush scroll', tabindex: '0', 'aria-label': 'Devices' });
  const library = el('p', { class: 'muted library' });
  const nodes = el('section', { class: 'panel flush scroll', tabindex: '0', 'aria-label': 'Nodes' });
  const states = el('div', { class: 'states' });
  const wrong = el('p', { class: 'note bad', role: 'alert', hidden: true });
  const plots = el('div', { class: 'time-plots' });
  const process = chart(plots, { ...PLOT, label: 'Memory of the process' });
  const models = chart(plots, { ...PLOT, label: 'Held by models on devices' });
  let timer = 0;
  let planned = ''; // the runs whose plans are shown

  async function refresh() {
    try {
      const [answer, others] = await Promise.all([get('/api/devices', signal), get('/api/nodes', signal)]);
      wrong.hidden = true;
      draw(answer, others.nodes ?? []);
    } catch (error) {
      if (!gone(error)) {
        wrong.hidden = false;
        setText(wrong, error.message);
      }
    }
  }

  function draw(answer, others) {
    const { cores, history } = answer;
    replace(now, quantity('process', megabytes(answer.process.resident)), quantity('Java heap', megabytes(answer.process.heap)), quantity('cores', count(cores)));
    const step = history.time.map(time => time / 1000);
    process.set({ series: [{ label: 'resident', step, mean: history.resident }] });
    const held = heldLines(answer).map(line => ({ ...line, step }));
    models.node.hidden = held.length === 0;
    models.set({ series: held });
    replace(devices, answer.devices.length === 0
      ? el('p', { class: 'nothing padded' }, 'No bundle computes here, so no devices are known: ', el('code', { text: 'devices' }), ' in the shell says which bundle is lacking.')
      : deviceTable(answer.devices));
    replace(library, [answer.library, ...(answer.unused ?? [])].filter(Boolean).map(text => el('span', {}, el('bdi', { text: line(text, 400) }))));
    replace(nodes, others.length === 0 ? noNodes() : nodeTable(others));
  }

  async function plans() {
    const { runs } = await get('/api/runs', signal);
    const live = runs.filter(run => run.live);
    const names = live.map(run => run.id).join();
    if (names !== planned) {
      const found = await Promise.all(live.map(run => get(`/api/runs/${run.id}`, signal)));
      planned = names;
      replace(states, found.map(plannedStates));
    }
  }

  function tick() {
    if (!document.hidden) {
      refresh();
    }
  }

  const look = () => plans().catch(error => gone(error) || console.warn(error));
  replace(root,
    el('header', { class: 'bar' }, el('h1', { text: 'Devices and nodes' })),
    wrong, now, plots,
    el('h2', { text: 'Devices' }), devices, library, states,
    el('h2', { text: 'Nodes' }), nodes);
  await refresh();
  look();
  timer = setInterval(tick, EACH);
  document.addEventListener('visibilitychange', tick);
  const off = on('run', look);
  return {
    close() {
      off();
      asking.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
      process.close();
      models.close();
    },
  };
}

function quantity(name, value) {
  return el('div', {}, el('dt', { text: name }), el('dd', { class: 'num', text: value }));
}

/** Each device that something was held on. */
function heldLines({ history, devices }) {
  const named = new Map(devices.map(device => [String(device.index), device]));
  return Object.entries(history.devices ?? {}).map(([index, values]) => ({
    label: deviceName(named.get(index) ?? { index: Number(index) }), mean: values,
  }));
}

function noNodes() {
  return el('p', { class: 'nothing padded' },
    'No other nodes. A run takes them in when it was started with ', el('code', { text: 'train <config.yaml> --listen <host>' }),
    '; it then prints the line to type on another machine: ', el('code', { text: 'join <host:port> --token <text>' }));
}
