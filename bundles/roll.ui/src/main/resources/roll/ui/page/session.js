// Exchanges the token of the address, or a typed one, for a cookie; then opens the page.

const TOKEN = '#token=';

async function open(token) {
  const headers = { 'X-Roll-Token': token, 'Content-Type': 'application/json' };
  const answer = await fetch('/api/session', { method: 'POST', headers, body: '{}' });
  if (answer.ok) {
    location.replace('/');
    return;
  }
  const { error } = await answer.json().catch(() => ({}));
  throw new Error(error ?? `The server answered ${answer.status}.`);
}

function explain(error) {
  document.getElementById('problem').textContent = error.message;
}

document.getElementById('session').addEventListener('submit', event => {
  event.preventDefault();
  open(document.getElementById('token').value).catch(explain);
});

if (location.hash.startsWith(TOKEN)) {
  const token = decodeURIComponent(location.hash.slice(TOKEN.length));
  history.replaceState(null, '', '/'); // no history keeps it
  open(token).catch(explain);
}
