// Score curves in the list of runs, requested one at a time while their rows are in view.
import { get } from '../api.js';
import { replace } from '../dom.js';
import { sparkline } from '../sparkline.js';
import { SPARK } from './metrics.js';

const POINTS = 60;
const MIN_INTERVAL_MS = 3000;

/** Draws curves into cells: `show(cell, run)` for each state of a run, `forget(cell)` of a removed one, `close()`. */
export function sparks() {
  const known = new Map(); // by cell: { cell, run, drawn: step, requested: ms, visible }
  let queue = Promise.resolve();
  const view = new IntersectionObserver(changes => changes.forEach(({ target, isIntersecting }) => {
    const entry = known.get(target);
    if (entry) {
      entry.visible = isIntersecting;
      request(entry);
    }
  }));

  function request(entry) {
    if (entry.visible && entry.drawn !== entry.run.step && Date.now() - entry.requested > MIN_INTERVAL_MS) {
      entry.requested = Date.now();
      queue = queue.then(() => draw(entry)).catch(() => {}); // the row reports a run that cannot be read
    }
  }

  async function draw(entry) {
    const { cell, run } = entry;
    if (!cell.isConnected) {
      return;
    }
    const { series, complete } = await get(`/api/runs/${run.id}/series`, { names: SPARK.join(','), points: POINTS });
    const name = SPARK.find(one => series[one]?.step.length > 1);
    replace(cell, name && sparkline(name, series[name]));
    entry.drawn = complete ? run.step : null;
    if (!complete) { // a long file is still being read
      setTimeout(() => request(entry), MIN_INTERVAL_MS + 1);
    }
  }

  return {
    show(cell, run) {
      if (known.has(cell)) {
        known.get(cell).run = run;
        request(known.get(cell));
      } else {
        known.set(cell, { cell, run, drawn: null, requested: 0, visible: false });
        view.observe(cell);
      }
    },
    forget(cell) {
      known.delete(cell);
      view.unobserve(cell);
    },
    close: () => view.disconnect(),
  };
}
