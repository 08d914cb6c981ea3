// One turn as text: observation, response, tool calls with their results, reward.
import { el } from '../dom.js';
import { line, textBlock } from '../legible.js';
import { name } from '../parts.js';
import { signedNumber } from './episodes.js';

/**
 * The nodes of a turn. `before` is the previous turn, or null; `cut` whether the response reached the token limit; `system` the
 * system message, or null; `pictureOf(name)` the path of a picture of the trajectories.
 */
export function turnPanel(turn, { before, cut, system, pictureOf }) {
  const { reward, response, tools } = turn;
  return [
    reward !== null && el('p', { class: 'reward' }, el('span', { class: 'name', text: 'reward' }), ' ',
      el('strong', { class: reward > 0 ? 'num up' : reward < 0 ? 'num down' : 'num', text: signedNumber(reward) })),
    before === null && system && part('System', 'system', textBlock(system, 'System')),
    observation(turn, before, pictureOf),
    part('Response', 'response', block(response, 'Response'), cut && el('p', { class: 'note warn', text: 'Cut: it ended at the limit of its tokens.' })),
    tools.length > 0 && part(tools.length === 1 ? 'Tool call' : `${tools.length} tool calls`, 'tools', toolCalls(turn)),
  ];
}

function observation({ turn, observation: text, pictures }, before, pictureOf) {
  const images = pictures.map(picture => el('img', {
    class: 'seen-picture', loading: 'lazy', src: pictureOf(picture), alt: `Picture in the observation, ${line(picture, 12)}`,
  }));
  return part('Observation', 'seen', images.length > 0 && el('div', { class: 'pictures' }, images),
    (text || images.length === 0) && block(text, 'Observation', before?.tools.length > 0 ? `The results of the tools of turn ${turn}.` : 'Empty.'));
}

/**
 * The results of a turn's tools, with the calls where the response has as many of them in the
 * Hermes format: JSON in the tags <tool_call>.
 */
function toolCalls({ response, tools }) {
  const calls = [...response.matchAll(/<tool_call>(.*?)<\/tool_call>/gs)].map(([, text]) => parsed(text));
  return tools.map((tool, index) => {
    const call = calls.length === tools.length ? calls[index] : {};
    return el('article', { class: 'tool', 'aria-label': `Call ${index + 1}` },
      el('h4', {}, name(tool.name ?? call.name ?? 'tool', 80, 'mono')),
      call.given !== undefined && [el('p', { class: 'name', text: 'arguments' }), textBlock(call.given, 'Arguments')],
      el('p', { class: 'name', text: 'result' }), block(tool.content, 'Result'));
  });
}

function parsed(text) {
  try {
    const call = JSON.parse(text);
    const given = call.arguments ?? call.parameters;
    if (given !== undefined) {
      return { name: String(call.name), given: typeof given === 'string' ? given : JSON.stringify(given, null, 2) };
    }
  } catch {
    // not JSON: the call was invalid, and its text shows why
  }
  return { given: text.trim() };
}

function block(text, label, otherwise = 'Empty.') {
  return text ? textBlock(text, label) : el('p', { class: 'none', text: otherwise });
}

function part(title, kind, ...content) {
  return el('section', { class: `part ${kind}` }, el('h3', { text: title }), content);
}
