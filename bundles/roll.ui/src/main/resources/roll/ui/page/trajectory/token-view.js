// The tokens of an episode: colored, walked by the arrow keys, with the numbers of the one in hand.
import { el, replace, setText } from '../dom.js';
import { count } from '../format.js';
import { WAYS, kindOf } from './token-colors.js';
import { tokenLegend } from './token-legend.js';
import { tokenPlot } from './token-plot.js';
import { tokenFacts } from './token-facts.js';
import { runsOf, tokenText } from './token-text.js';

const AT_ONCE = 20_000; // tokens that are shown unasked

/**
 * The tokens of `sequences`; `onTurn(turn)` is called where a turn's heading is chosen. Returns the
 * root and `turn(number)`, which marks a turn and brings its sequence.
 */
export function tokenView(sequences, onTurn) {
  const ways = WAYS.filter(way => sequences.some(sequence => way.values(sequence)?.length > 0));
  const root = el('section', { class: 'tokens', 'aria-labelledby': 'tokens-title' });
  const shown = el('div', { class: 'token-sequence' });
  const legend = el('div');
  let way = ways[0] ?? WAYS[0];
  let current = null; // what is shown of one sequence
  let turnInHand = -1;

  const choice = el('fieldset', { class: 'segments' }, el('legend', { class: 'hidden', text: 'Color tokens by' }),
    WAYS.map(one => el('label', { class: ways.includes(one) ? '' : 'absent', title: ways.includes(one) ? null : `The file has no ${one.name} by token` },
      el('input', {
        type: 'radio', name: 'token-way', value: one.name, checked: one === way, disabled: !ways.includes(one),
        onchange: () => color(one),
      }), el('span', { text: one.name }))));
  const chooser = sequences.length > 1
    ? el('label', { class: 'field' }, el('span', { text: 'Sequence' }),
      el('select', { onchange: event => show(Number(event.target.value)) },
        sequences.map((sequence, index) => el('option', { value: index, text: sequenceName(sequence, index, sequences.length) }))))
    : null;

  function color(chosen) {
    way = chosen;
    replace(legend, tokenLegend(way, sequences));
    current?.color(way);
  }

  function show(index) {
    current = sequenceView(sequences[index], way, turn => onTurn(turn));
    current.index = index;
    if (chooser) {
      chooser.querySelector('select').value = String(index);
    }
    replace(shown, current.root);
    current.turn(turnInHand);
  }

  replace(root,
    el('header', { class: 'bar' },
      el('h2', { id: 'tokens-title', text: 'Tokens' }), chooser, choice),
    legend, shown);
  color(way);
  if (sequences.length > 0) {
    show(0);
  } else {
    replace(shown, el('p', { class: 'empty', text: 'The file has no tokens of this episode.' }));
  }
  return {
    root,
    turn(turn) {
      turnInHand = turn;
      const index = sequences.findIndex(sequence => sequence.turns.includes(turn));
      if (index >= 0 && !sequences[current.index].turns.includes(turn)) {
        show(index);
      }
      current?.turn(turn);
    },
  };
}

function sequenceName(sequence, index, all) {
  const turn = sequence.turns.find(one => one >= 0);
  return `${index + 1} of ${all}${turn === undefined ? '' : `, turn ${turn + 1}`}: ${count(sequence.tokens.length)} tokens`;
}

