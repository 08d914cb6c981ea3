// What the system answered to orders of this page, in the words of its shell.
import { el } from '../dom.js';
import { line } from '../legible.js';

const MOST = 100;

/** A log: its root (hidden while empty), `say(lines)` and `refuse(line)`. */
export function answerLog() {
  const lines = el('div', { class: 'code wrap', role: 'log', 'aria-label': 'Answers', tabindex: '0' });
  const root = el('section', { class: 'panel answers', hidden: true }, el('h2', { text: 'Answers' }), lines);

  function add(text, kind) {
    root.hidden = false;
    const time = new Date().toLocaleTimeString('en-GB');
    lines.append(el('div', { class: kind }, el('time', { class: 'muted', text: time }), ' ', el('bdi', { text: line(text, 2000) })));
    while (lines.childElementCount > MOST) {
      lines.firstElementChild.remove();
    }
    lines.scrollTop = lines.scrollHeight;
  }

  return {
    root,
    say: all => all.forEach(text => add(text, 'answer')),
    refuse: text => add(text, 'refusal'),
  };
}
