// Parts that views share: tables, choices, the path above a title, notices, dialogs.
import { el } from './dom.js';
import { line } from './legible.js';

const NOTICE_MS = 6000;

/** Text for screen readers alone. */
export function unseen(text) {
  return el('span', { class: 'hidden', text });
}

/** `text` of a file, a model or a plugin in one line of at most `max` characters; `kind` is a class. */
export function name(text, max = 60, kind = null) {
  return el('bdi', { class: kind, text: line(text ?? '–', max) });
}

/**
 * A table. `columns`: header texts, or objects with `text`, `class`, `title` and `unseen` (for screen
 * readers alone). `bodies`: arrays of rows, or tbody elements.
 */
export function table({ caption = null, columns = [], ...attributes }, ...bodies) {
  const head = column => (typeof column === 'string' ? el('th', { scope: 'col', text: column })
    : el('th', { scope: 'col', class: column.class, title: column.title }, column.unseen ? unseen(column.text) : column.text));
  return el('table', attributes, caption,
    columns.length > 0 && el('thead', {}, el('tr', {}, columns.map(head))),
    bodies.map(body => (Array.isArray(body) ? el('tbody', {}, body) : body)));
}

/** A part of the page that scrolls by itself, by keys as well. */
export function scroller(label, ...content) {
  return el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label }, content);
}

/** A list of names and values: `pairs` of a text and a text or nodes; null leaves one out. */
export function facts(pairs, kind = 'facts') {
  const pair = ([term, value]) => [el('dt', {}, el('bdi', { text: term })), el('dd', { class: 'num' }, el('bdi', {}, value))];
  return el('dl', { class: kind }, pairs.filter(Boolean).map(one => (kind === 'facts' ? pair(one) : el('div', {}, pair(one)))));
}

/** A sample of the color of a line. */
export function swatch(property, dashed = false) {
  return el('span', { class: dashed ? 'swatch dashed' : 'swatch', style: { color: `var(${property})` } });
}

/** The state of a run or a part, with its color. */
export function badge(state, text = state) {
  return el('span', { class: 'badge', 'data-state': state, text: line(text, 60) });
}

/** A choice of one of `choices`, pairs of value and text: its node and `set(value)`. */
export function segments(label, group, choices, chosen, onChoose) {
  const inputs = choices.map(([value, , absent]) => el('input', {
    type: 'radio', name: group, value, checked: value === chosen, disabled: Boolean(absent), onchange: () => onChoose(value),
  }));
  return {
    node: el('fieldset', { class: 'segments' }, el('legend', { class: 'hidden', text: label }),
      choices.map(([, text, absent], index) => el('label', { class: absent ? 'absent' : null, title: absent }, inputs[index], el('span', { text })))),
    set: value => inputs.forEach(input => input.checked = input.value === value),
  };
}

/** Links to all runs and to `steps`, pairs of address and text or nodes; an address of null is no link. */
export function crumbs(...steps) {
  return el('p', { class: 'crumbs' }, el('a', { href: '#/runs', text: 'Runs' }),
    steps.filter(Boolean).map(([href, text]) => [' / ', href ? el('a', { href }, text) : text]));
}

/** Shows one line for some seconds. */
export function say(text) {
  const notice = notify(text, 'status');
  setTimeout(() => notice.remove(), NOTICE_MS);
}

/** Shows an error until it is closed. */
export function complain(error) {
  notify(error.message ?? String(error), 'alert');
}

function notify(text, role) {
  const notice = el('div', { class: `notice ${role}`, role }, el('span', { text }), el('button', {
    class: 'quiet', type: 'button', 'aria-label': 'Close', text: '×', onclick: () => notice.remove(),
  }));
  document.getElementById('notices').append(notice);
  return notice;
}

/**
 * Asks with a dialog: `title` and `content` are texts or nodes, `action` is the text of the button, which calls
 * `act()`. An error of `act` keeps the dialog open. Returns the result of `act`, or null for Cancel and Escape.
 */
export function ask({ title, content, action, danger = false, act = async () => true, focus = null }) {
  const wrong = el('p', { class: 'note bad', role: 'alert', hidden: true });
  const no = el('button', { type: 'button', text: 'Cancel', onclick: () => dialog.close() });
  const yes = el('button', { type: 'button', class: danger ? 'danger' : 'primary', text: action, onclick: order });
  const dialog = el('dialog', { 'aria-labelledby': 'dialog-title' },
    el('h2', { id: 'dialog-title' }, title), typeof content === 'string' ? el('p', { text: content }) : content,
    wrong, el('div', { class: 'buttons end' }, no, yes));
  let result = null;

  async function order() {
    yes.disabled = true;
    try {
      result = await act();
      dialog.close();
    } catch (error) {
      wrong.textContent = line(error.message, 2000);
      wrong.hidden = yes.disabled = false;
    }
  }

  document.body.append(dialog);
  return new Promise(resolve => {
    dialog.onclose = () => {
      dialog.remove();
      resolve(result);
    };
    dialog.showModal();
    (focus ?? no).focus();
  });
}
