import { useEffect } from 'react';

/** Calls `onReturn` when the Back button restores the page as it was when it was left. */
function useReturnToPage(onReturn: () => void): void {
  useEffect(() => {
    // The event also ends a normal load, when an action can have begun already.
    const listener = ({ persisted }: PageTransitionEvent) => persisted && onReturn();
    window.addEventListener('pageshow', listener);
    return () => window.removeEventListener('pageshow', listener);
  });
}

export { useReturnToPage };
