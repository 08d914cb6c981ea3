// Events of the server, one stream for all tabs of a browser: HTTP/1.1 allows six connections a
// host, so a seventh tab with a stream of its own would get no answers. The tab that holds the lock
// reads the stream and passes each event on.

const NAME = 'roll-events';
const AGAIN_AFTER = 2000;
const KINDS = ['run', 'services'];

const callbacks = new Map();
const channel = 'BroadcastChannel' in window ? new BroadcastChannel(NAME) : null;
let state = 'connecting';
let source = null;

/**
 * Calls `callback` with the data of each event of a kind: `run` (an entry of /api/runs), `services`
 * (a number), `state` (`connecting`, `live` or `lost`), `again` (the stream is back after it was
 * lost: what was shown may be old). Returns a function that ends this.
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
  for (const callback of [...(callbacks.get(kind) ?? [])]) {
    callback(data);
  }
}

function tell(kind, data) {
  call(kind, data);
  channel?.postMessage({ kind, data });
}

function read() {
  source = new EventSource('/api/events');
  source.addEventListener('open', () => tell('state', 'live'));
  for (const kind of KINDS) {
    source.addEventListener(kind, event => tell(kind, JSON.parse(event.data)));
  }
  source.addEventListener('error', () => {
    tell('state', 'lost');
    if (source.readyState === EventSource.CLOSED) { // refused: the browser itself does not try again
      setTimeout(read, AGAIN_AFTER);
    }
  });
}

function lead() {
  channel?.addEventListener('message', event => {
    if (event.data.kind === 'hello') {
      channel.postMessage({ kind: 'state', data: state });
    }
  });
  read();
}

function follow() {
  channel.addEventListener('message', event => {
    if (source === null && event.data.kind !== 'hello') {
      call(event.data.kind, event.data.data);
    }
  });
  channel.postMessage({ kind: 'hello' });
}

if (navigator.locks && channel) {
  follow();
  navigator.locks.request(NAME, () => {
    lead();
    return new Promise(() => {}); // held until this tab is closed, then another one reads
  });
} else {
  lead();
}
