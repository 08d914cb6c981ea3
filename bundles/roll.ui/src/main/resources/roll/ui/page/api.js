// Requests to the server, answered in JSON. Every failure is an Error whose message is one line.

const token = document.querySelector('meta[name="roll-token"]').content;
let known = null;

/** GET `path` with the parameters `query`; null and empty ones are left out. `signal` of an AbortController ends it. */
export function get(path, query = {}, signal = undefined) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return send(given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`, { signal });
}

/** POST `body`, an object as JSON or a Blob as it is, with the token of this page. */
export function post(path, body = {}) {
  const bytes = body instanceof Blob;
  return send(path, {
    method: 'POST',
    headers: { 'X-Roll-Token': token, 'Content-Type': bytes ? 'application/octet-stream' : 'application/json' },
    body: bytes ? body : JSON.stringify(body),
  });
}

/** `/api/about`, requested once. */
export function about() {
  known ??= get('/api/about').catch(error => {
    known = null;
    throw error;
  });
  return known;
}

/** Whether `error` is the end of a request that was aborted. */
export function aborted(error) {
  return error.name === 'AbortError';
}

async function send(path, options) {
  let response;
  try {
    response = await fetch(path, { cache: 'no-store', credentials: 'same-origin', ...options });
  } catch (error) {
    throw aborted(error) ? error : new Error('roll does not answer. Is its process still running?', { cause: error });
  }
  const answer = await response.json().catch(error => {
    if (aborted(error)) {
      throw error;
    }
  });
  if (response.ok && answer !== undefined) {
    return answer;
  }
  if (response.status === 401) {
    location.assign('/'); // the form for the token
  }
  throw new Error(answer?.error ?? `roll answered ${response.status} to ${path}`);
}
