import type { Exclusive, Page, Platform } from '../../platform/platform.ts';
import { noConnection } from '../stub-server.ts';
import type { AuthServer } from './auth-server.ts';
import type { SetTime } from './time.ts';

/** What becomes of a request. */
export type Fate = 'arrives' | 'is lost' | 'loses its answer';

/** As long as a tab waits for another one's lock. */
const lockPatienceMs = 10_000;
const pollMs = 100;

export interface BrowserOptions {
  readonly hasLocks: boolean;
  readonly hasChannels: boolean;
  /** How wrong the clock of the device is. */
  readonly skewMs: number;
  readonly nextFate: () => Fate;
  readonly nextLatencyMs: () => number;
}

/** A tab: it can sleep, and it can be killed. */
export interface Tab {
  readonly platform: Platform;
  isAlive: boolean;
  isAsleep: boolean;
  isOnline: boolean;
  sleep(): void;
  wake(): void;
  kill(): void;
}

interface Cookie {
  readonly value: string;
  readonly endsAt: number;
}

interface Lock {
  holder: Tab | undefined;
  readonly waiting: { readonly tab: Tab; readonly grant: () => void }[];
}

/** Gives a lock to the tab that has waited longest. */
function release(lock: Lock, tab: Tab): void {
  if (lock.holder !== tab) return;
  const next = lock.waiting.shift();
  lock.holder = next?.tab;
  next?.grant();
  if (next && !next.tab.isAlive) release(lock, next.tab);
}

/** A browser whose tabs share cookies, locks and channels. */
export function createScheduledBrowser(time: SetTime, server: AuthServer, options: BrowserOptions) {
  const cookies = new Map<string, Cookie>();
  const tabs: (Tab & { changed(): void })[] = [];
  const locks = new Map<string, Lock>();
  const channels = new Map<string, Map<Tab, () => void>>();

  function openTab(): Tab {
    const stored = new Map<string, string>();
    const watchers = new Set<() => void>();
    const returns = new Set<() => void>();
    let held: (() => void)[] = [];

    /** Runs what the tab would do; when it wakes, if it sleeps, and never, if it is gone. */
    function inTab(run: () => void): void {
      if (!tab.isAlive) return;
      if (tab.isAsleep) held.push(run);
      else run();
    }

    const later = <T>(delayMs: number, value: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        time.at(delayMs, () =>
          inTab(() => {
            try {
              resolve(value());
            } catch (error) {
              reject(error);
            }
          }),
        );
      });

    const fetchInTab: typeof fetch = (input, init = {}) =>
      new Promise((resolve, reject) => inTab(() => void send(String(input), init).then(resolve, reject)));

    function send(url: string, init: RequestInit): Promise<Response> {
      const { pathname } = new URL(url);
      const fate = tab.isOnline ? options.nextFate() : 'is lost';
      const [there, back] = [options.nextLatencyMs(), options.nextLatencyMs()];
      const request = [init.method ?? 'GET', pathname, new Headers(init.headers), String(init.body ?? '')] as const;
      let response: Response | undefined;
      if (fate !== 'is lost') {
        time.at(there, () => {
          response = server.fetch(...request);
        });
      }
      return later(there + back, () => {
        return fate === 'arrives' && response ? response : noConnection();
      });
    }

    const exclusive: Exclusive = async (name, run) => {
      if (!options.hasLocks) return run();
      const lock = locks.get(name) ?? { holder: undefined, waiting: [] };
      locks.set(name, lock);
      const isOwn = await take(lock);
      try {
        return await run();
      } finally {
        if (isOwn) release(lock, tab);
      }
    };

    /** Whether it was given in time; a tab that waits for too long goes ahead without. */
    function take(lock: Lock): Promise<boolean> {
      if (lock.holder === undefined) {
        lock.holder = tab;
        return Promise.resolve(true);
      }
      return new Promise(resolve => {
        const waiter = { tab, grant: () => inTab(() => resolve(true)) };
        lock.waiting.push(waiter);
        time.at(lockPatienceMs, () =>
          inTab(() => {
            if (!lock.waiting.includes(waiter)) return;
            lock.waiting.splice(lock.waiting.indexOf(waiter), 1);
            resolve(false);
          }),
        );
      });
    }

    const page: Page = {
      href: () => 'https://shop.example/',
      assign: () => {},
      replace: () => {},
      showAddress: () => {},
      alert: () => {},
      cookies: { read: readCookies, write: text => tab.isAlive && writeCookie(text, tab) },
      tabStorage: {
        getItem: key => stored.get(key) ?? null,
        setItem: (key, value) => void stored.set(key, value),
        removeItem: key => void stored.delete(key),
      },
      exclusive,
      openChannel(name, onCall) {
        const members = channels.get(name) ?? new Map<Tab, () => void>();
        channels.set(
          name,
          members.set(tab, () => inTab(onCall)),
        );
        return {
          call() {
            if (!options.hasChannels) return;
            for (const [member, listener] of members) if (member !== tab) queueMicrotask(listener);
          },
        };
      },
      watch(listener) {
        watchers.add(listener);
        return () => void watchers.delete(listener);
      },
      onReturn(listener) {
        returns.add(listener);
        return () => void returns.delete(listener);
      },
    };

    const tab: Tab & { changed(): void } = {
      platform: {
        fetch: fetchInTab,
        now: () => time.now() + options.skewMs,
        random: () => 0.5,
        wait: delayMs => later(delayMs, () => undefined),
        isOnline: () => tab.isOnline,
        warn: () => {},
        print: () => {},
        page,
      },
      isAlive: true,
      isAsleep: false,
      isOnline: true,
      // Polling every 100 ms has this effect, as long as no other tab writes.
      changed: () => void time.at(pollMs, () => inTab(() => watchers.forEach(listener => void listener()))),
      sleep() {
        tab.isAsleep = true;
      },
      wake() {
        tab.isAsleep = false;
        const runs = held;
        held = [];
        for (const run of runs) run();
        for (const listener of [...watchers, ...returns]) listener();
      },
      kill() {
        tab.isAlive = false;
        for (const lock of locks.values()) release(lock, tab);
        for (const members of channels.values()) members.delete(tab);
      },
    };
    tabs.push(tab);
    return tab;
  }

  function readCookies(): string {
    return [...cookies]
      .filter(([, { endsAt }]) => endsAt > time.now())
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
  }

  function writeCookie(text: string, writer: Tab): void {
    const [pair = '', ...attributes] = text.split('; ');
    // The other places are for stale variants; no schedule writes them.
    if (attributes[0] !== 'Path=/' || text.includes('Domain=') || pair.startsWith('__')) return;
    const [name = '', value = ''] = pair.split('=');
    const seconds = Number(attributes.find(part => part.startsWith('Max-Age='))?.slice(8) ?? Number.POSITIVE_INFINITY);
    if (seconds <= 0) cookies.delete(name);
    else cookies.set(name, { value, endsAt: time.now() + seconds * 1000 });
    for (const tab of tabs) if (tab !== writer) tab.changed();
  }

  return { openTab, readCookies };
}
