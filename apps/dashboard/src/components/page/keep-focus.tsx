import { useEffect } from 'react';

/**
 * For a part of a page that its own buttons remove: when the focused button goes with it, the content of the page gets the
 * focus. Otherwise the next Tab starts at the top of the window (WCAG 2.4.3).
 */
export function KeepFocus(): null {
  useEffect(
    () => () => {
      if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true });
    },
    [],
  );
  return null;
}
