// Runs before the page is painted. The same rule as in src/data/color-scheme.ts.
try {
  const chosen = localStorage.getItem('tessera.color-scheme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // Storage is blocked: the page follows the system.
}
