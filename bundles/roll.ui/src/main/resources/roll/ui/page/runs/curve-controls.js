// How curves are looked at: over steps or time, smoothed, on a log scale. The choice is in the link.
import { el, setText } from '../dom.js';

const SMOOTH = [0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99];

/** The choice that a link holds. */
export function curveChoice(query) {
  const smooth = Number(query.get('smooth') ?? 0);
  return {
    x: query.get('x') === 'seconds' ? 'seconds' : 'step',
    smooth: smooth >= 0 && smooth < 1 ? smooth : 0,
    log: query.get('log') === '1',
  };
}

/** Writes it into a link's query; what is usual is left out. */
export function keepCurveChoice(query, { x, smooth, log }) {
  set(query, 'x', x === 'step' ? null : x);
  set(query, 'smooth', smooth === 0 ? null : smooth);
  set(query, 'log', log ? '1' : null);
}

/** Sets or removes a value. */
export function set(query, name, value) {
  if (value === null || value === '') {
    query.delete(name);
  } else {
    query.set(name, value);
  }
}

/** The controls for a choice, which they change; `onChange()` after each change. */
export function curveControls(choice, onChange) {
  const x = el('select', { onchange: event => change({ x: event.target.value }) },
    el('option', { value: 'step', text: 'step' }), el('option', { value: 'seconds', text: 'time in steps' }));
  x.value = choice.x;
  const shown = el('output', { text: labelOf(choice.smooth) });
  const nearest = SMOOTH.findLastIndex(value => value <= choice.smooth);
  const smooth = el('input', { type: 'range', min: 0, max: SMOOTH.length - 1, step: 1, value: nearest, oninput: event => {
    const value = SMOOTH[event.target.value];
    setText(shown, labelOf(value));
    event.target.setAttribute('aria-valuetext', labelOf(value));
    change({ smooth: value });
  } });
  smooth.setAttribute('aria-valuetext', labelOf(choice.smooth));
  const log = el('input', { type: 'checkbox', checked: choice.log, onchange: event => change({ log: event.target.checked }) });

  function change(values) {
    Object.assign(choice, values);
    onChange();
  }

  return [
    el('label', { class: 'field' }, 'Over', x),
    el('label', { class: 'field' }, 'Smoothing', smooth, shown),
    el('label', { class: 'field' }, log, 'Log scale'),
  ];
}

function labelOf(smooth) {
  return smooth === 0 ? 'off' : String(smooth);
}
