// Which metrics a person looks at first, what they are called and in which unit: configs/METRICS.md
// has them all.
import { decimal, number, percent, seconds } from '../format.js';

/**
 * Charts of one run in their order. `lines`: [pattern, label]; a pattern with a group names its line
 * by it. A chart appears where the run has at least one of its metrics.
 */
export const CHARTS = [
  { label: 'Score', lines: [[/^rollout\/score\/mean$/, 'training'], [/^val\/score\/mean$/, 'validation'], [/^critic\/reward_baselines\/mean$/, 'greedy']] },
  { label: 'Success', format: percent, lines: [[/^env\/([^/]+)\/success$/, ''], [/^val\/env\/([^/]+)\/success$/, 'validation'], [/^(val-core\/.+\/acc\/mean@\d+)$/, '']] },
  { label: 'Loss', lines: [[/^actor\/pg_loss$/, 'policy'], [/^actor\/total_loss$/, 'total'], [/^sft\/loss$/, 'training'], [/^sft\/val_loss$/, 'validation']] },
  { label: 'Value loss', lines: [[/^critic\/loss$/, 'critic']] },
  { label: 'KL', lines: [[/^critic\/kl$/, 'to reference, in the reward'], [/^actor\/kl_loss$/, 'to reference, in the loss'], [/^actor\/approxkl$/, 'approximate, to the policy before']] },
  { label: 'Entropy', unit: 'nats', lines: [[/^actor\/entropy$/, 'while training'], [/^critic\/entropy\/mean$/, 'before the updates']] },
  { label: 'Gradient norm', lines: [[/^actor_train\/grad_norm$/, 'actor'], [/^critic\/grad_norm$/, 'critic'], [/^sft\/grad_norm$/, 'model']] },
  { label: 'Clipped', unit: 'of tokens', format: percent, lines: [[/^actor\/clipfrac$/, 'by the loss'], [/^actor\/ppo_ratio_clipfrac$/, 'ratio outside its bounds']] },
  { label: 'Lengths', unit: 'tokens', lines: [[/^rollout\/response_length\/mean$/, 'response'], [/^rollout\/prompt_length\/mean$/, 'prompt'], [/^rollout\/response_length\/max$/, 'longest response']] },
  { label: 'Staleness', unit: 'steps', lines: [[/^async\/staleness\/mean$/, 'mean'], [/^async\/staleness\/max$/, 'most']] },
  { label: 'Throughput', unit: 'tokens/s', lines: [[/^system\/tps$/, 'whole step'], [/^vllm\/decode_tokens_per_second$/, 'decoding'], [/^sft\/tps$/, 'optimizer step']] },
  { label: 'Step time', format: seconds, lines: [[/^time\/step_total$/, 'whole step'], [/^time\/step_rollout$/, 'rollout'], [/^time\/step_train$/, 'training']] },
];

/** Metrics that a comparison begins with, the first that any run has of each row. */
export const FIRST = [
  [/^rollout\/score\/mean$/, /^sft\/loss$/, /^critic\/score\/mean$/],
  [/^val\/score\/mean$/, /^sft\/val_loss$/],
  [/^env\/[^/]+\/success$/],
  [/^actor\/entropy$/, /^critic\/entropy\/mean$/],
];

/** The metrics of which the list of runs draws the first that a run has. */
export const SPARK = ['rollout/score/mean', 'critic/score/mean', 'sft/loss'];

/** Columns of headline numbers: a word and the names it may come under. */
export const HEADLINES = [
  { label: 'score', format: decimal, names: [/^score$/, /^rollout\/score\/mean$/, /^critic\/score\/mean$/] },
  { label: 'success', format: percent, names: [/^success$/, /^env\/[^/]+\/success$/] },
  { label: 'val score', format: decimal, names: [/^val score$/, /^val\/score\/mean$/] },
  { label: 'loss', format: decimal, names: [/^loss$/, /^actor\/pg_loss$/, /^actor\/total_loss$/, /^sft\/loss$/] },
];

/** The headline number of a column, formatted, or null where the run has none. */
export function headline(run, column) {
  for (const name of column.names) {
    const found = Object.entries(run.headline ?? {}).find(([key]) => name.test(key));
    if (found && found[1] !== null) {
      return column.format(found[1]);
    }
  }
  return null;
}

/** The charts of a run with these metrics: `{ label, unit, format, lines: [{ name, label }] }`. */
export function chartsOf(names) {
  return CHARTS.map(chart => ({ ...chart, lines: linesOf(chart, names) })).filter(chart => chart.lines.length > 0);
}

/** How values of a metric are written. */
export function formatOf(name) {
  if (/\/success$|clipfrac$|_ratio$|^dynamic_batching\/.*_ratio$/.test(name)) {
    return percent;
  }
  return /^(val\/)?time\//.test(name) ? seconds : number;
}

function linesOf({ lines }, names) {
  return lines.flatMap(([pattern, label]) => names
    .map(name => [name, pattern.exec(name)])
    .filter(([, found]) => found !== null)
    .map(([name, [, own]]) => ({ name, label: [own, label].filter(Boolean).join(', ') })));
}
