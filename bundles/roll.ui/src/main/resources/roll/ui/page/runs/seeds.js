// Runs that differ in the seed alone, and their curves as one: mean of the seeds, with a band from min to max.

// Keys in which two runs of one configuration may differ.
const OWN = /^(seed|exp_name|output_dir|logging_dir|resume_from_checkpoint|track_with|tracker_kwargs(\..*)?)$/;
const SEED_IN_NAME = /[-_ .]?(?:seed|s)[-_ =]?\d+$/i;

/**
 * Groups of `runs`, in their order: `{ name, runs }`. Two runs are in one group where their
 * configurations differ in the seed alone or their names do ("lake_seed1", "lake_seed2").
 */
export function seedGroups(runs) {
  const groups = [];
  for (const run of runs) {
    const marks = marksOf(run);
    const [group = { runs: [], marks: [] }, ...same] = groups.filter(other => marks.some(mark => other.marks.includes(mark)));
    if (group.runs.length === 0) {
      groups.push(group);
    }
    for (const other of same) { // this run shows that they are one group
      group.runs.push(...other.runs);
      group.marks.push(...other.marks);
      groups.splice(groups.indexOf(other), 1);
    }
    group.runs.push(run);
    group.marks.push(...marks);
  }
  return groups.map(({ runs: [first, ...others] }) => ({
    runs: [first, ...others],
    name: others.length === 0 ? first.name : `${first.name.replace(SEED_IN_NAME, '')} × ${others.length + 1}`,
  }));
}

/** One series of several, with mean, min and max at each step; between its points a run is interpolated linearly. */
export function meanOf(all) {
  const known = all.map(withoutGaps).filter(one => one.step.length > 0);
  const joined = { step: [], seconds: [], min: [], max: [], mean: [] };
  for (const step of [...new Set(known.flatMap(one => one.step))].sort((a, b) => a - b)) {
    const points = known.map(one => at(one, step)).filter(Boolean);
    const values = points.map(point => point.mean);
    joined.step.push(step);
    joined.seconds.push(mean(points.map(point => point.seconds)));
    joined.mean.push(mean(values));
    joined.min.push(Math.min(...values));
    joined.max.push(Math.max(...values));
  }
  return joined;
}

function marksOf(run) {
  const same = Object.entries(run.keys).filter(([key]) => !OWN.test(key));
  const marks = [run.config && `config ${JSON.stringify(same)}`, SEED_IN_NAME.test(run.name) && `name ${run.name.replace(SEED_IN_NAME, '')}`];
  return marks.some(Boolean) ? marks.filter(Boolean) : [`id ${run.id}`];
}

function withoutGaps({ step, seconds, mean: means }) {
  const known = column => column.filter((_, index) => means[index] !== null);
  return { step: known(step), seconds: known(seconds), mean: known(means), next: 0 };
}

/** The point of a run at `step`, or null outside its steps; `next` only rises, since steps do. */
function at(one, step) {
  const { step: steps, mean: means, seconds } = one;
  if (step < steps[0] || step > steps.at(-1)) {
    return null;
  }
  while (steps[one.next + 1] <= step) {
    one.next++;
  }
  const from = one.next;
  const share = steps[from] === step ? 0 : (step - steps[from]) / (steps[from + 1] - steps[from]);
  const between = column => (share === 0 ? column[from] : column[from] + share * (column[from + 1] - column[from]));
  return { mean: between(means), seconds: between(seconds) };
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
