// Walking among episodes: j and k, arrows, Home and End; Enter opens, as on every link.

/**
 * Listens in `root` for the links `.episode` of `result`; `onHand(episode)` hears which is in hand,
 * `onStep(by)` that the step before or after is asked for. Returns `episodes(list)` and `close()`.
 */
export function episodeKeys(root, result, onHand, onStep) {
  let episodes = new Map();
  const links = () => [...result.querySelectorAll('a.episode')];
  const episodeOf = link => episodes.get(link?.dataset.index) ?? null;

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
    const all = links();
    const to = target(event.key, all, all.indexOf(document.activeElement));
    if (to) {
      event.preventDefault();
      to.focus();
      to.scrollIntoView({ block: 'nearest' });
    }
  }

  const hand = event => {
    const link = event.target.closest?.('a.episode, tr')?.matches('tr')
      ? event.target.closest('tr').querySelector('a.episode')
      : event.target.closest?.('a.episode');
    if (link) {
      onHand(episodeOf(link));
    }
  };
  document.addEventListener('keydown', key);
  result.addEventListener('focusin', hand);
  result.addEventListener('pointerover', hand);
  return {
    episodes: list => episodes = new Map(list.map(episode => [String(episode.index), episode])),
    close: () => document.removeEventListener('keydown', key),
  };
}

function target(key, all, place) {
  switch (key) {
    case 'j': case 'ArrowRight': return all[place + 1];
    case 'k': case 'ArrowLeft': return all[Math.max(place - 1, 0)];
    case 'ArrowDown': return place < 0 ? all[0] : below(all, place, 1);
    case 'ArrowUp': return place < 0 ? all[0] : below(all, place, -1);
    case 'Home': return all[0];
    case 'End': return all.at(-1);
    default: return undefined;
  }
}

/** The nearest link in the next row down (1) or up (−1), by where they are on the page. */
function below(all, place, way) {
  const here = all[place].getBoundingClientRect();
  const middle = here.left + here.width / 2;
  let best = null;
  for (let at = place + way; at >= 0 && at < all.length; at += way) {
    const box = all[at].getBoundingClientRect();
    if (Math.abs(box.top - here.top) < 4) {
      continue;
    }
    if (best && Math.abs(box.top - best.top) > 4) {
      break;
    }
    const far = Math.abs(box.left + box.width / 2 - middle);
    if (!best || far < best.far) {
      best = { link: all[at], top: box.top, far };
    }
  }
  return best?.link;
}
