// Runs before the page is painted. The same rule as in src/color-scheme.ts.
try {
  const chosen = localStorage.getItem('shelfmark.color-scheme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // Storage is blocked: the system's scheme it is.
}
