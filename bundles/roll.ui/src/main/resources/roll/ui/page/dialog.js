// Questions that must be answered before something is done.
import { el } from './dom.js';

/** Asks; the answer is whether `action`, such as 'Stop', was chosen. Escape is no. */
export function confirm({ title, text, action, danger = false }) {
  const no = el('button', { value: 'no', text: 'Cancel' });
  const yes = el('button', { value: 'yes', class: danger ? 'danger' : 'primary', text: action });
  const form = el('form', { method: 'dialog' },
    el('h2', { text: title, id: 'dialog-title' }),
    el('p', { text }),
    el('div', { class: 'buttons end' }, no, yes));
  const dialog = el('dialog', { 'aria-labelledby': 'dialog-title' }, form);
  document.body.append(dialog);
  return new Promise(resolve => {
    // The policy has form-action 'none', which would stop the form itself from closing its dialog.
    for (const button of [no, yes]) {
      button.addEventListener('click', event => {
        event.preventDefault();
        dialog.close(button.value);
      });
    }
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    dialog.showModal();
    no.focus();
  });
}
