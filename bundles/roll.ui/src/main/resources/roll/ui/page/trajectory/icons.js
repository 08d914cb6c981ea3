// Signs that fonts do not agree on, drawn.
import { svg } from '../dom.js';

const PATHS = {
  start: 'M3 3h2v10H3zM13 3v10L6 8z',
  back: 'M12 3v10L4 8z',
  forth: 'M4 3v10l8-5z',
  end: 'M11 3h2v10h-2zM3 3v10l7-5z',
};

/** The sign `name`: start, back, forth or end. Hidden from screen readers: its button has a label. */
export function icon(name) {
  return svg('svg', { class: 'icon', viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true', focusable: 'false' },
    svg('path', { d: PATHS[name] }));
}
