// The tokens of an episode: colored, with the numbers of the selected token; arrow keys move among them.
import { el, replace, setText } from '../dom.js';
import { count } from '../format.js';
import { facts, segments } from '../parts.js';
import { COLORINGS, classOf, kindOf, tokenFacts, tokenLegend, tokenNodes } from './token-data.js';
import { tokenPlot } from './token-plot.js';

const FIRST = 20_000; // tokens that are shown at first
const MAX_RUN = 2000; // tokens, so that those out of sight need no layout

/**
 * The tokens of `sequences`; calls `onTurn(turn)` where the heading of a turn is chosen. Returns the
 * node and `turn(number)`, which marks a turn and shows its sequence.
 */
export function tokenView(sequences, onTurn) {
  const shown = el('div', { class: 'token-sequence' });
  const legend = el('div', { class: 'token-legend' });
  const has = coloring => sequences.some(sequence => coloring.values(sequence)?.length > 0);
  const choices = COLORINGS.map(one => [one.name, one.name, has(one) ? null : `The file has no ${one.name} by token`]);
  let coloring = COLORINGS.find(has) ?? COLORINGS[0];
  let current = null; // the view of one sequence
  let marked = -1;
  const chooser = el('select', { onchange: () => show(Number(chooser.value)) },
    sequences.map((sequence, index) => el('option', { value: index, text: sequenceName(sequence, index, sequences.length) })));

  function show(index) {
    current = new SequenceView(sequences[index], coloring, onTurn);
    current.index = index;
    chooser.value = String(index);
    replace(shown, current.node);
    current.turn(marked);
  }

  function color(name) {
    coloring = COLORINGS.find(one => one.name === name);
    replace(legend, tokenLegend(coloring, sequences));
    current?.color(coloring);
  }

  color(coloring.name);
  if (sequences.length > 0) {
    show(0);
  } else {
    replace(shown, el('p', { class: 'empty', text: 'The file has no tokens of this episode.' }));
  }
  return {
    node: el('section', { class: 'tokens', 'aria-labelledby': 'tokens-title' },
      el('header', { class: 'bar' }, el('h2', { id: 'tokens-title', text: 'Tokens' }),
        sequences.length > 1 && el('label', { class: 'field' }, 'Sequence', chooser),
        segments('Color tokens by', 'token-coloring', choices, coloring.name, color).node),
      legend, shown),
    turn(turn) {
      marked = turn;
      const index = sequences.findIndex(sequence => sequence.turns.includes(turn));
      if (index >= 0 && !sequences[current.index].turns.includes(turn)) {
        show(index);
      }
      current?.turn(turn);
    },
  };
}

function sequenceName({ turns, tokens }, index, all) {
  const turn = turns.find(one => one >= 0);
  return `${index + 1} of ${all}${turn === undefined ? '' : `, turn ${turn + 1}`}: ${count(tokens.length)} tokens`;
}

class SequenceView {
  constructor(sequence, coloring, onTurn) {
    Object.assign(this, { sequence, coloring, onTurn, runs: runsOf(sequence), spans: [], blocks: [], active: -1, marked: -1 });
    const under = event => Number(event.target.closest('.token')?.dataset.index ?? -1);
    this.facts = el('div');
    this.list = el('div', {
      class: 'token-list', role: 'listbox', tabindex: '0', dir: 'auto', 'aria-label': 'Tokens in order; arrow keys move among them',
      onkeydown: event => this.key(event), onfocus: () => this.active < 0 && this.activate(this.firstGenerated()),
      onpointerover: event => under(event) >= 0 && this.describe(under(event)), onpointerleave: () => this.describe(this.active),
      onpointerdown: event => under(event) >= 0 && this.activate(under(event)),
    });
    this.plot = tokenPlot(sequence, index => this.activate(index, true));
    this.more = el('button', { type: 'button', class: 'more', onclick: () => this.grow(sequence.tokens.length) });
    this.node = el('div', {}, this.plot.node, this.facts, this.list, this.more);
    this.grow(FIRST);
    this.describe(-1);
  }

  /** Shows the runs that begin before token `end`. */
  grow(end) {
    const { runs, blocks } = this;
    while (blocks.length < runs.length && runs[blocks.length].from < end) {
      const run = runs[blocks.length];
      const block = this.block(run);
      block.toggleAttribute('data-current', run.turn === this.marked && run.turn >= 0);
      blocks.push(block);
      this.list.append(block);
    }
    const left = blocks.length < runs.length ? this.sequence.tokens.length - runs[blocks.length].from : 0;
    this.more.hidden = left === 0;
    setText(this.more, `Show the other ${left.toLocaleString('en')} tokens`);
  }

