// Exchanges the token of the address, or a typed one, for a cookie; then the page itself is there.

const TOKEN = '#token=';

async function open(token) {
  const answer = await fetch('/api/session', {
    method: 'POST',
    headers: { 'X-Roll-Token': token, 'Content-Type': 'application/json' },
    body: '{}',
  });
  if (!answer.ok) {
    const said = await answer.json().catch(() => ({}));
    throw new Error(said.error ?? `The server answered ${answer.status}.`);
  }
  location.replace('/');
}

function say(problem) {
  document.getElementById('problem').textContent = problem.message;
}

document.getElementById('session').addEventListener('submit', (event) => {
  event.preventDefault();
  open(document.getElementById('token').value).catch(say);
});

if (location.hash.startsWith(TOKEN)) {
  const token = decodeURIComponent(location.hash.slice(TOKEN.length));
  history.replaceState(null, '', '/'); // it stays in no history
  open(token).catch(say);
}
