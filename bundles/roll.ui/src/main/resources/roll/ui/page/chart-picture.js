// A chart as a PNG: its heading and the names of its lines above the plot, in the colors of the page.
import { color } from './colors.js';
import { el } from './dom.js';
import { line as oneLine } from './legible.js';

const ROW = 18; // pixels of a line of text
const EDGE = 10;

/** Saves `plot` of uPlot, with `title` and the visible `lines`, as a file. */
export function savePicture(plot, title, lines) {
  const { canvas: drawn } = plot.ctx;
  const pixel = drawn.width / plot.width;
  const picture = el('canvas', { width: drawn.width + 2 * EDGE * pixel, height: drawn.height + (ROW * (1 + lines.length) + 2 * EDGE) * pixel });
  const pen = picture.getContext('2d');
  pen.fillStyle = color('--panel');
  pen.fillRect(0, 0, picture.width, picture.height);
  pen.scale(pixel, pixel);
  pen.textBaseline = 'middle';
  pen.font = '600 13px system-ui, sans-serif';
  pen.fillStyle = color('--ink');
  pen.fillText(oneLine(title, 120), EDGE, EDGE + ROW / 2);
  pen.font = '12px system-ui, sans-serif';
  lines.forEach((line, index) => {
    const middle = EDGE + ROW * (1.5 + index);
    pen.strokeStyle = color(line.color);
    pen.lineWidth = 2;
    pen.setLineDash(line.dashed ? [6, 3] : []);
    pen.stroke(new Path2D(`M${EDGE} ${middle}h18`));
    pen.fillText(oneLine(line.label, 120), EDGE + 26, middle);
  });
  pen.drawImage(drawn, EDGE, EDGE + ROW * (1 + lines.length), plot.width, plot.height);
  picture.toBlob(blob => {
    const href = URL.createObjectURL(blob);
    el('a', { href, download: `${title.replaceAll(/[^\w.-]+/g, '_')}.png` }).click();
    URL.revokeObjectURL(href);
  }, 'image/png');
}
