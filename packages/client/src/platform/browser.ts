import { exclusive } from './exclusive.ts';
import { node } from './node.ts';
import type { Page, Platform } from './platform.ts';

/** A page in a browser. */
export function browser(): Platform {
  return { ...node(), page };
}

const page: Page = {
  href: () => window.location.href,
  assign: url => window.location.assign(url),
  replace: url => window.location.replace(url),
  cookies: {
    read: () => document.cookie,
    write: cookie => {
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers we support
      document.cookie = cookie;
    },
  },
  get tabStorage() {
    return window.sessionStorage;
  },
  exclusive: (name, run) => exclusive(name, run, { locks: navigator.locks, storage: localStorageIfAllowed() }),
  openChannel,
  watch,
};

function openChannel(name: string, onCall: () => void): { call(): void } {
  if (typeof BroadcastChannel === 'undefined') return { call: () => {} };
  const channel = new BroadcastChannel(name);
  channel.onmessage = onCall;
  return { call: () => channel.postMessage(null) };
}

function watch(listener: () => void, intervalMs: number): () => void {
  const timer = setInterval(listener, intervalMs);
  window.addEventListener('focus', listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    clearInterval(timer);
    window.removeEventListener('focus', listener);
    document.removeEventListener('visibilitychange', listener);
  };
}

/** Reading the property throws where the person has blocked storage. */
function localStorageIfAllowed(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}
