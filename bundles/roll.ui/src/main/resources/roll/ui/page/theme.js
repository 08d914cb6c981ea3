// A plain script, not a module: it runs before the first paint, so that a chosen theme does not flash.
(() => {
  const NAME = 'roll-theme';
  const { dataset } = document.documentElement;
  let chosen = 'system';
  try {
    chosen = localStorage.getItem(NAME) ?? chosen;
  } catch {
    // no storage: each load begins with the theme of the system
  }

  function apply(theme) {
    chosen = theme ?? 'system';
    dataset.theme = chosen;
    dispatchEvent(new Event(NAME));
  }

  apply(chosen);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => apply(chosen));
  addEventListener('storage', event => event.key === NAME && apply(event.newValue));
  document.addEventListener('DOMContentLoaded', () => {
    const choice = document.getElementById('theme');
    choice.value = chosen;
    choice.addEventListener('change', () => {
      apply(choice.value);
      localStorage.setItem(NAME, choice.value);
    });
  });
})();
