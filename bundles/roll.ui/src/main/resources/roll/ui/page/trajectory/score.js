// Scores and whether they are a success, in a sign, a word and a number.
import { el } from '../dom.js';
import { number } from '../format.js';

const VERDICTS = {
  solved: { sign: '✓', word: 'solved' },
  failed: { sign: '✗', word: 'failed' },
  unknown: { sign: '·', word: 'no score' },
};

/** `solved`, `failed` or `unknown`: as the server has it, or by the score where it does not say. */
export function verdictOf(episode) {
  const solved = episode.solved ?? successOf(episode.metrics);
  if (solved !== null) {
    return solved ? 'solved' : 'failed';
  }
  if (episode.score === null || episode.score === undefined || Number.isNaN(Number(episode.score))) {
    return 'unknown';
  }
  return Number(episode.score) > 0 ? 'solved' : 'failed';
}

/** The sign of an episode's verdict; its word is for screen readers. */
export function verdict(episode) {
  const name = verdictOf(episode);
  return el('span', { class: `verdict ${name}`, title: VERDICTS[name].word },
    el('span', { 'aria-hidden': 'true', text: VERDICTS[name].sign }),
    el('span', { class: 'hidden', text: VERDICTS[name].word }));
}

/** A number in few digits, for where many stand side by side: two decimals where they suffice. */
export function shortNumber(value) {
  const size = Math.abs(value ?? NaN);
  return size >= 0.005 && size < 1000 ? `${value < 0 ? '\u2212' : ''}${size.toFixed(size < 10 ? 2 : size < 100 ? 1 : 0)}` : number(value);
}

/** A number with its sign, as advantages and rewards have one. */
export function signedNumber(value) {
  return value > 0 ? `+${number(value)}` : number(value);
}

function successOf(metrics) {
  const success = Number(metrics?.success ?? NaN);
  return Number.isNaN(success) ? null : success > 0;
}
