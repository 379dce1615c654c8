// Applies the chosen theme before the first paint. Without a choice the system decides.
(() => {
  const stored = () => {
    try {
      return localStorage.getItem('podwright-theme');
    } catch {
      return null; // storage may be forbidden; the system's scheme is then all there is
    }
  };
  const system = matchMedia('(prefers-color-scheme: dark)');
  const root = document.documentElement;
  const current = () => root.dataset.theme || (system.matches ? 'dark' : 'light');
  const announce = () => document.dispatchEvent(new Event('themechange'));

  const chosen = stored();
  if (chosen === 'light' || chosen === 'dark') root.dataset.theme = chosen;

  addEventListener('DOMContentLoaded', () => {
    const toggle = document.getElementById('theme-toggle');
    const show = () => toggle.setAttribute('aria-pressed', String(current() === 'dark'));
    toggle.hidden = false;
    show();
    toggle.addEventListener('click', () => {
      root.dataset.theme = current() === 'dark' ? 'light' : 'dark';
      try {
        localStorage.setItem('podwright-theme', root.dataset.theme);
      } catch {
        // the choice then holds for this page only
      }
      show();
      announce();
    });
    system.addEventListener('change', () => {
      show();
      announce();
    });
  });
})();
