import { type ComponentProps, type MouseEvent, useSyncExternalStore } from 'react';

let isStale = false;

/** Makes the next navigation reload the page, because the loaded project settings are stale. */
export function reloadOnNextNavigation(): void {
  isStale = true;
}

/** Navigates within the app without a page load. */
export function navigate(to: string, { replace = false } = {}): void {
  if (isStale) {
    window.location.assign(to);
    return;
  }
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  window.scrollTo(0, 0);
  window.dispatchEvent(new PopStateEvent('popstate'));
}

/** Navigates to a page that takes the place of the current one in the history. */
export function replacePage(to: string): void {
  navigate(to, { replace: true });
}

/** The path of the page. */
export function usePath(): string {
  return useSyncExternalStore(subscribe, () => window.location.pathname);
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('popstate', listener);
  return () => window.removeEventListener('popstate', listener);
}

/** A link within this app. */
export function Link({ href, ...rest }: ComponentProps<'a'> & { href: string }) {
  function follow(event: MouseEvent) {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(href);
  }

  return <a href={href} onClick={follow} {...rest} />;
}
