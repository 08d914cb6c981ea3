// The keys of a list of episodes: j and k, arrows, Home and End; Enter opens, as on every link.

/** Handles the keys in `root` for the links `.episode` of `result`; calls `onFocus(index of an episode)` and `onStep(±1)`. */
export function episodeKeys(root, result, onFocus, onStep) {
  function key(event) {
    const inField = event.target.closest?.('input, select, textarea, dialog');
    const inView = event.target === document.body || root.contains(event.target) || event.target.id === 'main';
    if (inField || !inView || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    if (event.key === ',' || event.key === '.') {
      onStep(event.key === ',' ? -1 : 1);
      return;
    }
    const links = [...result.querySelectorAll('a.episode')];
    const to = target(event.key, links, links.indexOf(document.activeElement));
    if (to) {
      event.preventDefault();
      to.focus();
      to.scrollIntoView({ block: 'nearest' });
    }
  }

  const touched = event => {
    const link = event.target.closest('a.episode') ?? event.target.closest('tr')?.querySelector('a.episode');
    if (link) {
      onFocus(link.dataset.index);
    }
  };
  document.addEventListener('keydown', key);
  result.addEventListener('focusin', touched);
  result.addEventListener('pointerover', touched);
  return () => document.removeEventListener('keydown', key);
}

function target(key, links, at) {
  switch (key) {
    case 'j': case 'ArrowRight': return links[at + 1];
    case 'k': case 'ArrowLeft': return links[Math.max(at - 1, 0)];
    case 'ArrowDown': return at < 0 ? links[0] : nextRow(links, at, 1);
    case 'ArrowUp': return at < 0 ? links[0] : nextRow(links, at, -1);
    case 'Home': return links[0];
    case 'End': return links.at(-1);
    default: return undefined;
  }
}

/** The link in the next row down (1) or up (−1) that is nearest by position on the page. */
function nextRow(links, at, way) {
  const middle = link => link.getBoundingClientRect().left + link.offsetWidth / 2;
  const top = link => link.getBoundingClientRect().top;
  const beyond = (way > 0 ? links.slice(at + 1) : links.slice(0, at).reverse()).filter(link => Math.abs(top(link) - top(links[at])) > 4);
  const row = beyond.filter(link => Math.abs(top(link) - top(beyond[0])) <= 4);
  return row.sort((a, b) => Math.abs(middle(a) - middle(links[at])) - Math.abs(middle(b) - middle(links[at])))[0];
}
