// Colours of the theme for what is drawn on a canvas, which knows no custom properties.

const LINES = 8;
const probe = document.createElement('span');
probe.hidden = true;
document.documentElement.append(probe);

/** The colour that the custom property `name`, such as `--ink`, has in the theme of now. */
export function color(name, alpha = 1) {
  probe.style.color = `var(${name})`;
  const found = getComputedStyle(probe).color;
  if (alpha === 1) {
    return found;
  }
  const [red, green, blue] = found.match(/[\d.]+/g);
  return `rgba(${red}, ${green}, ${blue}, ${alpha})`;
}

/** The name of the property with the colour of the n-th line, from 0; they repeat after eight, dashed. */
export function lineColor(n) {
  return `--line-${(n % LINES) + 1}`;
}

/** Whether the n-th line is told by dashes from the one that has its colour too. */
export function isDashed(n) {
  return Math.floor(n / LINES) % 2 === 1;
}