function sequenceView(sequence, firstWay, onTurn) {
  let way = firstWay;
  let active = -1;
  const spans = new Array(sequence.tokens.length);
  const runs = runsOf(sequence);
  const facts = tokenFacts(sequence);
  const list = el('div', {
    class: 'token-list', role: 'listbox', tabindex: '0', dir: 'auto',
    'aria-label': 'Tokens in order; arrow keys walk along them',
    onkeydown: key, onpointerover: event => take(event.target, false), onpointerdown: event => take(event.target, true),
    onpointerleave: () => facts.show(active), onfocus: () => active < 0 && activate(Math.max(0, firstWritten(sequence))),
  });
  const plot = tokenPlot(sequence, index => activate(index, true));
  const more = el('button', { type: 'button', class: 'more', onclick: () => grow(spans.length) });
  const blocks = new Map();
  let grown = 0;
  let turnInHand = -1;

  function grow(end) {
    while (grown < runs.length && runs[grown].from < end) {
      const run = runs[grown++];
      const block = tokenRun(sequence, run, spans, way, onTurn);
      block.toggleAttribute('data-current', run.turn === turnInHand && turnInHand >= 0);
      blocks.set(run, block);
      list.append(block);
    }
    const left = grown < runs.length ? spans.length - runs[grown].from : 0;
    more.hidden = left === 0;
    setText(more, `Show the other ${left.toLocaleString('en')} tokens`);
  }

  function take(target, hold) {
    const index = Number(target.closest?.('.token')?.dataset.index ?? -1);
    if (index >= 0) {
      hold ? activate(index) : facts.show(index);
    }
  }

  function activate(index, scroll = false) {
    grow(Math.max(index + 1, AT_ONCE));
    spans[active]?.removeAttribute('aria-selected');
    active = index;
    const span = spans[index];
    span.setAttribute('aria-selected', 'true');
    span.setAttribute('aria-label', facts.words(index));
    span.id ||= `token-${index}`;
    list.setAttribute('aria-activedescendant', span.id);
    facts.show(index);
    plot.mark(index);
    if (scroll) {
      span.scrollIntoView({ block: 'nearest' });
    }
  }

  function key(event) {
    const run = runs.findIndex(one => active >= one.from && active < one.to);
    const to = {
      ArrowRight: active + 1, ArrowLeft: active - 1, Home: 0, End: spans.length - 1,
      ArrowDown: runs[run + 1]?.from, ArrowUp: active > runs[run]?.from ? runs[run].from : runs[run - 1]?.from,
    }[event.key];
    if (to !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      event.stopPropagation();
      activate(Math.min(Math.max(to, 0), spans.length - 1), true);
    }
  }

  grow(AT_ONCE);
  facts.show(-1);
  return {
    root: el('div', {}, plot.root, facts.root, list, more),
    color(chosen) {
      way = chosen;
      spans.forEach((span, index) => span.className = tokenText.classOf(sequence, index, way));
    },
    turn(turn) {
      turnInHand = turn;
      for (const [run, block] of blocks) {
        block.toggleAttribute('data-current', run.turn === turn && turn >= 0);
      }
      const place = runs.findIndex(run => run.turn === turn);
      const before = runs[place - 1]?.turn === -1 ? place - 1 : place; // with what it answers
      if (blocks.has(runs[before])) {
        list.scrollTop = blocks.get(runs[before]).offsetTop;
      }
    },
  };
}

function tokenRun(sequence, run, spans, way, onTurn) {
  const written = run.turn >= 0;
  const name = run.goesOn ? '…' : written ? `turn ${run.turn + 1}` : run.from === 0 ? 'prompt' : 'given';
  const words = el('div', { class: 'run-words' });
  for (let index = run.from; index < run.to; index++) {
    const span = el('span', { role: 'option', 'data-index': index, class: tokenText.classOf(sequence, index, way) },
      tokenText.nodes(sequence, index));
    spans[index] = span;
    words.append(span);
  }
  const size = `${(run.to - run.from).toLocaleString('en')} tok`;
  const total = written ? ` Σ ${sum(sequence.log_probs, run).toFixed(1).replace('-', '−')}` : '';
  const heading = written
    ? el('button', { type: 'button', tabindex: '-1', class: 'run-name', 'aria-hidden': 'true', onclick: () => onTurn(run.turn) }, name)
    : el('span', { class: 'run-name', 'aria-hidden': 'true', text: name });
  return el('div', { class: 'token-run', role: 'group', 'aria-label': `${name}, ${size}` },
    el('div', { class: 'run-side', 'aria-hidden': 'true' }, heading,
      el('span', { title: written ? 'tokens, sum of their log-probs' : null, text: size + total })),
    words);
}

function sum(values, run) {
  let total = 0;
  for (let index = run.from; index < run.to; index++) {
    total += Number(values?.[index] ?? 0);
  }
  return total;
}

function firstWritten(sequence) {
  return sequence.tokens.findIndex((_, index) => kindOf(sequence, index) !== 'given');
}
