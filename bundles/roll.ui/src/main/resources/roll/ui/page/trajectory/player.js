// Replay of an episode: positions 0 … last, one before each turn and the end. Buttons, slider, keys and playback
// move along them; the picture of the environment and the rewards of all turns follow.
import { get } from '../api.js';
import { el, replace, setText } from '../dom.js';
import { number } from '../format.js';

const SPEEDS = [0.5, 1, 2, 4]; // turns per second

/**
 * Controls of `last + 1` positions. `nameOf(position)` is its text, `show(position)` shows it; `ready()` says whether
 * the last picture has arrived, before which playback waits. Returns the node, `go(position)`, `key(event)` and `close()`.
 */
export function player({ last, first, nameOf, show, ready }) {
  let position = -1;
  let timer = 0;
  let speed = 1;
  const toStart = button('«', 'First turn (Home)', () => go(0));
  const back = button('‹', 'Back (←)', () => go(position - 1));
  const play = el('button', { type: 'button', class: 'primary play', disabled: last === 0, onclick: toggle });
  const forth = button('›', 'Forward (→)', () => go(position + 1));
  const toEnd = button('»', 'End (End)', () => go(last));
  const slider = el('input', {
    type: 'range', min: 0, max: Math.max(last, 1), step: 1, value: 0, disabled: last === 0, 'aria-label': 'Turn',
    oninput: event => go(Number(event.target.value)),
  });
  const where = el('output', { class: 'where' });
  const faster = event => {
    speed = Number(event.target.value);
    setPlaying(timer !== 0);
  };
  const node = el('div', { class: 'player', role: 'group', 'aria-label': 'Replay' },
    el('div', { class: 'buttons' }, toStart, back, play, forth, toEnd), slider, where,
    el('select', { 'aria-label': 'Speed', onchange: faster }, SPEEDS.map(one => el('option', { value: one, selected: one === 1, text: `${one}×` }))));

  function button(text, label, act) {
    return el('button', { type: 'button', class: 'quiet', 'aria-label': label, title: label, text, onclick: () => moveTo(act) });
  }

  function moveTo(act) {
    setPlaying(false);
    act();
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
      setPlaying(false);
    }
  }

  function toggle() {
    if (timer === 0 && position === last) {
      go(0);
    }
    setPlaying(timer === 0);
  }

  function setPlaying(on) {
    clearInterval(timer);
    timer = on ? setInterval(tick, 1000 / speed) : 0;
    where.setAttribute('aria-live', on ? 'off' : 'polite'); // playback would be read out all the time
    play.setAttribute('aria-label', on ? 'Pause (space)' : 'Play (space)');
    setText(play, on ? 'Pause' : 'Play');
  }

  function key(event) {
    const move = { ArrowLeft: () => go(position - 1), ArrowRight: () => go(position + 1), Home: () => go(0), End: () => go(last) }[event.key];
    if (move) {
      moveTo(move);
    } else if (event.key === ' ') {
      toggle();
    }
    return Boolean(move) || event.key === ' ';
  }

  setPlaying(false);
  go(first);
  return { node, go: to => moveTo(() => go(to)), key, close: () => setPlaying(false) };
}

/** The picture of the environment at `pathOf(position)`: its node, `show(position)` and `ready()`. */
export function stage(pathOf, last, nameOf) {
  const next = new Image(); // fetched ahead
  let position = 0;
  let pending = false;
  const image = el('img', { class: 'frame', decoding: 'async', onerror: failed, onload: () => {
    pending = false;
    next.src = pathOf(Math.min(position + 1, last));
  } });
  const node = el('figure', { class: 'stage' }, image);

  function show(to) {
    position = to;
    pending = true;
    image.alt = `Picture of the environment: ${nameOf(to)}`;
    image.src = pathOf(to);
    replace(node, image);
  }

  async function failed() {
    const failing = position;
    const text = await get(pathOf(failing)).then(() => 'The picture cannot be shown.', error => error.message);
    if (failing === position) {
      pending = false;
      replace(node, el('figcaption', { class: 'empty', role: 'status', text }));
    }
  }

  return { node, show, ready: () => !pending };
}

/** A bar for the reward of each turn: its node, null for a single turn, and `mark(turn)`. Negative rewards are hatched as well. */
export function rewardStrip(turns, go) {
  const max = Math.max(...turns.map(turn => Math.abs(turn.reward ?? 0)), 1e-9);
  const cells = turns.map(({ reward }, index) => el('button', {
    type: 'button', class: 'reward-cell', tabindex: '-1', title: `Turn ${index + 1}: reward ${number(reward)}`,
    'aria-label': `Turn ${index + 1}, reward ${number(reward)}`, onclick: () => go(index),
  }, el('span', { class: `reward-bar ${reward < 0 ? 'down' : 'up'}`, style: { height: `${Math.round((Math.abs(reward ?? 0) / max) * 100)}%` } })));
  return {
    node: turns.length > 1 ? el('div', { class: 'reward-strip', role: 'group', 'aria-label': 'Rewards by turn' }, cells) : null,
    mark: position => cells.forEach((cell, index) => cell.ariaCurrent = index === position ? 'step' : null),
  };
}
