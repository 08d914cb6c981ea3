// Curves with bands, on uPlot: a caption that reads out the values at the cursor, a legend that
// switches lines off, zoom by dragging or keys, and the same as a table.
import uPlot from '/lib/uPlot.esm.js';
import { columns, positive } from './chart-data.js';
import { placeOf, summary, table } from './chart-text.js';
import { plotOptions } from './chart-plot.js';
import { legend } from './chart-legend.js';
import { cursorKeys } from './chart-keys.js';
import { color, isDashed, lineColor } from './colors.js';
import { breakable, el, replace } from './dom.js';
import { number, seconds } from './format.js';

const DEFAULTS = { series: [], x: 'step', log: false, smooth: 0, marks: [], height: 168, onRange: null, sync: null };

/**
 * A chart at the end of `root`. Options: `label` (what it shows, its heading), `unit`, `level` of the
 * heading, `series: [{ label, step, seconds, min, max, mean, color }]` with `color` the name of a
 * property, `x` ('step', 'seconds', or 'clock' where `step` is in seconds since 1970), `log`, `smooth` (0 to 0.99, weight of what was before),
 * `onRange({ from, to } in steps, or null for all)`, `marks: [{ step, label }]`, `sync` (charts with
 * the same word share their cursor), `format` of values, `zoomed` (whether a part is shown, where the
 * caller knows it), `hidden` labels and `onToggle(hidden labels)`, `tools` (nodes for the caption).
 * Returns `{ set(options), close(), node }`.
 */
export function chart(root, options) {
  return new Chart(root, options);
}

class Chart {
  constructor(root, options) {
    this.options = { ...DEFAULTS, ...options };
    this.hidden = new Set(this.options.hidden);
    this.plot = null;
    this.range = null; // of x, while a part is shown
    this.dragging = this.late = false;
    this.readout = el('output', { class: 'readout' });
    this.all = el('button', { type: 'button', class: 'quiet small', text: 'Show all', hidden: true, onclick: () => this.zoom(null) });
    this.legend = legend(label => this.toggle(label), label => this.bring(label));
    this.plane = el('div', { class: 'plane', tabindex: 0, role: 'group', 'aria-roledescription': 'chart' });
    this.table = table(this.options.label, () => this.options.series, () => this.options.x);
    this.node = el('figure', { class: 'chart' },
      el('figcaption', {}, this.heading(), this.all, this.readout, this.options.tools),
      this.legend.node, this.plane, this.table.node);
    root.append(this.node);
    this.keys = cursorKeys(this.plane, () => this.plot, {
      zoom: (from, to) => this.zoom(from === null ? null : { from, to }), move: () => this.read(true),
    });
    this.watch = new ResizeObserver(() => this.fit());
    this.watch.observe(this.plane);
    this.repaint = () => this.draw();
    addEventListener('roll-theme', this.repaint);
    this.release = () => this.dragging && setTimeout(() => this.dragged(false)); // after the plot's own mouseup
    this.plane.addEventListener('pointerdown', () => this.dragged(true));
    addEventListener('pointerup', this.release);
    this.draw();
  }

  /** Changes what is given and draws anew; a new series replaces all series. */
  set(options) {
    Object.assign(this.options, options);
    if (options.hidden) {
      this.hidden = new Set(options.hidden);
    }
    if (options.zoomed !== undefined) {
      this.all.hidden = !options.zoomed;
    }
    this.draw();
  }

  close() {
    removeEventListener('roll-theme', this.repaint);
    removeEventListener('pointerup', this.release);
    this.watch.disconnect();
    this.drop();
    this.node.remove();
  }

  heading() {
    const { label, unit, level = 3 } = this.options;
    return el(`h${level}`, {}, breakable(label), unit && el('small', { text: unit }));
  }

  /** While a range is drawn with the pointer, new points wait. */
  dragged(now) {
    this.dragging = now;
    if (!now && this.late) {
      this.draw();
    }
  }

  draw() {
    this.late = this.dragging;
    if (this.dragging) {
      return;
    }
    const { series, log, x, smooth } = this.options;
    this.lines = series.map((one, place) => ({ ...one, color: one.color ?? lineColor(place), dashed: one.dashed ?? isDashed(place) }));
    const data = columns(this.lines, x, smooth);
    this.data = log ? positive(data) : data;
    this.legend.set(this.lines, this.hidden);
    this.plane.setAttribute('aria-label', `${summary(this.options.label, this.lines, this.options)} Arrow keys read values, plus and minus zoom.`);
    this.table.fresh();
    this.build();
    this.read(false);
  }

