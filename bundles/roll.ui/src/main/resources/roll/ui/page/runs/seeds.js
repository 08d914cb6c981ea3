// Runs that are the same but for their seed, and their curves as one: mean, least and most.
import { flatConfig } from './config-lines.js';

// What two runs of one configuration differ in without being of another kind.
const OWN = /^(seed|exp_name|output_dir|logging_dir|resume_from_checkpoint|track_with|tracker_kwargs(\..*)?)$/;
const SEED_IN_NAME = /[-_ .]?(?:seed|s)[-_ =]?\d+$/i;

/**
 * Groups of `runs` (with `name` and `config`), in their order: `{ name, runs }`. Two are together
 * where their configurations differ in the seed alone or their names do ("lake_seed1", "lake_seed2").
 */
export function seedGroups(runs) {
  const groups = [];
  for (const run of runs) {
    const marks = marksOf(run);
    const fits = groups.filter(group => marks.some(mark => group.marks.has(mark)));
    const target = fits[0] ?? { runs: [], marks: new Set() };
    if (fits.length === 0) {
      groups.push(target);
    }
    for (const other of fits.slice(1)) { // this run shows that they are one
      target.runs.push(...other.runs);
      other.marks.forEach(mark => target.marks.add(mark));
      groups.splice(groups.indexOf(other), 1);
    }
    target.runs.push(run);
    marks.forEach(mark => target.marks.add(mark));
  }
  return groups.map(group => ({ runs: group.runs, name: nameOf(group.runs) }));
}

/** One series of several: at each step their mean, least and most; between its points a run is straight. */
export function together(all) {
  const known = all.map(one => withoutGaps(one)).filter(one => one.step.length > 0);
  const steps = [...new Set(known.flatMap(one => one.step))].sort((a, b) => a - b);
  const joined = { step: [], seconds: [], min: [], max: [], mean: [] };
  const cursors = known.map(() => 0);
  for (const step of steps) {
    const here = known.map((one, place) => at(one, step, cursors, place)).filter(Boolean);
    const values = here.map(one => one.mean);
    joined.step.push(step);
    joined.seconds.push(mean(here.map(one => one.seconds)));
    joined.mean.push(mean(values));
    joined.min.push(Math.min(...values));
    joined.max.push(Math.max(...values));
  }
  return joined;
}

function marksOf(run) {
  const marks = [];
  if (run.config) {
    const same = [...flatConfig(run.config)].filter(([key]) => !OWN.test(key));
    marks.push(`config ${JSON.stringify(same)}`);
  }
  if (SEED_IN_NAME.test(run.name)) {
    marks.push(`name ${run.name.replace(SEED_IN_NAME, '')}`);
  }
  return marks.length > 0 ? marks : [`id ${run.id}`];
}

function nameOf(runs) {
  const plain = runs[0].name.replace(SEED_IN_NAME, '');
  return runs.length > 1 ? `${plain} × ${runs.length}` : runs[0].name;
}

function withoutGaps(one) {
  const kept = one.mean.map((value, index) => (value === null ? -1 : index)).filter(index => index >= 0);
  return {
    step: kept.map(index => one.step[index]),
    seconds: kept.map(index => one.seconds[index]),
    mean: kept.map(index => one.mean[index]),
  };
}

function at(one, step, cursors, place) {
  const { step: steps, mean: means, seconds } = one;
  if (step < steps[0] || step > steps[steps.length - 1]) {
    return null;
  }
  while (steps[cursors[place] + 1] <= step) {
    cursors[place]++;
  }
  const from = cursors[place];
  if (steps[from] === step) {
    return { mean: means[from], seconds: seconds[from] };
  }
  const share = (step - steps[from]) / (steps[from + 1] - steps[from]);
  const between = column => column[from] + share * (column[from + 1] - column[from]);
  return { mean: between(means), seconds: between(seconds) };
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
