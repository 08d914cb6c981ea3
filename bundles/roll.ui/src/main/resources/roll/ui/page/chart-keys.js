// A chart by keyboard: arrows move the cursor, plus and minus zoom about it, Escape shows all.

/**
 * Listens on `plane` for `plot()`; `zoom(from, to)` with values of x, or `zoom(null)` for all;
 * `move()` after the cursor moved.
 */
export function cursorKeys(plane, plot, { zoom, move }) {
  plane.addEventListener('keydown', event => {
    const drawn = plot();
    if (!drawn || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const act = actionOf(event, drawn, zoom, move);
    if (act) {
      event.preventDefault();
      act();
    }
  });
  plane.addEventListener('blur', () => plot()?.setCursor({ left: -10, top: -10 }));
}

function actionOf(event, plot, zoom, move) {
  const [first, last] = inView(plot);
  const at = plot.cursor.idx ?? last;
  const to = place => () => {
    put(plot, Math.min(last, Math.max(first, place)));
    move();
  };
  const wide = event.shiftKey ? 10 : 1;
  const begun = plot.cursor.idx !== null && plot.cursor.idx !== undefined && plot.cursor.left >= 0;
  switch (event.key) {
    case 'ArrowLeft': return to(begun ? at - wide : last);
    case 'ArrowRight': return to(begun ? at + wide : last);
    case 'Home': return to(first);
    case 'End': return to(last);
    case '+': case '=': return () => about(plot, at, 0.5, zoom);
    case '-': return () => about(plot, at, 2, zoom);
    case 'Escape': case '0': return () => zoom(null);
    default: return null;
  }
}

function inView(plot) {
  const xs = plot.data[0];
  const { min, max } = plot.scales.x;
  const first = xs.findIndex(x => x >= min);
  return [Math.max(0, first), Math.max(0, xs.findLastIndex(x => x <= max))];
}

function put(plot, place) {
  plot.setCursor({ left: plot.valToPos(plot.data[0][place], 'x'), top: plot.over.clientHeight / 2 });
}

function about(plot, place, factor, zoom) {
  const { min, max } = plot.scales.x;
  const xs = plot.data[0];
  const [least, most] = [xs[0], xs[xs.length - 1]];
  const half = ((max - min) * factor) / 2;
  const middle = Math.min(max, Math.max(min, xs[place]));
  const [from, to] = [Math.max(least, middle - half), Math.min(most, middle + half)];
  if (from <= least && to >= most) {
    zoom(null);
  } else if (to > from) {
    zoom(from, to);
  }
}
