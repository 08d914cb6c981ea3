// A plain script, not a module: it runs before the first paint, so that a chosen theme does not flash.
(() => {
  const root = document.documentElement;
  const kept = () => {
    try {
      return localStorage.getItem('roll-theme') ?? 'system';
    } catch {
      return 'system'; // no storage: the theme is the system's at each load
    }
  };

  function apply(theme) {
    if (theme === 'system') {
      delete root.dataset.theme;
    } else {
      root.dataset.theme = theme;
    }
    window.dispatchEvent(new Event('roll-theme'));
  }

  apply(kept());
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => apply(kept()));
  window.addEventListener('storage', event => event.key === 'roll-theme' && apply(kept()));
  document.addEventListener('DOMContentLoaded', () => {
    const choice = document.getElementById('theme');
    choice.value = kept();
    choice.addEventListener('change', () => {
      try {
        localStorage.setItem('roll-theme', choice.value);
      } catch {
        // see kept()
      }
      apply(choice.value);
    });
  });
})();
