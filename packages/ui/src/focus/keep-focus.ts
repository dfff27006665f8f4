/**
 * Keeps the keyboard focus near its place when the focused element is removed: a form closes, or a row is deleted. Otherwise
 * the focus is at the top of the window again, for the keyboard and for screen readers (WCAG 2.4.3).
 *
 * @param root the element whose descendants are watched
 * @param onFocus is called with each element that gets the focus. It returns the function that finds the element that gets
 *   the focus when that element is removed. That must not be a control: a second press of the same key would activate it.
 * @returns stops the watching
 */
export function keepFocus(
  root: HTMLElement,
  onFocus: (focused: Element) => () => HTMLElement | null | undefined,
): () => void {
  let last: Element | null;
  let findPlace: () => HTMLElement | null | undefined;

  const remember = () => {
    last = document.activeElement;
    if (last) findPlace = onFocus(last);
  };
  const restore = () => {
    if (last?.isConnected !== false || document.activeElement !== document.body) return;
    const place = findPlace();
    if (!place) return;
    place.tabIndex = -1;
    // The page does not move under a mouse. The next Tab scrolls.
    place.focus({ preventScroll: true });
  };

  root.addEventListener('focusin', remember);
  // Later, because what replaces the element may take the focus itself.
  const observer = new MutationObserver(() => setTimeout(restore));
  observer.observe(root, { childList: true, subtree: true });
  return () => {
    root.removeEventListener('focusin', remember);
    observer.disconnect();
  };
}
