import { type MouseEvent, useRef, useState } from 'react';
import { useReturnToPage } from './use-return-to-page.ts';

/**
 * Allows one click at a time: none while `busy`, and none while the promise that the last click returned is pending. A
 * blocked click also submits nothing, because the Enter key of a form arrives as a click on its submit button. A promise
 * that leaves the page never settles, so a return to the page ends it. The second click of a double click counts only
 * where the first one was: a button that the first one put under the pointer, such as "Cancel", does not act.
 */
function useBusyClick<E extends MouseEvent>(busy: boolean, onClick: ((event: E) => unknown) | undefined) {
  // Undefined until the first click.
  const isRunning = useRef<boolean>(undefined);
  const [showsRunning, setShowsRunning] = useState(false);

  function setRunning(value: boolean) {
    isRunning.current = value;
    setShowsRunning(value);
  }

  useReturnToPage(() => setRunning(false));

  function handleClick(event: E) {
    if (busy || (isRunning.current ?? event.detail > 1)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }

    isRunning.current = false;
    const result = onClick?.(event);
    if (!(result instanceof Promise)) return;

    setRunning(true);
    // finally() passes a rejection on, so it is reported once, as if the caller had been called directly.
    void result.finally(() => setRunning(false));
  }

  return { isBusy: busy || showsRunning, onClick: handleClick };
}

export { useBusyClick };