  block(run) {
    const { sequence } = this;
    const generated = run.turn >= 0;
    const name = run.continued ? '…' : generated ? `turn ${run.turn + 1}` : run.from === 0 ? 'prompt' : 'context';
    const words = el('div', { class: 'run-words' });
    let sum = 0;
    for (let index = run.from; index < run.to; index++) {
      this.spans[index] = el('span', { role: 'option', 'data-index': index, class: classOf(sequence, index, this.coloring) }, tokenNodes(sequence, index));
      words.append(this.spans[index]);
      sum += Number(sequence.log_probs?.[index] ?? 0);
    }
    const size = `${(run.to - run.from).toLocaleString('en')} tok`;
    return el('div', { class: 'token-run', role: 'group', 'aria-label': `${name}, ${size}` },
      el('div', { class: 'run-side', 'aria-hidden': 'true' },
        generated ? el('button', { type: 'button', tabindex: '-1', class: 'run-name', onclick: () => this.onTurn(run.turn) }, name) : el('span', { class: 'run-name', text: name }),
        el('span', { title: generated ? 'tokens, sum of their log-probs' : null, text: size + (generated ? ` Σ ${sum.toFixed(1).replace('-', '−')}` : '') })),
      words);
  }

  describe(index) {
    replace(this.facts, index < 0 ? el('p', { class: 'token-facts hint', text: 'Point at a token, or move with ← and →.' })
      : facts(tokenFacts(this.sequence, index), 'token-facts'));
  }

  activate(index, scroll = false) {
    this.grow(Math.max(index + 1, FIRST));
    this.spans[this.active]?.removeAttribute('aria-selected');
    this.active = index;
    const span = this.spans[index];
    span.id ||= `token-${index}`;
    span.setAttribute('aria-selected', 'true');
    span.setAttribute('aria-label', tokenFacts(this.sequence, index).filter(([name, value]) => name !== 'token' && value !== '–')
      .map(([name, value]) => (name === 'text' || name === 'training' ? value : `${name} ${value}`)).join(', '));
    this.list.setAttribute('aria-activedescendant', span.id);
    this.describe(index);
    this.plot.mark(index);
    if (scroll) {
      span.scrollIntoView({ block: 'nearest' });
    }
  }

  key(event) {
    const { runs, active, sequence: { tokens } } = this;
    const at = runs.findIndex(run => active >= run.from && active < run.to);
    const to = {
      ArrowRight: active + 1, ArrowLeft: active - 1, Home: 0, End: tokens.length - 1,
      ArrowDown: runs[at + 1]?.from, ArrowUp: active > runs[at]?.from ? runs[at].from : runs[at - 1]?.from,
    }[event.key];
    if (to !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      event.stopPropagation();
      this.activate(Math.min(Math.max(to, 0), tokens.length - 1), true);
    }
  }

  firstGenerated() {
    return Math.max(0, this.sequence.tokens.findIndex((_, index) => kindOf(this.sequence, index) !== 'context'));
  }

  color(coloring) {
    this.coloring = coloring;
    this.spans.forEach((span, index) => span.className = classOf(this.sequence, index, coloring));
  }

  turn(turn) {
    this.marked = turn;
    this.blocks.forEach((block, index) => block.toggleAttribute('data-current', this.runs[index].turn === turn && turn >= 0));
    const at = this.runs.findIndex(run => run.turn === turn);
    const first = this.blocks[this.runs[at - 1]?.turn === -1 ? at - 1 : at]; // with the context before it
    if (first) {
      this.list.scrollTop = first.offsetTop;
    }
  }
}

/** Consecutive tokens of one turn, −1 for context: `{ turn, from, to, continued }`, `continued` after a run of the same turn. */
function runsOf({ tokens, turns }) {
  const runs = [];
  for (let index = 0; index < tokens.length; index++) {
    const turn = turns[index] ?? -1;
    const last = runs.at(-1);
    if (last?.turn === turn && last.to - last.from < MAX_RUN) {
      last.to = index + 1;
    } else {
      runs.push({ turn, from: index, to: index + 1, continued: last?.turn === turn });
    }
  }
  return runs;
}
