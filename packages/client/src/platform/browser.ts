import { exclusive } from './exclusive.ts';
import { node } from './node.ts';
import type { Page, Platform } from './platform.ts';

/** A page in a browser. */
export function browser(): Platform {
  return { ...node(), page };
}

/** What the page has stored itself, where its storage is blocked or full. Lasts until the next page load. */
const memory = new Map<string, string>();

const page: Page = {
  href: () => window.location.href,
  assign: url => window.location.assign(url),
  replace: url => window.location.replace(url),
  showAddress: url => window.history.replaceState(window.history.state, '', url),
  alert: message => window.alert(message),
  cookies: {
    read: () => ifAllowed(() => document.cookie) ?? '',
    write: cookie => {
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers we support
      ifAllowed(() => (document.cookie = cookie));
    },
  },
  tabStorage: {
    getItem: key => memory.get(key) ?? ifAllowed(() => window.sessionStorage.getItem(key)),
    setItem(key, value) {
      memory.set(key, value);
      ifAllowed(() => window.sessionStorage.setItem(key, value));
    },
    removeItem(key) {
      memory.delete(key);
      ifAllowed(() => window.sessionStorage.removeItem(key));
    },
  },
  exclusive: (name, run) =>
    exclusive(name, run, { locks: navigator.locks, storage: ifAllowed(() => window.localStorage) }),
  openChannel,
  watch,
  onReturn,
};

function openChannel(name: string, onCall: () => void): { call(): void } {
  const channel = ifAllowed(() => new BroadcastChannel(name));
  if (channel) channel.onmessage = onCall;
  return { call: () => channel?.postMessage(null) };
}

function watch(listener: () => void, intervalMs: number): () => void {
  const timer = setInterval(listener, intervalMs);
  const undo = onReturn(listener);
  return () => {
    clearInterval(timer);
    undo();
  };
}

function onReturn(listener: () => void): () => void {
  const seen = () => {
    if (document.visibilityState !== 'hidden') listener();
  };
  window.addEventListener('focus', seen);
  window.addEventListener('online', seen);
  document.addEventListener('visibilitychange', seen);
  return () => {
    window.removeEventListener('focus', seen);
    window.removeEventListener('online', seen);
    document.removeEventListener('visibilitychange', seen);
  };
}

/** Storage throws when the user blocks it, in Firefox also a new channel, and when it is full. */
function ifAllowed<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
