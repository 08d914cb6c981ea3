// Curves with bands, on uPlot: a caption with the values at the cursor, a legend that hides lines,
// zoom by dragging or keys, and the same numbers as a table.
import uPlot from '/lib/uPlot.esm.js';
import { columns, last, numbers, positionOf, summary } from './chart-data.js';
import { chartKeys } from './chart-keys.js';
import { savePicture } from './chart-picture.js';
import { plotOptions } from './chart-plot.js';
import { color, isDashed, lineColor } from './colors.js';
import { breakable, el, replace, setText, update } from './dom.js';
import { number, seconds } from './format.js';
import { swatch, unseen } from './parts.js';

const DEFAULTS = { series: [], x: 'step', log: false, smooth: 0, marks: [], height: 168, level: 3, onRange: null, sync: null, format: number };

/**
 * A chart at the end of `root`. Options: `label` (its heading), `unit`, `level` of the heading,
 * `series: [{ label, step, seconds, min, max, mean, color }]` with `color` the name of a property, `x`
 * ('step', 'seconds', or 'clock' where `step` is in seconds since 1970), `log`, `smooth` (0 to 0.99, weight of
 * earlier values), `onRange({ from, to } in steps, or null for all)`, `marks: [{ step, label }]`, `sync` (charts
 * with the same word share their cursor), `format` of values, `zoomed` (whether a part is shown), `hidden` labels
 * and `onToggle(hidden labels)`, `tools` (nodes for the caption).
 */
export class Chart {
  constructor(root, options) {
    this.options = { ...DEFAULTS, ...options };
    this.hidden = new Set(this.options.hidden);
    this.plot = null;
    this.range = null; // of x, while a part is shown
    this.dragging = this.stale = false;
    const { label, unit, level, tools } = this.options;
    this.readout = el('output', { class: 'readout' });
    this.all = el('button', { type: 'button', class: 'quiet small', text: 'Show all', hidden: true, onclick: () => this.zoom(null) });
    this.smoothing = el('small', { class: 'smoothing' });
    this.save = el('button', { type: 'button', class: 'quiet small', text: 'PNG', 'aria-label': `Save ${label} as PNG`, onclick: () => this.plot && savePicture(this.plot,
      [label, this.smoothing.textContent].filter(Boolean).join(', '), this.lines.filter(line => !this.hidden.has(line.label))) });
    this.legend = el('ul', { class: 'legend', 'aria-label': 'Lines' });
    this.plane = el('div', { class: 'plane', tabindex: 0, role: 'group', 'aria-roledescription': 'chart' });
    this.table = numbers(label, () => this.options.series, () => this.options.x);
    this.node = el('figure', { class: 'chart' },
      el('figcaption', {}, el(`h${level}`, {}, breakable(label), unit && el('small', { text: unit }), this.smoothing), this.all, this.readout, this.save, tools),
      this.legend, this.plane, this.table.node);
    root.append(this.node);
    chartKeys(this.plane, () => this.plot, { zoom: range => this.zoom(range), moved: () => this.read(true) });
    this.resized = new ResizeObserver(() => this.fit());
    this.resized.observe(this.plane);
    this.repaint = () => this.draw();
    addEventListener('roll-theme', this.repaint);
    this.released = () => this.dragging && setTimeout(() => this.dragged(false)); // after the mouseup of the plot
    this.plane.addEventListener('pointerdown', () => this.dragged(true));
    addEventListener('pointerup', this.released);
    this.draw();
  }

  /** Changes options and draws again; `series` replaces all series. */
  set(options) {
    Object.assign(this.options, options);
    this.hidden = options.hidden ? new Set(options.hidden) : this.hidden;
    this.all.hidden = options.zoomed === undefined ? this.all.hidden : !options.zoomed;
    this.draw();
  }

  close() {
    removeEventListener('roll-theme', this.repaint);
    removeEventListener('pointerup', this.released);
    this.resized.disconnect();
    this.drop();
    this.node.remove();
  }

  /** While a range is selected with the pointer, new points wait. */
  dragged(now) {
    this.dragging = now;
    if (!now && this.stale) {
      this.draw();
    }
  }

  draw() {
    this.stale = this.dragging;
    if (this.dragging) {
      return;
    }
    const { label, series, log, x, smooth } = this.options;
    this.lines = series.map((one, index) => ({ ...one, color: one.color ?? lineColor(index), dashed: one.dashed ?? isDashed(index) }));
    this.data = columns(this.lines, x, smooth, log);
    this.plane.setAttribute('aria-label', `${summary(label, this.lines, this.options)} Arrow keys read values, plus and minus zoom.`);
    setText(this.smoothing, smooth > 0 ? `smoothed ${smooth}` : '');
    this.table.refresh();
    this.build();
    this.save.hidden = this.plot === null;
    this.read(false);
  }

