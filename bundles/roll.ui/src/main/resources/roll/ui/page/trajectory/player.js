// Moves along an episode: positions 0 … last, by buttons, slider, keys, or by itself.
import { el, setText } from '../dom.js';
import { icon } from './icons.js';

const SPEEDS = [0.5, 1, 2, 4];
const SECONDS_A_STEP = 1;

/**
 * Controls of `last + 1` positions. `nameOf(position)` says where that is, `show(position)` shows
 * it; `ready()` says whether what was shown last has arrived, before which it does not play on.
 * Returns the root, `go(position)`, `key(event)` and `close()`.
 */
export function player({ last, first, nameOf, show, ready }) {
  let position = -1;
  let timer = 0;
  let speed = 1;
  const toStart = step('start', 'First turn (Home)', () => go(0));
  const back = step('back', 'Back (←)', () => go(position - 1));
  const play = el('button', { type: 'button', class: 'primary play', onclick: toggle });
  const forth = step('forth', 'Forward (→)', () => go(position + 1));
  const toEnd = step('end', 'End (End)', () => go(last));
  const slider = el('input', {
    type: 'range', min: 0, max: Math.max(last, 1), step: 1, value: 0, disabled: last === 0, 'aria-label': 'Turn',
    oninput: event => go(Number(event.target.value)),
  });
  const where = el('output', { class: 'where' });
  const root = el('div', { class: 'player', role: 'group', 'aria-label': 'Replay' },
    el('div', { class: 'buttons' }, toStart, back, play, forth, toEnd), slider, where,
    el('label', { class: 'field' }, el('span', { class: 'hidden', text: 'Speed' }),
      el('select', { onchange: event => setSpeed(Number(event.target.value)) },
        SPEEDS.map(one => el('option', { value: one, selected: one === 1, text: `${one}×` })))));

  function step(sign, label, onclick) {
    return el('button', { type: 'button', class: 'quiet', 'aria-label': label, title: label, onclick: () => { pause(); onclick(); } },
      icon(sign));
  }

  function go(to) {
    const next = Math.min(Math.max(to, 0), last);
    if (next === position) {
      return;
    }
    position = next;
    slider.value = String(position);
    slider.setAttribute('aria-valuetext', nameOf(position));
    setText(where, nameOf(position));
    toStart.disabled = back.disabled = position === 0;
    forth.disabled = toEnd.disabled = position === last;
    show(position);
  }

  function tick() {
    if (ready()) {
      go(position + 1);
    }
    if (position === last) {
      pause();
    }
  }

  function toggle() {
    if (timer) {
      pause();
      return;
    }
    if (position === last) {
      go(0);
    }
    run();
  }

  function run() {
    where.setAttribute('aria-live', 'off'); // playing would be read out all the time
    timer = setInterval(tick, (SECONDS_A_STEP / speed) * 1000);
    name();
  }

  function pause() {
    clearInterval(timer);
    timer = 0;
    where.setAttribute('aria-live', 'polite');
    name();
  }

  function setSpeed(chosen) {
    speed = chosen;
    if (timer) {
      pause();
      run();
    }
  }

  function name() {
    play.setAttribute('aria-label', timer ? 'Pause (space)' : 'Play (space)');
    setText(play, timer ? 'Pause' : 'Play');
  }

  function key(event) {
    const order = {
      ArrowLeft: () => go(position - 1), ArrowRight: () => go(position + 1), Home: () => go(0), End: () => go(last),
    }[event.key];
    if (event.key === ' ') {
      toggle();
    } else if (order) {
      pause();
      order();
    } else {
      return false;
    }
    return true;
  }

  play.disabled = last === 0;
  name();
  go(first);
  return { root, go(to) { pause(); go(to); }, key, close: pause };
}
