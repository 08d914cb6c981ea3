// The environment's picture of a position, drawn by the server from the recorded seed and responses.
import { el, replace } from '../dom.js';
import { get } from '../api.js';

/** Pictures at `pathOf(position)` for positions 0 … last; null where there are none. */
export function stage(pathOf, last, nameOf) {
  const image = el('img', { class: 'frame', decoding: 'async', onload: arrived, onerror: failed });
  const root = el('figure', { class: 'stage' }, image);
  const next = new Image(); // fetched ahead
  let position = 0;
  let pending = false;

  function show(to) {
    position = to;
    pending = true;
    image.alt = `Picture of the environment: ${nameOf(to)}`;
    image.src = pathOf(to);
    replace(root, image);
  }

  function arrived() {
    pending = false;
    if (position < last) {
      next.src = pathOf(position + 1);
    }
  }

  async function failed() {
    const asked = position;
    let line = 'The picture cannot be shown.';
    try {
      await get(pathOf(asked));
    } catch (error) {
      line = error.message;
    }
    if (asked === position) {
      pending = false;
      replace(root, el('figcaption', { class: 'empty', role: 'status', text: line }));
    }
  }

  return { root, show, ready: () => !pending };
}
