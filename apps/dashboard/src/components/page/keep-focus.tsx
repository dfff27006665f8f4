import { useEffect } from 'react';

/**
 * Keeps the keyboard focus in the page when the focused element is removed, such as the button of a deleted row. The closest
 * panel, dialog or page that is left gets the focus. Otherwise a screen reader starts again at the top of the window
 * (WCAG 2.4.3).
 */
export function KeepFocus(): null {
  useEffect(() => {
    let path: readonly Element[] = [];
    const note = ({ target }: FocusEvent) => {
      if (target instanceof Element) path = pathFrom(target, path);
    };
    const observer = new MutationObserver(() => {
      if (document.activeElement === document.body && path[0]?.isConnected === false) focusFirst(path);
    });
    document.addEventListener('focusin', note);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', note);
      observer.disconnect();
    };
  }, []);
  return null;
}

/** The elements around a focused one, from inside to outside. Outside of a dialog is what had the focus before it opened. */
function pathFrom(target: Element, before: readonly Element[]): readonly Element[] {
  const dialog = target.closest('dialog');
  const path: Element[] = [];
  for (let element: Element | null = target; element !== null; element = element.parentElement) {
    path.push(element);
    if (element === dialog) return [...path, ...before.filter(one => !dialog.contains(one))];
  }
  return path;
}

function focusFirst(path: readonly Element[]): void {
  const place = path.find(element => element.isConnected && element.matches('#content, #content section, dialog'));
  if (!(place instanceof HTMLElement)) return;
  if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}
