// Sections of which one is shown, by the pattern of WAI-ARIA: arrow keys move among the tabs.
import { el } from './dom.js';

/**
 * Tabs of `sections`: `{ id, label, show(panel) }`; `show` is called each time its section appears
 * and may return a function that is called when it goes. Returns `{ node, choose(id), close() }`.
 */
export function tabs(label, sections, chosen, onChoose) {
  let leave = null;
  let current = null;
  const panel = el('div', { class: 'tab-panel', role: 'tabpanel', id: 'tab-panel', tabindex: 0 });
  const buttons = sections.map(section => el('button', {
    type: 'button', role: 'tab', id: `tab-${section.id}`, 'aria-controls': 'tab-panel', text: section.label,
    onclick: () => choose(section.id),
  }));
  const list = el('div', { class: 'tabs', role: 'tablist', 'aria-label': label, onkeydown: move }, buttons);

  function choose(id) {
    const index = Math.max(0, sections.findIndex(section => section.id === id));
    if (current === index) {
      return;
    }
    current = index;
    buttons.forEach((button, place) => {
      button.setAttribute('aria-selected', String(place === index));
      button.tabIndex = place === index ? 0 : -1;
    });
    panel.setAttribute('aria-labelledby', buttons[index].id);
    leave?.();
    panel.replaceChildren();
    leave = sections[index].show(panel) ?? null;
    onChoose?.(sections[index].id);
  }

  function move(event) {
    const to = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: sections.length - 1 }[event.key];
    if (to !== undefined) {
      const index = (to + sections.length) % sections.length;
      event.preventDefault();
      choose(sections[index].id);
      buttons[index].focus();
    }
  }

  choose(chosen);
  return { node: el('div', {}, list, panel), choose, close: () => leave?.() };
}
