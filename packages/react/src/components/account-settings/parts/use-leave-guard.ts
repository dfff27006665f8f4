import { useEffect } from 'react';

/** A `beforeunload` event, which has no destination, or a `navigate` event. */
interface Leaving extends Event {
  readonly navigationType?: string;
  readonly destination?: { readonly sameDocument: boolean };
}

/**
 * While it is on, the browser asks before the page is left, and Back within the page does nothing, like Escape. Browsers
 * without the Navigation API go back, and the others do at a second Back without a click in between.
 */
export function useLeaveGuard(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const { navigation } = window as Window & { navigation?: EventTarget };
    const listening = new AbortController();
    const stop = (event: Leaving) => {
      const { destination, navigationType } = event;
      if (!destination || (destination.sameDocument && navigationType === 'traverse')) event.preventDefault();
    };
    window.addEventListener('beforeunload', stop, listening);
    navigation?.addEventListener('navigate', stop, listening);
    return () => listening.abort();
  }, [isOn]);
}
