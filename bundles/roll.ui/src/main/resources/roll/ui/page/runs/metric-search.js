// Choosing a metric by its name out of hundreds: type, arrows, Enter.
import { el } from '../dom.js';

let made = 0;

/** A search field over `names()`; `onChoose(name)` for each name chosen. */
export function metricSearch(label, names, onChoose) {
  const options = el('datalist', { id: `metrics-${++made}` });
  const input = el('input', {
    type: 'search', list: options.id, placeholder: 'critic/kl', 'aria-label': label, autocomplete: 'off', spellcheck: 'false',
    onfocus: fill, oninput: event => (event.inputType === undefined || event.inputType === 'insertReplacementText') && take(),
    onkeydown: event => event.key === 'Enter' && take(true),
  });

  function fill() {
    options.replaceChildren(...names().map(name => el('option', { value: name })));
  }

  /** An exact name is taken; on Enter also the only one that fits what was typed. */
  function take(entered = false) {
    const typed = input.value.trim();
    const all = names();
    const fitting = typed === '' ? [] : all.filter(name => name.toLowerCase().includes(typed.toLowerCase()));
    const name = all.includes(typed) ? typed : entered && fitting.length === 1 ? fitting[0] : null;
    input.setCustomValidity(entered && name === null && typed !== '' ? (fitting.length === 0 ? 'No metric has this in its name' : `${fitting.length} metrics have this in their names: choose one`) : '');
    if (name !== null) {
      input.value = '';
      onChoose(name);
    } else if (entered) {
      input.reportValidity();
    }
  }

  return el('span', { class: 'field metric-search' }, el('label', { class: 'field' }, label, input), options);
}
