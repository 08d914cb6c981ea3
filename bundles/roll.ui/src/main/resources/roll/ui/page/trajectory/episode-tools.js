// Which episodes are shown: step, search, filter and order.
import { el, replace } from '../dom.js';

const TYPING = 250; // ms
const FILTERS = [['all', 'all'], ['failed', 'failed'], ['solved', 'solved']];
/** Orders, by what the server calls them, with their names. */
export const SORTS = [['group', 'groups'], ['score', 'score'], ['longest', 'longest'], ['surprising', 'most surprising']];

/**
 * Controls that begin with `state`; `change(part)` hears what was chosen. Returns the root,
 * `steps(all, shown, newest)`, `set(state)` and `move(by)`, which goes some steps on.
 */
export function episodeTools(state, change) {
  let known = [];
  let timer = 0;
  const step = el('select', { onchange: event => change({ step: event.target.value }) });
  const back = el('button', { type: 'button', class: 'quiet', 'aria-label': 'Step before (,)', title: 'Step before (,)', text: '‹', onclick: () => move(-1) });
  const forth = el('button', { type: 'button', class: 'quiet', 'aria-label': 'Step after (.)', title: 'Step after (.)', text: '›', onclick: () => move(1) });
  const search = el('input', {
    type: 'search', placeholder: 'text, answer, id …', value: state.q, maxlength: 200,
    oninput: event => {
      clearTimeout(timer);
      timer = setTimeout(() => change({ q: event.target.value.trim() }), TYPING);
    },
  });
  const filters = radios('Show', 'episode-filter', FILTERS, state.filter, filter => change({ filter }));
  const sort = el('select', { onchange: event => change({ sort: event.target.value }) },
    SORTS.map(([value, text]) => el('option', { value, text })));
  sort.value = state.sort;
  let shown = null;

  function move(by) {
    const to = known[known.indexOf(shown) + by];
    if (to !== undefined) {
      change({ step: String(to) });
    }
  }

  return {
    root: el('div', { class: 'tools', role: 'search' },
      el('div', { class: 'field stepper' }, el('label', {}, el('span', { text: 'Step' }), step), back, forth),
      el('label', { class: 'field' }, el('span', { text: 'Search' }), search),
      filters.root, el('label', { class: 'field' }, el('span', { text: 'Sort by' }), sort)),
    move,
    steps(steps, current, newest) {
      if (steps.length !== known.length || steps.at(-1) !== known.at(-1)) {
        replace(step, el('option', { value: '', text: 'newest' }),
          steps.toReversed().map(one => el('option', { value: one, text: String(one) })));
      }
      known = steps;
      shown = current;
      step.value = newest ? '' : String(current);
      step.title = `step ${current}`;
      back.disabled = steps.indexOf(current) <= 0;
      forth.disabled = steps.indexOf(current) === steps.length - 1;
    },
    set(next) {
      search.value = next.q;
      sort.value = next.sort;
      filters.set(next.filter);
    },
  };
}

function radios(label, name, choices, chosen, onChoose) {
  const inputs = choices.map(([value]) => el('input', { type: 'radio', name, value, checked: value === chosen, onchange: () => onChoose(value) }));
  return {
    root: el('fieldset', { class: 'segments' }, el('legend', { class: 'hidden', text: label }),
      choices.map(([, text], place) => el('label', {}, inputs[place], el('span', { text })))),
    set: value => inputs.forEach(input => input.checked = input.value === value),
  };
}
