// What stands for a token on the page.
import { el } from '../dom.js';
import { legible, line } from '../legible.js';
import { kindOf, valueOf } from './token-colors.js';

const LONGEST_RUN = 2000; // tokens, so that what is out of sight need not be laid out

/**
 * Neighbors of one turn together: `{ turn, from, to, goesOn }`, −1 for what the policy did not write;
 * `goesOn` where it is the rest of the run before.
 */
export function runsOf(sequence) {
  const runs = [];
  for (let index = 0; index < sequence.tokens.length; index++) {
    const turn = sequence.turns?.[index] ?? -1;
    const last = runs.at(-1);
    if (last?.turn === turn && last.to - last.from < LONGEST_RUN) {
      last.to = index + 1;
    } else {
      runs.push({ turn, from: index, to: index + 1, goesOn: last?.turn === turn });
    }
  }
  return runs;
}

/** The nodes, the class and the words of a token. */
export const tokenText = {
  nodes(sequence, index) {
    const text = sequence.texts?.[index];
    if (text === undefined || text === null) {
      return el('span', { class: 'piece', text: `#${sequence.tokens[index]} ` });
    }
    if (text === '') { // a part of a character; the token that completes it has it
      return el('span', { class: 'piece', text: '·' });
    }
    return text.split(/(\n)/).filter(Boolean).map(part => part === '\n'
      ? [el('span', { class: 'piece', text: '↵' }), '\n']
      : legible(part));
  },

  classOf(sequence, index, way) {
    const value = valueOf(way, sequence, index);
    return `token ${kindOf(sequence, index)}${value === null ? '' : ` ${way.step(value)}`}`;
  },

  quoted(sequence, index) {
    const text = sequence.texts?.[index];
    if (text === undefined || text === null) {
      return `#${sequence.tokens[index]}`;
    }
    const spaced = text.replace(/^ +|(?<! ) +$/g, spaces => '␣'.repeat(spaces.length)).replaceAll('\n', '↵');
    return text === '' ? 'part of a character' : `“${line(spaced, 60)}”`;
  },
};