  build() {
    const width = this.plane.clientWidth;
    if (this.nothing() || width === 0) {
      this.drop();
      const reason = this.options.log && this.data.xs.length > 0 ? 'No value above 0 to show on a log scale' : 'No values yet';
      replace(this.plane, el('p', { class: 'nothing', text: reason }));
      return;
    }
    const { plot, values, shape } = plotOptions(this.lines, this.data, this.hidden, { ...this.options, width });
    if (this.plot && shape === this.shape) { // only points are new
      this.plot.setData(values);
    } else {
      const left = this.plot?.cursor.left ?? -10;
      this.drop();
      plot.hooks = { setCursor: [() => this.read(false)], setSelect: [() => this.selected()], draw: [drawn => this.drawMarks(drawn)] };
      replace(this.plane);
      this.plot = new uPlot(plot, values, this.plane);
      this.shape = shape;
      this.plot.setCursor({ left, top: left < 0 ? left : 1 });
    }
    if (this.range && !this.options.onRange) {
      this.plot.setScale('x', { min: this.range.from, max: this.range.to });
    }
  }

  drop() {
    this.plot?.destroy();
    this.plot = null;
  }

  nothing() {
    return !this.data.lines.some(line => line.mean.some(value => value !== null && value !== undefined));
  }

  fit() {
    if (this.plot) {
      this.plot.setSize({ width: this.plane.clientWidth, height: this.options.height });
    } else {
      this.build();
    }
  }

  selected() {
    const { left, width } = this.plot.select;
    if (width > 3) {
      this.zoom({ from: this.plot.posToVal(left, 'x'), to: this.plot.posToVal(left + width, 'x') });
    }
    this.plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  /** Shows `range` of x, or all; a server that is asked for it answers with finer points. */
  zoom(range) {
    this.range = range;
    this.late = false;
    this.all.hidden = range === null;
    if (this.plot && range) {
      this.plot.setScale('x', { min: range.from, max: range.to });
    } else if (this.plot) {
      this.plot.setData(this.plot.data);
    }
    this.options.onRange?.(range && this.steps(range));
  }

  steps({ from, to }) {
    const { xs, steps } = this.data;
    const inside = steps.filter((_, place) => xs[place] >= from && xs[place] <= to);
    const guess = this.options.x === 'step' ? [Math.floor(from), Math.ceil(to)] : [0, 0];
    return inside.length > 0 ? { from: inside[0], to: inside[inside.length - 1] } : { from: guess[0], to: guess[1] };
  }

  read(aloud) {
    const place = this.plot?.cursor.idx ?? null;
    this.readout.setAttribute('aria-live', aloud ? 'polite' : 'off');
    const { format = number } = this.options;
    const value = line => {
      const shown = line.smooth ?? line.mean;
      const found = place === null ? last(shown) : near(shown, place);
      return line.smooth && found !== null ? `${format(found)} smoothed` : format(found);
    };
    if (this.lines.length > 1) {
      this.legend.values(this.data.lines.map(value));
    }
    const single = this.lines.length === 1 ? value(this.data.lines[0]) : '';
    replace(this.readout, place !== null && el('span', { text: this.where(place) }), single && el('strong', { text: single }));
    if (aloud && this.lines.length > 1) {
      this.readout.append(el('span', { class: 'hidden', text: this.lines.map((line, n) => `${line.label} ${value(this.data.lines[n])}`).join(', ') }));
    }
  }

  where(place) {
    const step = this.data.steps[place];
    const marks = this.options.marks.filter(mark => mark.step === step).map(mark => ` · ${mark.label}`).join('');
    return (this.options.x === 'seconds' ? `${seconds(this.data.xs[place])}, step ${step}` : placeOf(step, this.options.x)) + marks;
  }

  toggle(label) {
    if (!this.hidden.delete(label)) {
      this.hidden.add(label);
    }
    this.draw();
    this.options.onToggle?.([...this.hidden]);
  }

  /** Brings one line to the front, the others step back; null ends that. */
  bring(label) {
    for (const [index, series] of (this.plot?.series ?? []).entries()) {
      if (index > 0) {
        series.alpha = label === null || series.label === label ? 1 : 0.15;
      }
    }
    this.plot?.redraw(false);
  }

  drawMarks(plot) {
    const { marks, x } = this.options;
    for (const mark of marks) {
      const at = x === 'step' ? mark.step : this.data.xs[this.data.steps.findIndex(step => step >= mark.step)];
      if (at !== undefined && at >= plot.scales.x.min && at <= plot.scales.x.max) {
        drawMark(plot, Math.round(plot.valToPos(at, 'x', true)));
      }
    }
  }
}

function drawMark(plot, left) {
  const { ctx, bbox } = plot;
  const size = 4 * uPlot.pxRatio;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = color('--accent');
  ctx.lineWidth = uPlot.pxRatio;
  ctx.setLineDash([3 * uPlot.pxRatio, 3 * uPlot.pxRatio]);
  ctx.beginPath();
  ctx.moveTo(left, bbox.top);
  ctx.lineTo(left, bbox.top + bbox.height);
  ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(left - size, bbox.top);
  ctx.lineTo(left + size, bbox.top);
  ctx.lineTo(left, bbox.top + 1.5 * size);
  ctx.fill();
  ctx.restore();
}

function last(values) {
  return values.findLast(value => value !== null && value !== undefined) ?? null;
}

/** The value at `place`, or the nearest before it: a validation is not at every step. */
function near(values, place) {
  return last(values.slice(0, place + 1));
}
