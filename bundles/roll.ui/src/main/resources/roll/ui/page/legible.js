// Text that a model, a file or a plugin wrote, as text nodes. Control characters, and characters that
// reorder or hide others, are shown as their code points.
import { el } from './dom.js';

const FIRST = 20_000; // characters that are shown at first
const MORE = 200_000; // and at each further request
const HIDING = /(\p{Cs}|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}])\1*/gu;

/** Nodes that show all of `text`. */
export function legible(text) {
  const nodes = [];
  let from = 0;
  for (const match of text.matchAll(HIDING)) {
    const times = match[0].length / match[1].length;
    nodes.push(text.slice(from, match.index), el('span', { class: 'control', text: symbol(match[1]) + (times > 1 ? `×${times}` : '') }));
    from = match.index + match[0].length;
  }
  nodes.push(text.slice(from));
  return nodes.filter(node => node !== '');
}

/** `text` in one line of at most `max` characters, as plain text: for labels and titles. */
export function line(text, max = 160) {
  const all = String(text ?? '');
  const shown = all.slice(0, max * 4).replace(HIDING, (_, one) => symbol(one)).replace(/\s+/gu, ' ').trim();
  return shown.length > max || all.length > max * 4 ? `${start(shown, max)}…` : shown;
}

/** A block of `text`; of a long one the beginning and a button for more. */
export function textBlock(text, name) {
  const content = el('span');
  const block = el('pre', { class: 'said', dir: 'auto', role: 'group', 'aria-label': name }, content);
  let shown = 0;
  const more = el('button', { type: 'button', class: 'more', onclick: () => show(MORE) });

  function show(count) {
    const part = start(text.slice(shown), count);
    content.append(...legible(part));
    shown += part.length;
    const left = text.length - shown;
    more.hidden = left === 0;
    more.textContent = `Show ${Math.min(left, MORE).toLocaleString('en')} more of ${left.toLocaleString('en')} characters`;
    requestAnimationFrame(() => block.scrollHeight > block.clientHeight && (block.tabIndex = 0)); // to scroll by keys
  }

  show(FIRST);
  return [block, more];
}

/** The first `max` UTF-16 units of `text`, without half of a character. */
function start(text, max) {
  const last = text.charCodeAt(max - 1);
  return text.slice(0, text.length > max && last >= 0xd800 && last <= 0xdbff ? max - 1 : max);
}

function symbol(character) {
  return `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
