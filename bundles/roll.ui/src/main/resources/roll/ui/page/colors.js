// Colors of the theme for a canvas, which knows no custom properties, and of lines.

const LINES = 8;
const probe = document.createElement('span');
probe.hidden = true;
document.documentElement.append(probe);

/** The color of the custom property `name`, such as `--ink`, in the current theme. */
export function color(name, alpha = 1) {
  probe.style.color = `var(${name})`;
  const found = getComputedStyle(probe).color;
  return alpha === 1 ? found : `rgba(${found.match(/[\d.]+/g).slice(0, 3).join(', ')}, ${alpha})`;
}

/** The property with the color of line `n`, counted from 0; colors repeat after eight lines, dashed. */
export function lineColor(n) {
  return `--line-${(n % LINES) + 1}`;
}

/** Whether line `n` is dashed, since another line has its color. */
export function isDashed(n) {
  return Math.floor(n / LINES) % 2 === 1;
}
