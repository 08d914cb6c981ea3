// Events of the server, one stream for all tabs of a browser: HTTP/1.1 allows six connections per
// host, so a seventh tab with its own stream would get no answers. The tab that holds the lock reads
// the stream and passes each event on.

const NAME = 'roll-events';
const RETRY_MS = 2000;
const KINDS = ['run', 'services'];

const callbacks = new Map();
const channel = new BroadcastChannel(NAME);
let state = 'connecting';
let source = null;

/**
 * Calls `callback` with the data of each event of a kind: `run` (an entry of /api/runs), `services`
 * (a number), `state` (`connecting`, `live` or `lost`), `again` (the stream is back after it was
 * lost). Returns a function that ends this.
 */
export function on(kind, callback) {
  const listeners = callbacks.get(kind) ?? new Set();
  callbacks.set(kind, listeners);
  listeners.add(callback);
  if (kind === 'state') {
    callback(state);
  }
  return () => listeners.delete(callback);
}

function call(kind, data) {
  if (kind === 'state') {
    if (state === data) {
      return;
    }
    const lost = state === 'lost';
    state = data;
    if (lost && data === 'live') {
      call('again', null);
    }
  }
  [...(callbacks.get(kind) ?? [])].forEach(callback => callback(data));
}

function publish(kind, data) {
  call(kind, data);
  channel.postMessage({ kind, data });
}

function read() {
  source = new EventSource('/api/events');
  source.addEventListener('open', () => publish('state', 'live'));
  for (const kind of KINDS) {
    source.addEventListener(kind, event => publish(kind, JSON.parse(event.data)));
  }
  source.addEventListener('error', () => {
    publish('state', 'lost');
    if (source.readyState === EventSource.CLOSED) { // refused: the browser does not retry
      setTimeout(read, RETRY_MS);
    }
  });
}

channel.addEventListener('message', ({ data: { kind, data } }) => {
  if (kind !== 'hello') {
    call(kind, data);
  } else if (source) {
    channel.postMessage({ kind: 'state', data: state });
  }
});
channel.postMessage({ kind: 'hello' });
navigator.locks.request(NAME, () => {
  read();
  return new Promise(() => {}); // held until this tab is closed, then another tab reads
});
