// What came of an order, in words, at the foot of the page and to screen readers.
import { el } from './dom.js';

const STAYS = 6000;

/** Shows one line for some seconds. */
export function say(line) {
  const notice = show(line, 'status');
  setTimeout(() => notice.remove(), STAYS);
}

/** Shows what went wrong until it is closed. */
export function complain(error) {
  show(error.message ?? String(error), 'alert');
}

function show(line, role) {
  const notice = el('div', { class: `notice ${role}`, role }, el('span', { text: line }));
  notice.append(el('button', {
    class: 'quiet', type: 'button', 'aria-label': 'Close', text: '×', onclick: () => notice.remove(),
  }));
  document.getElementById('notices').append(notice);
  return notice;
}
