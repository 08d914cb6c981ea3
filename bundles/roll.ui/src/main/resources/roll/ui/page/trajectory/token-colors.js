// How tokens are colored: each way gives a number by token and a step of a scale by number. The
// steps are classes of the stylesheet: t0 … t5 for how surprising, n3 … n1, z, p1 … p3 for signs.

const SURPRISE = [0.9, 0.5, 0.2, 0.05, 0.01]; // probabilities
const RATIO = [1.05, 1.25, 2];
const ADVANTAGE = [0.05, 0.5, 1.5];

/** The ways, in the order in which they are offered. */
export const WAYS = [
  {
    name: 'log-prob',
    values: sequence => sequence.log_probs,
    step: value => `t${SURPRISE.filter(least => Math.exp(value) < least).length}`,
    legend: {
      steps: ['t0', 't1', 't2', 't3', 't4', 't5'],
      bounds: SURPRISE.map(least => Math.log(least).toFixed(1).replace('-', '−')),
      ends: ['expected', 'surprising'],
    },
  },
  {
    name: 'ratio',
    values: sequence => sequence.ratios,
    step: value => signed(Math.log(value), RATIO.map(Math.log)),
    legend: {
      steps: ['n3', 'n2', 'n1', 'z', 'p1', 'p2', 'p3'],
      bounds: ['0.5', '0.8', '0.95', '1.05', '1.25', '2'],
      ends: ['the trainer finds it less likely', 'likelier'],
    },
  },
  {
    name: 'advantage',
    values: sequence => sequence.advantages,
    step: value => signed(value, ADVANTAGE),
    legend: {
      steps: ['n3', 'n2', 'n1', 'z', 'p1', 'p2', 'p3'],
      bounds: ['−1.5', '−0.5', '−0.05', '0.05', '0.5', '1.5'],
      ends: ['discouraged', 'encouraged'],
    },
  },
];

/** What becomes of a token in training: `given`, `trained` or `masked`. */
export function kindOf(sequence, index) {
  if (!(sequence.turns?.[index] >= 0)) {
    return 'given';
  }
  const mask = sequence.mask?.[index];
  return mask === undefined || mask === null || Number(mask) > 0 ? 'trained' : 'masked';
}

/** The number of a token, or null where there is none. */
export function valueOf(way, sequence, index) {
  const value = way.values(sequence)?.[index];
  if (value === undefined || value === null || kindOf(sequence, index) === 'given') {
    return null;
  }
  const number = Number(value); // the file writes NaN and infinities as texts
  return Number.isNaN(number) ? null : number;
}

function signed(value, bounds) {
  const step = bounds.filter(bound => Math.abs(value) > bound).length;
  return step === 0 ? 'z' : `${value < 0 ? 'n' : 'p'}${step}`;
}
