import { keepFocus } from '@tessera/ui';
import { type RefObject, useEffect, useRef } from 'react';

/**
 * Moves the focus to the heading of the section when an action removes the focused element.
 *
 * @param title gets the focus when the section is gone too
 * @returns the ref of the element with the sections
 */
export function useKeptFocus(title: RefObject<HTMLElement | null>): RefObject<HTMLDivElement | null> {
  const content = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (content.current === null) return;
    return keepFocus(content.current, focused => {
      const section = focused.closest('section');
      return () => (section?.isConnected ? section.querySelector('h3') : title.current);
    });
  }, [title]);

  return content;
}
