// Asks before a part of a run is replaced, and says what happens then.
import { post } from '../api.js';
import { el, setText } from '../dom.js';
import { line } from '../legible.js';

/** Asks and orders; the server's answer, or null if it was not wanted. A refusal keeps the dialog. */
export function askSwap({ run, kind, from, to }) {
  const wrong = el('p', { class: 'note bad', role: 'alert', hidden: true });
  const keys = el('textarea', {
    rows: 3, spellcheck: 'false', autocomplete: 'off', class: 'mono', id: 'swap-keys', 'aria-describedby': 'swap-hint',
    placeholder: 'key.path=value',
  });
  const no = el('button', { type: 'button', text: 'Cancel', onclick: () => dialog.close() });
  const yes = el('button', { type: 'button', class: 'primary', text: 'Swap', onclick: order });
  const dialog = el('dialog', { 'aria-labelledby': 'swap-title', class: 'wide' },
    el('h2', { id: 'swap-title' }, `Swap ${kind} `, el('bdi', { class: 'mono', text: line(from, 40) }), ' → ', el('bdi', { class: 'mono', text: line(to, 40) }), '?'),
    el('p', {}, `Run ${run.number} `, el('bdi', { text: line(run.name, 60) }), ' ends the step under way with ',
      el('bdi', { text: line(from, 40) }), '; from the next step on it trains with ', el('bdi', { text: line(to, 40) }),
      '. Options that the new one does not have are left out, and the change is written into the run’s config.yaml.'),
    el('label', { for: 'swap-keys', text: 'Further keys to change' }), keys,
    el('p', { class: 'hint', id: 'swap-hint', text: 'One key.path=value a line, as for swap in the shell; empty for none.' }),
    wrong, el('div', { class: 'buttons end' }, no, yes));
  let answer = null;

  async function order() {
    yes.disabled = true;
    wrong.hidden = true;
    const overrides = keys.value.split('\n').map(text => text.trim()).filter(Boolean);
    try {
      const strange = overrides.find(text => !/^[^=\s]+=/.test(text));
      if (strange) {
        throw new Error(`'${line(strange, 80)}' is no key.path=value`);
      }
      answer = await post(`/api/runs/${run.id}/swap`, { kind, from, to, overrides });
      dialog.close();
    } catch (error) {
      setText(wrong, line(error.message, 2000));
      wrong.hidden = false;
      yes.disabled = false;
    }
  }

  document.body.append(dialog);
  return new Promise(resolve => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(answer);
    });
    dialog.showModal();
    keys.focus();
  });
}
