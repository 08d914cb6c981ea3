// What the server answers, as JSON. Every failure is an Error whose message is one line for people.

const token = document.querySelector('meta[name="roll-token"]').content;

/** GET `path`, such as `/api/runs`. Options: `signal` of an AbortController. */
export function get(path, { signal } = {}) {
  return ask(path, { signal });
}

/** POST `body`, an object as JSON or a Blob as it is, with the token of this page. */
export function post(path, body = {}) {
  const bytes = body instanceof Blob;
  return ask(path, {
    method: 'POST',
    headers: {
      'X-Roll-Token': token,
      'Content-Type': bytes ? 'application/octet-stream' : 'application/json',
    },
    body: bytes ? body : JSON.stringify(body),
  });
}

/** A path with a query; values that are null, undefined or empty are left out. */
export function withQuery(path, values) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== '') {
      query.set(name, value);
    }
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/** `/api/about`, asked once. */
export const about = once(() => get('/api/about'));

/** Whether `error` only says that its asker went away. */
export function gone(error) {
  return error.name === 'AbortError';
}

async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, { cache: 'no-store', credentials: 'same-origin', ...options });
  } catch (error) {
    if (gone(error)) {
      throw error;
    }
    throw new Error('roll does not answer. Is its process still running?', { cause: error });
  }
  const text = await response.text();
  const answer = parsed(text);
  if (response.ok && answer !== undefined) {
    return answer;
  }
  if (response.status === 401) {
    location.assign('/'); // there the token is asked for
  }
  const error = new Error(answer?.error ?? `roll answered ${response.status} to ${path}`);
  error.status = response.status;
  throw error;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function once(question) {
  let answer = null;
  return () => {
    answer ??= question().catch(error => {
      answer = null;
      throw error;
    });
    return answer;
  };
}