  build() {
    const width = this.plane.clientWidth;
    if (width === 0 || this.data.lines.every(line => last(line.mean) === null)) {
      this.drop();
      const text = this.options.log && this.data.xs.length > 0 ? 'No value above 0 to show on a log scale' : 'No values yet';
      replace(this.plane, el('p', { class: 'nothing', text }));
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

  /** Shows `range` of x, or all; the server then sends finer points. */
  zoom(range) {
    this.range = range;
    this.stale = false;
    this.all.hidden = range === null;
    if (this.plot && range) {
      this.plot.setScale('x', { min: range.from, max: range.to });
    } else if (this.plot) {
      this.plot.setData(this.plot.data);
    }
    this.options.onRange?.(range && this.stepsOf(range));
  }

  stepsOf({ from, to }) {
    const { xs, steps } = this.data;
    const inside = steps.filter((_, at) => xs[at] >= from && xs[at] <= to);
    const between = this.options.x === 'step' ? [Math.floor(from), Math.ceil(to)] : [0, 0];
    return { from: inside[0] ?? between[0], to: inside.at(-1) ?? between[1] };
  }

  /** Writes the values at the cursor, or the last ones; `aloud` for screen readers too. */
  read(aloud) {
    const { format } = this.options;
    const at = this.plot?.cursor.idx ?? null;
    const texts = this.data.lines.map(line => { // a validation is not at every step: the nearest value before
      return format(last(line.mean.slice(0, at === null ? undefined : at + 1))); // never a smoothed one
    });
    const several = this.lines.length > 1;
    this.legend.hidden = !several;
    update(this.legend, several && this.lines.map((line, index) => this.entry(line, texts[index])));
    this.readout.setAttribute('aria-live', aloud ? 'polite' : 'off');
    replace(this.readout, at !== null && el('span', { text: this.where(at) }), this.lines.length === 1 && el('strong', { text: texts[0] }),
      aloud && several && unseen(this.lines.map((line, index) => `${line.label} ${texts[index]}`).join(', ')));
  }

  entry(line, text) {
    return el('li', {}, el('button', {
      type: 'button', class: 'quiet', title: line.label, 'aria-pressed': String(!this.hidden.has(line.label)),
      onclick: () => this.toggle(line.label),
      onpointerenter: () => this.focus(line.label), onpointerleave: () => this.focus(null),
      onfocus: event => event.target.matches(':focus-visible') && this.focus(line.label), onblur: () => this.focus(null),
    }, swatch(line.color, line.dashed), el('span', { class: 'name', text: line.label }), el('span', { class: 'value', text })));
  }

  where(at) {
    const { marks, x } = this.options;
    const step = this.data.steps[at];
    const marked = marks.filter(mark => mark.step === step).map(mark => ` · ${mark.label}`).join('');
    return (x === 'seconds' ? `${seconds(this.data.xs[at])}, step ${step}` : positionOf(step, x)) + marked;
  }

  toggle(label) {
    if (!this.hidden.delete(label)) {
      this.hidden.add(label);
    }
    this.draw();
    this.options.onToggle?.([...this.hidden]);
  }

  /** Fades all lines but one; null ends that. */
  focus(label) {
    this.plot?.series.slice(1).forEach(series => series.alpha = label === null || series.label === label ? 1 : 0.15);
    this.plot?.redraw(false);
  }

  drawMarks({ ctx, bbox, scales, valToPos }) {
    const { marks, x } = this.options;
    const pixel = uPlot.pxRatio;
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = color('--accent');
    ctx.lineWidth = pixel;
    ctx.setLineDash([3 * pixel, 3 * pixel]);
    for (const mark of marks) {
      const at = x === 'step' ? mark.step : this.data.xs[this.data.steps.findIndex(step => step >= mark.step)];
      if (at >= scales.x.min && at <= scales.x.max) {
        const left = Math.round(valToPos(at, 'x', true));
        ctx.stroke(new Path2D(`M${left} ${bbox.top}v${bbox.height}`));
        ctx.fill(new Path2D(`M${left - 4 * pixel} ${bbox.top}h${8 * pixel}l${-4 * pixel} ${6 * pixel}z`));
      }
    }
    ctx.restore();
  }
}
