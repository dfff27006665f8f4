import { useSyncExternalStore } from 'react';

export type ColorScheme = 'light' | 'dark';

const key = 'tessera.color-scheme';
const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');

/** The color scheme of the page. */
export function useColorScheme(): ColorScheme {
  return useSyncExternalStore(subscribe, currentScheme);
}

/** Switches between light and dark, and stores the choice. */
export function toggleColorScheme(): void {
  const scheme = currentScheme() === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset.theme = scheme;
  try {
    localStorage.setItem(key, scheme);
  } catch (error) {
    // Storage is blocked: the choice is kept until the page is closed.
    if (!(error instanceof DOMException)) throw error;
  }
}

function currentScheme(): ColorScheme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return systemIsDark.matches ? 'dark' : 'light';
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  systemIsDark.addEventListener('change', listener);
  return () => {
    observer.disconnect();
    systemIsDark.removeEventListener('change', listener);
  };
}
