import { keepFocus } from '@tessera/ui';
import { useEffect } from 'react';

/** Moves the focus to the closest panel, dialog or page that is left when the focused element is removed. */
export function KeepFocus(): null {
  useEffect(() => {
    let path: readonly Element[] = [];
    return keepFocus(document.body, focused => {
      path = pathFrom(focused, path);
      return () => findPlace(path);
    });
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

function findPlace(path: readonly Element[]): HTMLElement | undefined {
  const place = path.find(element => element.isConnected && element.matches('#content, #content section, dialog'));
  return place instanceof HTMLElement ? place : undefined;
}
