// The rewards of all turns beside each other; a negative one is hatched, not only of another color.
import { el } from '../dom.js';
import { number } from '../format.js';

/**
 * A strip with a bar for each of `turns`; `go(turn)` is called where one is chosen. Returns the root,
 * null for a single turn, and `mark(turn)`. The slider is the same for the keyboard.
 */
export function rewardStrip(turns, go) {
  const most = Math.max(...turns.map(turn => Math.abs(turn.reward ?? 0)), 1e-9);
  const cells = turns.map((turn, index) => {
    const bar = el('span', { class: `reward-bar ${turn.reward < 0 ? 'down' : 'up'}` });
    bar.style.height = `${Math.round((Math.abs(turn.reward ?? 0) / most) * 100)}%`;
    return el('button', {
      type: 'button', class: 'reward-cell', tabindex: '-1', title: `Turn ${index + 1}: reward ${number(turn.reward)}`,
      'aria-label': `Turn ${index + 1}, reward ${number(turn.reward)}`, onclick: () => go(index),
    }, bar);
  });
  return {
    root: turns.length > 1 ? el('div', { class: 'reward-strip', role: 'group', 'aria-label': 'Rewards by turn' }, cells) : null,
    mark(position) {
      cells.forEach((cell, index) => index === position ? cell.setAttribute('aria-current', 'step') : cell.removeAttribute('aria-current'));
    },
  };
}
