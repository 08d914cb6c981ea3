// One turn in words: what the policy saw, what it answered, what its tools gave, its reward.
import { el } from '../dom.js';
import { textBlock, line } from '../legible.js';
import { signedNumber } from './score.js';
import { toolCalls } from './tool-calls.js';

/**
 * The nodes of a turn.
 *
 * `before` is the turn before it, or null; `cut` whether its response ended at the limit; `system` what the policy was told first, or null;
 * `pictureOf(name)` the path of a picture beside the trajectories.
 */
export function turnPanel(turn, { before, cut, system, pictureOf }) {
  return [
    turn.reward === null || turn.reward === undefined ? null : el('p', { class: 'reward' },
      el('span', { class: 'name', text: 'reward' }), ' ',
      el('strong', { class: `num ${signOf(turn.reward)}`, text: signedNumber(turn.reward) })),
    before === null && system ? part('System', 'system', textBlock(system, 'System')) : null,
    observation(turn, before, pictureOf),
    part('Response', 'response', [turn.response ? textBlock(turn.response, 'Response') : none('Empty.'),
      cut && el('p', { class: 'note warn', text: 'Cut: it ended at the limit of its tokens.' })]),
    turn.tools?.length > 0 ? tools(turn) : null,
  ];
}

function observation(turn, before, pictureOf) {
  const pictures = (turn.pictures ?? []).map(name => el('img', {
    class: 'seen-picture', loading: 'lazy', src: pictureOf(name), alt: `Picture that the policy saw, ${line(name, 12)}`,
  }));
  const results = before?.tools?.length > 0;
  return part('Observation', 'seen', [
    pictures.length > 0 ? el('div', { class: 'pictures' }, pictures) : null,
    turn.observation
      ? textBlock(turn.observation, 'Observation')
      : pictures.length > 0 ? null : none(results ? `What the tools of turn ${turn.turn} gave.` : 'Empty.'),
  ]);
}

function tools(turn) {
  const all = toolCalls(turn);
  return part(all.length === 1 ? 'Tool call' : `${all.length} tool calls`, 'tools', all.map(({ name, given, result }, place) =>
    el('article', { class: 'tool', 'aria-label': `Call ${place + 1}` },
      el('h4', {}, el('bdi', { class: 'mono', text: line(name ?? 'tool', 80) })),
      given === null ? null : [el('p', { class: 'name', text: 'arguments' }), textBlock(given, 'Arguments')],
      el('p', { class: 'name', text: 'result' }),
      result ? textBlock(result, 'Result') : none('Empty.'))));
}

function part(name, kind, content) {
  return el('section', { class: `part ${kind}` }, el('h3', { text: name }), content);
}

function none(text) {
  return el('p', { class: 'none', text });
}

function signOf(reward) {
  return reward > 0 ? 'up' : reward < 0 ? 'down' : '';
}
