// Tokens as the page shows them: their kind in training, their colors, their text and numbers.
import { el } from '../dom.js';
import { count, number } from '../format.js';
import { legible, line } from '../legible.js';

const SURPRISE = [0.9, 0.5, 0.2, 0.05, 0.01]; // probabilities
const KINDS = { context: 'context token', trained: 'generated, trained on', masked: 'generated, masked out' };

/**
 * Values by which tokens are colored: each maps a value to a class of the stylesheet, t0 … t5 for how unlikely
 * a token was, n3 … n1, z, p1 … p3 for signs.
 */
export const COLORINGS = [
  {
    name: 'log-prob', values: sequence => sequence.log_probs,
    step: value => `t${SURPRISE.filter(min => Math.exp(value) < min).length}`,
    legend: { steps: ['t0', 't1', 't2', 't3', 't4', 't5'], bounds: SURPRISE.map(min => Math.log(min).toFixed(1).replace('-', '−')), ends: ['likely', 'unlikely'] },
  },
  signed('ratio', sequence => sequence.ratios, [1.05, 1.25, 2].map(Math.log), Math.log,
    { bounds: ['0.5', '0.8', '0.95', '1.05', '1.25', '2'], ends: ['less likely to the trainer', 'more likely'] }),
  signed('advantage', sequence => sequence.advantages, [0.05, 0.5, 1.5], value => value,
    { bounds: ['−1.5', '−0.5', '−0.05', '0.05', '0.5', '1.5'], ends: ['discouraged', 'encouraged'] }),
];

function signed(name, values, bounds, scale, legend) {
  const step = value => {
    const size = bounds.filter(bound => Math.abs(scale(value)) > bound).length;
    return size === 0 ? 'z' : `${scale(value) < 0 ? 'n' : 'p'}${size}`;
  };
  return { name, values, step, legend: { steps: ['n3', 'n2', 'n1', 'z', 'p1', 'p2', 'p3'], ...legend } };
}

/** The kind of a token in training: `context`, `trained` or `masked`. */
export function kindOf(sequence, index) {
  if (!(sequence.turns[index] >= 0)) {
    return 'context';
  }
  return Number(sequence.mask?.[index] ?? 1) > 0 ? 'trained' : 'masked';
}

/** The value of a generated token, or null where there is none. */
export function valueOf(coloring, sequence, index) {
  const value = kindOf(sequence, index) === 'context' ? null : coloring.values(sequence)?.[index] ?? null;
  return value === null || Number.isNaN(Number(value)) ? null : Number(value); // a file has NaN as text
}

/** The classes of a token. */
export function classOf(sequence, index, coloring) {
  const value = valueOf(coloring, sequence, index);
  return `token ${kindOf(sequence, index)}${value === null ? '' : ` ${coloring.step(value)}`}`;
}

/** The nodes that show a token. */
export function tokenNodes(sequence, index) {
  const text = sequence.texts?.[index] ?? `#${sequence.tokens[index]} `;
  const piece = shown => el('span', { class: 'piece', text: shown });
  if (!sequence.texts || text === '') { // empty: a part of a character, which the token that completes it has
    return piece(text || '·');
  }
  return text.split(/(\n)/).filter(Boolean).map(part => (part === '\n' ? [piece('↵'), '\n'] : legible(part)));
}

/** Names and values of one token, as text. */
export function tokenFacts(sequence, index) {
  const kind = kindOf(sequence, index);
  const generated = kind !== 'context';
  const version = sequence.versions?.[index];
  const logProb = valueOf(COLORINGS[0], sequence, index);
  return [
    ['token', `${count(index + 1)} of ${count(sequence.tokens.length)}`],
    ['text', quoted(sequence, index)],
    ['id', String(sequence.tokens[index])],
    ...COLORINGS.map(coloring => [coloring.name, number(valueOf(coloring, sequence, index))]),
    ...(sequence.ref_log_probs ? [['reference', generated ? number(sequence.ref_log_probs[index]) : '–']] : []),
    ['probability', number(logProb === null ? null : Math.exp(logProb))],
    ['turn', generated ? count(sequence.turns[index] + 1) : '–'],
    ['weights of step', version >= 0 ? count(version) : '–'],
    ['training', kindText(kind, sequence.mask)],
  ];
}

/** The legend of `coloring`, with the kinds of tokens in `sequences`. */
export function tokenLegend({ name, legend: { steps, bounds, ends } }, sequences) {
  const kinds = new Set(sequences.flatMap(sequence => sequence.tokens.map((_, index) => kindOf(sequence, index))));
  const masked = sequences.some(sequence => sequence.mask);
  return [
    el('div', { class: 'scale', role: 'img', 'aria-label': `${name}: from ${ends[0]} to ${ends[1]}, steps at ${bounds.join(', ')}` },
      el('span', { text: ends[0] }),
      steps.map((step, index) => [el('span', { class: `step token trained ${step}`, text: '\u2007' }), bounds[index] && el('span', { class: 'bound', text: bounds[index] })]),
      el('span', { text: ends[1] })),
    el('ul', { class: 'kinds', 'aria-label': 'Marks' }, Object.keys(KINDS).filter(kind => kinds.has(kind))
      .map(kind => el('li', {}, el('span', { class: `token ${kind}`, text: 'token' }), ` ${kindText(kind, masked)}`))),
  ];
}

function kindText(kind, masked) {
  return kind === 'trained' && !masked ? 'generated' : KINDS[kind];
}

function quoted(sequence, index) {
  const text = sequence.texts?.[index] ?? null;
  if (text === null || text === '') {
    return text === null ? `#${sequence.tokens[index]}` : 'part of a character';
  }
  return `“${line(text.replace(/^ +|(?<! ) +$/g, spaces => '␣'.repeat(spaces.length)).replaceAll('\n', '↵'), 60)}”`;
}
