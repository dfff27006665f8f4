import { node } from '../platform/node.ts';
import type { Exclusive, Page, Platform } from '../platform/platform.ts';
import { createCookieJar } from './cookie-jar.ts';

/** A browser whose tabs share cookies, locks and channels. Timers and the date are those of the test. */
export function createBrowser({ withLocks = true, withChannels = true } = {}) {
  const cookies = createCookieJar();
  const queues = new Map<string, Promise<unknown>>();
  const channels = new Map<string, Set<() => void>>();

  const exclusive: Exclusive = async (name, run) => {
    if (!withLocks) return run();
    const mine = (queues.get(name) ?? Promise.resolve()).then(run);
    queues.set(
      name,
      mine.catch(() => undefined),
    );
    return mine;
  };

  function openChannel(name: string, onCall: () => void) {
    const members = channels.get(name) ?? new Set();
    channels.set(name, members.add(onCall));
    return {
      call() {
        if (!withChannels) return;
        for (const member of members) if (member !== onCall) queueMicrotask(member);
      },
    };
  }

  /** `visited` lists the navigations of the SDK with their kind; `messages` its alerts, warnings and prints. */
  function openTab(fetch: typeof globalThis.fetch, start = 'https://shop.example/') {
    const visited: string[] = [];
    const messages: string[] = [];
    const returns = new Set<() => void>();
    const stored = new Map<string, string>();
    let href = start;
    function go(way: string, url: string): void {
      visited.push(`${way} ${url}`);
      href = new URL(url, href).href;
    }
    const page: Page = {
      href: () => href,
      assign: url => go('assign', url),
      replace: url => go('replace', url),
      showAddress: url => {
        href = new URL(url, href).href;
      },
      alert: message => void messages.push(message),
      cookies: cookies.of(() => href),
      tabStorage: {
        getItem: key => stored.get(key) ?? null,
        setItem: (key, value) => void stored.set(key, value),
        removeItem: key => void stored.delete(key),
      },
      exclusive,
      openChannel,
      watch(listener, intervalMs) {
        const timer = setInterval(listener, intervalMs);
        return () => clearInterval(timer);
      },
      onReturn(listener) {
        returns.add(listener);
        return () => void returns.delete(listener);
      },
    };
    const tell = (message: string) => void messages.push(message);
    const means = { fetch, random: () => 0.5, isOnline: () => true, warn: tell, print: tell };
    const platform: Platform = { ...node(), ...means, page };
    /** The user returns to the tab. */
    const comeBack = () => returns.forEach(listener => void listener());
    return { platform, page, visited, stored, messages, comeBack };
  }

  return { cookies, openTab };
}
