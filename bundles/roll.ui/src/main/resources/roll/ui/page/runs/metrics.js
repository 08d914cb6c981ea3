// The metrics that are shown first, their names and units (configs/METRICS.md has all metrics), the search for
// others, and how curves are drawn: over steps or time, smoothed, on a log scale.
import { el, setText } from '../dom.js';
import { decimal, number, percent, seconds } from '../format.js';

/**
 * Charts of one run in their order. `lines`: [pattern, label]; a pattern with a group names its line
 * by it. A chart appears where the run has at least one of its metrics.
 */
const CHARTS = [
  { label: 'Score', lines: [[/^rollout\/score\/mean$/, 'training'], [/^val\/score\/mean$/, 'validation'], [/^critic\/reward_baselines\/mean$/, 'greedy']] },
  { label: 'Success', format: percent, lines: [[/^env\/([^/]+)\/success$/, ''], [/^val\/env\/([^/]+)\/success$/, 'validation'], [/^(val-core\/.+\/acc\/mean@\d+)$/, '']] },
  { label: 'Loss', lines: [[/^actor\/pg_loss$/, 'policy'], [/^actor\/total_loss$/, 'total'], [/^sft\/loss$/, 'training'], [/^sft\/val_loss$/, 'validation']] },
  { label: 'Value loss', lines: [[/^critic\/loss$/, 'critic']] },
  { label: 'KL', lines: [[/^critic\/kl$/, 'to reference, in the reward'], [/^actor\/kl_loss$/, 'to reference, in the loss'], [/^actor\/approxkl$/, 'approximate, to the old policy']] },
  { label: 'Entropy', unit: 'nats', lines: [[/^actor\/entropy$/, 'during training'], [/^critic\/entropy\/mean$/, 'before the updates']] },
  { label: 'Gradient norm', lines: [[/^actor_train\/grad_norm$/, 'actor'], [/^critic\/grad_norm$/, 'critic'], [/^sft\/grad_norm$/, 'model']] },
  { label: 'Clipped', unit: 'of tokens', format: percent, lines: [[/^actor\/clipfrac$/, 'by the loss'], [/^actor\/ppo_ratio_clipfrac$/, 'ratio outside its bounds']] },
  { label: 'Lengths', unit: 'tokens', lines: [[/^rollout\/response_length\/mean$/, 'response'], [/^rollout\/prompt_length\/mean$/, 'prompt'], [/^rollout\/response_length\/max$/, 'longest response']] },
  { label: 'Staleness', unit: 'steps', lines: [[/^async\/staleness\/mean$/, 'mean'], [/^async\/staleness\/max$/, 'max']] },
  { label: 'Throughput', unit: 'tokens/s', lines: [[/^system\/tps$/, 'whole step'], [/^vllm\/decode_tokens_per_second$/, 'decoding'], [/^sft\/tps$/, 'optimizer step']] },
  { label: 'Step time', format: seconds, lines: [[/^time\/step_total$/, 'whole step'], [/^time\/step_rollout$/, 'rollout'], [/^time\/step_train$/, 'training']] },
  { label: 'Processors', unit: 'in use', format: percent, lines: [[/^system\/cpu$/, 'this process'], [/^system\/cpu_machine$/, 'machine']] },
  { label: 'Memory', unit: 'MB', lines: [[/^system\/memory_available_mb$/, 'available']] },
  { label: 'Disk', unit: 'MB', lines: [[/^system\/disk_free_mb$/, 'free']] },
];

/** Metrics that a comparison begins with: of each row the first that any run has. */
const COMPARED = [
  [/^rollout\/score\/mean$/, /^sft\/loss$/, /^critic\/score\/mean$/],
  [/^val\/score\/mean$/, /^sft\/val_loss$/],
  [/^env\/[^/]+\/success$/],
  [/^actor\/entropy$/, /^critic\/entropy\/mean$/],
];

/** Metrics of which the list of runs draws the first that a run has. */
export const SPARK = ['rollout/score/mean', 'critic/score/mean', 'sft/loss'];

/** Columns of headline numbers: a label and the metrics it may come from. */
export const HEADLINES = [
  { label: 'score', format: decimal, names: [/^rollout\/score\/mean$/] },
  { label: 'success', format: percent, names: [/^env\/[^/]+\/success$/] },
  { label: 'val score', format: decimal, names: [/^val\/score\/mean$/] },
  { label: 'loss', format: decimal, names: [/^actor\/pg_loss$/, /^sft\/loss$/] },
];

const MOST_ADDED = 12;
const LAYOUT = ['metrics', 'without', 'x', 'smooth', 'log'];
const SMOOTH = [0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99];
let searches = 0;

/** The headline number of a column, or null where the run has none. */
export function headline(run, { names }) {
  const found = names.map(name => Object.entries(run.headline).find(([key]) => name.test(key))?.[1]);
  return found.find(value => value !== undefined && value !== null) ?? null;
}

