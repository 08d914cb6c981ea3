// Score curves of the list of runs: asked for when their row is in view, few at a time.
import { get, withQuery } from '../api.js';
import { replace } from '../dom.js';
import { sparkline } from '../sparkline.js';
import { SPARK } from './metric-names.js';

const AT_ONCE = 3;
const POINTS = 60;
const BETWEEN = 3000;

/** Draws curves into the places given to `watch(place, run)`; `update(run)` when a run got further. */
export function sparks() {
  const places = new Map(); // by id of the run: { place, run, drawn: step, asked: ms, visible }
  const waiting = new Set();
  let under = 0;
  let closed = false;
  const view = new IntersectionObserver(seen => seen.forEach(one => {
    const entry = [...places.values()].find(({ place }) => place === one.target);
    if (entry) {
      entry.visible = one.isIntersecting;
      want(entry);
    }
  }));

  function want(entry) {
    const due = entry.drawn !== entry.run.step && Date.now() - entry.asked > BETWEEN;
    if (entry.visible && due && !closed) {
      waiting.add(entry);
      next();
    }
  }

  function next() {
    for (const entry of waiting) {
      if (under >= AT_ONCE || closed) {
        return;
      }
      waiting.delete(entry);
      under++;
      draw(entry).finally(() => {
        under--;
        next();
      });
    }
  }

  async function draw(entry) {
    entry.asked = Date.now();
    const { run, place } = entry;
    try {
      const { series, complete } = await get(withQuery(`/api/runs/${run.id}/series`, { names: SPARK.join(','), points: POINTS }));
      const name = SPARK.find(one => series[one]?.step.length > 1);
      const curve = name && sparkline(name, series[name]);
      replace(place, curve ?? null);
      entry.drawn = complete ? run.step : null;
      if (!complete) { // a long file is still being read
        setTimeout(() => want(entry), BETWEEN);
      }
    } catch {
      // the row says how the run is; a curve that cannot be read is left out
    }
  }

  return {
    watch(place, run) {
      places.set(run.id, { place, run, drawn: null, asked: 0, visible: false });
      view.observe(place);
    },
    update(run) {
      const entry = places.get(run.id);
      if (entry) {
        entry.run = run;
        want(entry);
      }
    },
    forget(id) {
      const entry = places.get(id);
      if (entry) {
        view.unobserve(entry.place);
        places.delete(id);
      }
    },
    close() {
      closed = true;
      view.disconnect();
    },
  };
}
