// The parts of a running run that can be replaced, each with what may take its place.
import { get } from '../api.js';
import { el, replace } from '../dom.js';
import { line } from '../legible.js';
import { askSwap } from './swap-dialog.js';

/** A board: its root and `runs(list)`, to be called whenever runs may have changed. */
export function swapBoard(log) {
  const body = el('div', { class: 'swap-body' });
  const chooser = el('select', { onchange: () => choose(chooser.value) });
  const choice = el('label', { class: 'field', hidden: true }, el('span', { text: 'Run' }), chooser);
  const root = el('section', { class: 'panel swap-board', 'aria-labelledby': 'swaps-title' },
    el('header', { class: 'bar' }, el('h2', { id: 'swaps-title', text: 'Swap a part' }), choice), body);
  let live = [];
  let chosen = null;
  let drawn = ''; // what is shown, so that a select in use is not replaced by its equal

  async function draw() {
    const run = live.find(one => one.id === chosen);
    if (!run) {
      drawn = '';
      replace(body, el('p', { class: 'nothing' }, 'No run is in progress. Start one in the shell with ',
        el('code', { text: 'train <config.yaml> &' }), ', then its loss, estimator, environment and other parts can be replaced here between two steps.'));
      return;
    }
    let plugins;
    try {
      ({ plugins } = await get(`/api/runs/${run.id}/plugins`));
    } catch (error) {
      drawn = '';
      replace(body, el('p', { class: 'note bad', text: error.message }));
      return;
    }
    const text = JSON.stringify([run.id, plugins]);
    if (run.id === chosen && text !== drawn) {
      drawn = text;
      replace(body, plugins.length === 0
        ? el('p', { class: 'nothing', text: 'This run has no part that can be replaced.' })
        : el('table', { class: 'swap-table' },
          el('caption', { class: 'hidden', text: `Parts of run ${run.number}` }),
          el('thead', {}, el('tr', {}, ['kind', 'now', 'by'].map(name => el('th', { scope: 'col', text: name })),
            el('th', { scope: 'col' }, el('span', { class: 'hidden', text: 'order' })))),
          el('tbody', {}, plugins.map(plugin => part(run, plugin)))));
    }
  }

  function part(run, plugin) {
    const { kind, id, choices } = plugin;
    const name = `${kind} ${line(id, 40)}`;
    const to = el('select', { 'aria-label': `What replaces ${name}`, onchange: () => swap.disabled = to.value === '' },
      el('option', { value: '', text: '…' }), choices.map(one => el('option', { value: one, text: line(one, 60) })));
    const swap = el('button', {
      type: 'button', class: 'small', disabled: true, text: 'Swap…', 'aria-label': `Swap ${name}`,
      onclick: async () => {
        const answer = await askSwap({ run, kind, from: id, to: to.value });
        if (answer) {
          log.say([...(answer.notices ?? []).map(notice => `notice: ${notice}`), answer.line]);
          drawn = '';
          await draw();
        }
      },
    });
    return el('tr', {},
      el('th', { scope: 'row', text: line(kind, 40) }),
      el('td', {}, el('bdi', { class: 'mono', text: line(id, 40) })),
      choices.length === 0
        ? el('td', { class: 'muted', colspan: 2, text: 'no other is registered' })
        : [el('td', {}, to), el('td', {}, swap)]);
  }

  function choose(id) {
    chosen = id;
    chooser.value = id;
    return draw();
  }

  return {
    root,
    runs(list) {
      live = list.filter(run => run.live);
      choice.hidden = live.length === 0;
      if (!live.some(run => run.id === chosen)) {
        chosen = live[0]?.id ?? null;
      }
      replace(chooser, live.map(run => el('option', { value: run.id, selected: run.id === chosen, text: `${run.number} ${line(run.name, 40)}` })));
      draw();
    },
  };
}
