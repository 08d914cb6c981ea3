// From series as the server gives them to the columns uPlot takes: one x for all, values or null.

/**
 * The columns of `series` over `x` ('step' or 'seconds'): `{ xs, steps, lines: [{ mean, smooth, min,
 * max }] }`; `smooth` is null unless asked for, `min` and `max` are null where a series has no band.
 */
export function columns(series, x, smooth) {
  const xs = union(series.map(one => one[x] ?? one.step));
  const places = new Map(xs.map((value, place) => [value, place]));
  const steps = new Array(xs.length).fill(null);
  const lines = series.map(one => {
    const own = one[x] ?? one.step;
    own.forEach((value, index) => steps[places.get(value)] = one.step[index]);
    const spread = values => spreadOut(values, own, places, xs.length);
    const banded = one.min && one.max && one.max.some((most, index) => most !== one.min[index]);
    return {
      mean: spread(one.mean),
      smooth: smooth > 0 ? spread(smoothed(one.mean, smooth)) : null,
      min: banded ? spread(one.min) : null,
      max: banded ? spread(one.max) : null,
    };
  });
  return { xs, steps, lines };
}

/**
 * The exponential moving average of `values` with the weight `weight` on what was before, corrected
 * for its beginning as in Adam (Kingma & Ba 2015, section 3); null stays null and counts for nothing.
 */
export function smoothed(values, weight) {
  let sum = 0;
  let norm = 0;
  return values.map(value => {
    if (value === null) {
      return null;
    }
    sum = weight * sum + (1 - weight) * value;
    norm = weight * norm + (1 - weight);
    return sum / norm;
  });
}

/** The columns with nothing where a logarithm has none. */
export function positive(data) {
  const keep = values => values && values.map(value => (value > 0 ? value : null));
  return {
    ...data,
    lines: data.lines.map(line => ({
      mean: keep(line.mean), smooth: keep(line.smooth), min: keep(line.min), max: keep(line.max),
    })),
  };
}

function union(all) {
  if (all.length === 1) {
    return [...all[0]];
  }
  return [...new Set(all.flat())].sort((a, b) => a - b);
}

/** `undefined` where a series has no point, so that its line goes on; null where its value is missing. */
function spreadOut(values, own, places, length) {
  const column = new Array(length).fill(undefined);
  own.forEach((value, index) => column[places.get(value)] = values[index]);
  return column;
}
