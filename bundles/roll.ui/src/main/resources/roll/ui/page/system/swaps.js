// The parts of an active run that can be replaced, each with the plugins that can take its place.
import { get, post } from '../api.js';
import { el, update } from '../dom.js';
import { line } from '../legible.js';
import { ask, name, table } from '../parts.js';

/** A board: its node and `runs(list)`, to be called whenever runs may have changed. `log` takes answers. */
export function swapBoard(log) {
  const body = el('div', { class: 'swap-body' });
  const chooser = el('select', { onchange: () => choose(chooser.value) });
  const choice = el('label', { class: 'field', hidden: true }, 'Run', chooser);
  const node = el('section', { class: 'panel swap-board', 'aria-labelledby': 'swaps-title' },
    el('header', { class: 'bar' }, el('h2', { id: 'swaps-title', text: 'Swap a part' }), choice), body);
  let live = [];
  let chosen = null;

  async function draw() {
    const run = live.find(one => one.id === chosen);
    if (!run) {
      update(body, el('p', { class: 'nothing' }, 'No run is in progress. Start one in the shell with ',
        el('code', { text: 'train <config.yaml> &' }), ', then its loss, estimator, environment and other parts can be replaced here between two steps.'));
      return;
    }
    try {
      const { plugins } = await get(`/api/runs/${run.id}/plugins`);
      if (run.id === chosen) {
        update(body, plugins.length === 0 ? el('p', { class: 'nothing', text: 'This run has no part that can be replaced.' })
          : table({ class: 'swap-table', columns: ['kind', 'now', 'by', { text: 'order', unseen: true }] }, plugins.map(plugin => row(run, plugin))));
      }
    } catch (error) {
      update(body, el('p', { class: 'note bad', text: error.message }));
    }
  }

  function row(run, { kind, id, choices }) {
    const part = `${kind} ${line(id, 40)}`;
    const swap = async event => {
      const to = event.target.closest('tr').querySelector('select');
      const answer = to.value === '' ? to.focus() : await askSwap({ run, kind, from: id, to: to.value });
      if (answer) {
        to.value = '';
        log.answer(answer);
        await draw();
      }
    };
    return el('tr', {},
      el('th', { scope: 'row', text: line(kind, 40) }), el('td', {}, name(id, 40, 'mono')),
      el('td', {}, el('select', { 'aria-label': `What replaces ${part}` },
        el('option', { value: '', text: '…' }), choices.map(one => el('option', { value: one, text: line(one, 60) })))),
      el('td', {}, el('button', { type: 'button', class: 'small', text: 'Swap…', 'aria-label': `Swap ${part}`, onclick: swap })));
  }

  function choose(id) {
    chosen = id;
    chooser.value = id;
    return draw();
  }

  return {
    node,
    runs(list) {
      live = list.filter(run => run.live);
      choice.hidden = live.length === 0;
      if (!live.some(run => run.id === chosen)) {
        chosen = live[0]?.id ?? null;
      }
      update(chooser, live.map(run => el('option', { value: run.id, text: `${run.number} ${line(run.name, 40)}` })));
      choose(chosen);
    },
  };
}

/** Asks for further keys and orders the swap; the answer of the server, or null. */
function askSwap({ run, kind, from, to }) {
  const keys = el('textarea', {
    rows: 3, spellcheck: 'false', autocomplete: 'off', class: 'mono', id: 'swap-keys', 'aria-describedby': 'swap-hint', placeholder: 'key.path=value',
  });
  return ask({
    title: [`Swap ${kind} `, name(from, 40, 'mono'), ' → ', name(to, 40, 'mono'), '?'],
    content: [
      el('p', {}, `Run ${run.number} `, name(run.name), ' completes the current step with ', name(from, 40), '; from the next step on it trains with ', name(to, 40),
        '. Options that the new part does not have are removed, and the change is written to the run’s config.yaml.'),
      el('label', { for: 'swap-keys', text: 'Further keys to change' }), keys,
      el('p', { class: 'hint', id: 'swap-hint', text: 'One key.path=value per line, as for swap in the shell.' }),
    ],
    action: 'Swap', focus: keys,
    act: () => {
      const overrides = keys.value.split('\n').map(text => text.trim()).filter(Boolean);
      const invalid = overrides.find(text => !/^[^=\s]+=/.test(text));
      if (invalid) {
        throw new Error(`'${line(invalid, 80)}': expected key.path=value`);
      }
      return post(`/api/runs/${run.id}/swap`, { kind, from, to, overrides });
    },
  });
}
