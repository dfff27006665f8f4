import { type RefObject, useEffect, useRef } from 'react';

/**
 * Keeps the keyboard user in place when an action removes the focused element: a form closes, or a row is gone. The focus
 * goes to the heading of the section, and never to another control: a second press of the same key must not activate it.
 *
 * @param title gets the focus when the section is gone too
 * @returns the ref of the element with the sections
 */
export function useKeptFocus(title: RefObject<HTMLElement | null>): RefObject<HTMLDivElement | null> {
  const content = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const element = content.current;
    if (element === null) return;
    let last: Element | null;
    let section: Element | null | undefined;

    const remember = () => {
      last = document.activeElement;
      section = last?.closest('section');
    };
    const restore = () => {
      if (last?.isConnected !== false || document.activeElement !== document.body) return;
      const place = section?.isConnected ? section.querySelector('h3') : title.current;
      place?.setAttribute('tabindex', '-1');
      // The page does not move under a mouse. The next Tab scrolls.
      place?.focus({ preventScroll: true });
    };

    element.addEventListener('focusin', remember);
    // Later, because what replaces the element may take the focus itself.
    const observer = new MutationObserver(() => setTimeout(restore));
    observer.observe(element, { childList: true, subtree: true });
    return () => {
      element.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, [title]);

  return content;
}
