// Text that a model, a file or a plugin wrote: as text nodes, and so that nothing in it can hide.
// Control characters, and characters that reorder or hide others, are shown by name.
import { el } from './dom.js';

const FIRST = 20_000; // characters that are shown unasked
const MORE = 200_000; // and at each further demand
const HIDING = /(\p{Cs}|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}])\1*/gu;
const ASCII = ('NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI'
  + ' DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US').split(' ');
const NAMES = new Map([
  [0x00ad, 'soft hyphen'], [0x061c, 'Arabic letter mark'], [0x200b, 'zero-width space'],
  [0x200e, 'left-to-right mark'], [0x200f, 'right-to-left mark'], [0x2028, 'line separator'],
  [0x2029, 'paragraph separator'], [0x202a, 'left-to-right embedding'],
  [0x202b, 'right-to-left embedding'], [0x202c, 'end of direction'],
  [0x202d, 'left-to-right override'], [0x202e, 'right-to-left override'],
  [0x2060, 'word joiner'], [0x2066, 'left-to-right isolate'], [0x2067, 'right-to-left isolate'],
  [0x2068, 'first strong isolate'], [0x2069, 'end of isolate'], [0xfeff, 'byte order mark'],
]);

/** Nodes that show `text`, all of it. */
export function legible(text) {
  const nodes = [];
  let from = 0;
  for (const match of text.matchAll(HIDING)) {
    nodes.push(text.slice(from, match.index), named(match[0], match[1]));
    from = match.index + match[0].length;
  }
  nodes.push(text.slice(from));
  return nodes.filter(node => node !== '');
}

/** `text` in one line of at most `most` characters, as plain text: for labels and titles. */
export function line(text, most = 160) {
  const given = String(text ?? '');
  const shown = given.slice(0, most * 4)
    .replace(HIDING, (all, one) => symbol(one.codePointAt(0)))
    .replace(/\s+/gu, ' ')
    .trim();
  return shown.length > most || given.length > most * 4 ? `${cut(shown, most)}…` : shown;
}

/** A block of `text` as it was written; of a long one the beginning and a button for more. */
export function textBlock(text, name) {
  const words = el('span');
  const block = el('pre', { class: 'said', dir: 'auto', role: 'group', 'aria-label': name }, words);
  let shown = 0;
  const more = el('button', { type: 'button', class: 'more', onclick: () => show(MORE) });

  function show(count) {
    const part = cut(text.slice(shown), count);
    words.append(...legible(part));
    shown += part.length;
    const left = text.length - shown;
    more.hidden = left === 0;
    more.textContent = left > MORE
      ? `Show ${MORE.toLocaleString('en')} more of ${left.toLocaleString('en')} characters`
      : `Show the other ${left.toLocaleString('en')} characters`;
    requestAnimationFrame(() => block.scrollHeight > block.clientHeight && (block.tabIndex = 0)); // to scroll by keys
  }

  show(FIRST);
  return [block, more];
}

/** The first `most` UTF-16 units of `text`, no character cut in half. */
function cut(text, most) {
  const last = text.charCodeAt(most - 1);
  const half = text.length > most && last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, half ? most - 1 : most);
}

function named(all, one) {
  const code = one.codePointAt(0);
  const times = all.length / one.length;
  const hex = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const title = [hex, NAMES.get(code), times > 1 ? `${times} times` : ''].filter(Boolean).join(' ');
  return el('span', { class: 'control', title, text: symbol(code) + (times > 1 ? `×${times}` : '') });
}

function symbol(code) {
  if (code < 0x20) {
    return ASCII[code];
  }
  return code === 0x7f ? 'DEL' : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
