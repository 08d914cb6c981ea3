// A chart by keyboard: arrows move the cursor, plus and minus zoom about it, Escape shows all.

/**
 * Handles the keys of `plane` for `plot()`. Calls `zoom({ from, to })` with values of x, or `zoom(null)` for
 * all, and `moved()` after the cursor moved.
 */
export function chartKeys(plane, plot, { zoom, moved }) {
  plane.addEventListener('keydown', event => {
    const act = plot() && !event.ctrlKey && !event.metaKey && !event.altKey && action(event, plot(), zoom, moved);
    if (act) {
      event.preventDefault();
      act();
    }
  });
  plane.addEventListener('blur', () => plot()?.setCursor({ left: -10, top: -10 }));
}

function action(event, plot, zoom, moved) {
  const [xs] = plot.data;
  const { min, max } = plot.scales.x;
  const [first, last] = [Math.max(0, xs.findIndex(x => x >= min)), Math.max(0, xs.findLastIndex(x => x <= max))];
  const begun = plot.cursor.left >= 0;
  const at = begun ? plot.cursor.idx ?? last : last;
  const by = event.shiftKey ? 10 : 1;
  const to = index => () => {
    const inView = Math.min(last, Math.max(first, index));
    plot.setCursor({ left: plot.valToPos(xs[inView], 'x'), top: plot.over.clientHeight / 2 });
    moved();
  };
  const scale = factor => () => {
    const half = ((max - min) * factor) / 2;
    const middle = Math.min(max, Math.max(min, xs[at]));
    const range = { from: Math.max(xs[0], middle - half), to: Math.min(xs.at(-1), middle + half) };
    if (range.from <= xs[0] && range.to >= xs.at(-1)) {
      zoom(null);
    } else if (range.to > range.from) {
      zoom(range);
    }
  };
  const all = () => zoom(null);
  return {
    ArrowLeft: to(begun ? at - by : last), ArrowRight: to(begun ? at + by : last), Home: to(first), End: to(last),
    '+': scale(0.5), '=': scale(0.5), '-': scale(2), Escape: all, 0: all,
  }[event.key];
}
