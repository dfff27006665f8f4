import { useSyncExternalStore } from 'react';

type ColorScheme = 'light' | 'dark';

const key = 'shelfmark.color-scheme';
const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');

/** The colour scheme of the page, and a function that switches and stores it. */
export function useColorScheme(): [ColorScheme, () => void] {
  const scheme = useSyncExternalStore(subscribe, currentScheme);
  return [scheme, () => choose(scheme === 'dark' ? 'light' : 'dark')];
}

function currentScheme(): ColorScheme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return systemIsDark.matches ? 'dark' : 'light';
}

function choose(scheme: ColorScheme): void {
  document.documentElement.dataset.theme = scheme;
  try {
    localStorage.setItem(key, scheme);
  } catch (error) {
    // Storage is blocked: the choice is kept until the page is closed.
    if (!(error instanceof DOMException)) throw error;
  }
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