/** The charts of a run with these metrics: `{ label, unit, format, lines: [{ name, label }] }`. */
export function chartsOf(names) {
  const linesOf = ([pattern, label]) => names.filter(name => pattern.test(name))
    .map(name => ({ name, label: [pattern.exec(name)[1], label].filter(Boolean).join(', ') }));
  return CHARTS.map(chart => ({ ...chart, lines: chart.lines.flatMap(linesOf) })).filter(chart => chart.lines.length > 0);
}

/** The metrics that a comparison of `runs` begins with. */
export function comparedMetrics(runs) {
  const names = runs.flatMap(run => run.names);
  return COMPARED.map(row => row.map(pattern => names.find(name => pattern.test(name))).find(Boolean)).filter(Boolean);
}

/** How values of a metric are written. */
export function formatOf(name) {
  if (/\/success$|clipfrac$|_ratio$/.test(name)) {
    return percent;
  }
  return /^(val\/)?time\//.test(name) ? seconds : number;
}

/** The layout of charts in a link, or the one kept as `name` in the browser where the link has none. */
export function curveLayout(name, query) {
  if (LAYOUT.some(key => query.has(key))) {
    return query;
  }
  try {
    return new URLSearchParams(localStorage.getItem(name) ?? '');
  } catch {
    return query; // not allowed here: the link has it
  }
}

/** Keeps a layout, the values of a link, as `name` in the browser. */
export function keepLayout(name, values) {
  const kept = LAYOUT.filter(key => values[key]).map(key => [key, values[key] === true ? '1' : values[key]]);
  try {
    localStorage.setItem(name, String(new URLSearchParams(kept)));
  } catch {
    // not allowed here: the link has it
  }
}

/** A search field over `names()`: type, arrows, Enter takes all that begin with the text; calls `onChoose(name)`. */
export function metricSearch(names, onChoose) {
  const options = el('datalist', { id: `metrics-${++searches}` });
  const input = el('input', {
    type: 'search', list: options.id, placeholder: 'critic/', autocomplete: 'off', spellcheck: 'false',
    onfocus: () => options.replaceChildren(...names().map(name => el('option', { value: name }))),
    oninput: event => (event.inputType === undefined || event.inputType === 'insertReplacementText') && take(),
    onkeydown: event => event.key === 'Enter' && take(true),
  });

  /** Takes an exact name; on Enter also all that begin with the text, or the only one that contains it. */
  function take(entered = false) {
    const typed = input.value.trim();
    const word = typed.toLowerCase();
    const having = names().filter(name => name.toLowerCase().includes(word));
    const beginning = having.filter(name => name.toLowerCase().startsWith(word));
    const matching = having.includes(typed) ? [typed] : beginning.length > 0 ? beginning : having;
    const exact = matching.length === 1 && matching[0] === typed;
    const many = beginning.length > 0 ? MOST_ADDED : 1;
    const chosen = typed !== '' && matching.length <= many && (exact || entered) ? matching : [];
    input.setCustomValidity(!entered || typed === '' || chosen.length > 0 ? ''
      : beginning.length > 0 ? `${beginning.length} metrics begin with this; at most ${MOST_ADDED} are added at once`
        : `${having.length} metrics have this in their names`);
    if (chosen.length > 0) {
      input.value = '';
      chosen.forEach(onChoose);
    } else if (entered) {
      input.reportValidity();
    }
  }

  return el('span', { class: 'field metric-search' }, el('label', { class: 'field' }, 'Add metric', input), options);
}

/** How curves are drawn, as a link says: `{ x, smooth, log }`. */
export function curveChoice(query) {
  const smooth = Number(query.get('smooth') ?? 0);
  return { x: query.get('x') === 'seconds' ? 'seconds' : 'step', smooth: smooth >= 0 && smooth < 1 ? smooth : 0, log: query.get('log') === '1' };
}

/** The values of a choice in a link; defaults are left out. */
export function curveQuery({ x, smooth, log }) {
  return { x: x === 'step' ? null : x, smooth: smooth || null, log };
}

/** The controls of a choice, which they change; they call `onChange()` after each change. */
export function curveControls(choice, onChange) {
  const shown = el('output');
  const change = values => {
    Object.assign(choice, values);
    describe();
    onChange();
  };
  const describe = () => {
    const text = choice.smooth === 0 ? 'off' : String(choice.smooth);
    setText(shown, text);
    smooth.setAttribute('aria-valuetext', text);
  };
  const x = el('select', { onchange: event => change({ x: event.target.value }) },
    el('option', { value: 'step', text: 'step' }), el('option', { value: 'seconds', text: 'elapsed time', selected: choice.x === 'seconds' }));
  const smooth = el('input', {
    type: 'range', min: 0, max: SMOOTH.length - 1, step: 1, value: SMOOTH.findLastIndex(value => value <= choice.smooth),
    oninput: event => change({ smooth: SMOOTH[event.target.value] }),
  });
  const log = el('input', { type: 'checkbox', checked: choice.log, onchange: event => change({ log: event.target.checked }) });
  describe();
  return [el('label', { class: 'field' }, 'Over', x), el('label', { class: 'field' }, 'Smoothing', smooth, shown), el('label', { class: 'field' }, log, 'Log scale')];
}
