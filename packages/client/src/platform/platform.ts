import { browser } from './browser.ts';
import { node } from './node.ts';

/** What the SDK needs of the machine it runs on. */
export interface Platform {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  /** At least 0, below 1. */
  readonly random: () => number;
  readonly wait: (delayMs: number) => Promise<void>;
  /** Undefined where the machine does not know. */
  readonly isOnline: () => boolean | undefined;
  /** Tells the programmer. */
  readonly warn: (message: string) => void;
  /** Tells the person at the terminal, or whoever reads the console. */
  readonly print: (message: string) => void;
  /** Undefined outside a browser. */
  readonly page: Page | undefined;
}

/** The page that the SDK runs in. */
export interface Page {
  /** Its full address. */
  readonly href: () => string;
  readonly assign: (url: string) => void;
  readonly replace: (url: string) => void;
  /** Another address for the same page, without loading it. */
  readonly showAddress: (url: string) => void;
  /** Tells the person. */
  readonly alert: (message: string) => void;
  readonly cookies: CookieJar;
  /** Lives as long as the tab. */
  readonly tabStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** Runs one at a time in all tabs of the origin. */
  readonly exclusive: Exclusive;
  /** Calls the other tabs of the origin, and listens for their calls. */
  readonly openChannel: (name: string, onCall: () => void) => { call(): void };
  /** Calls the listener at an interval, and when the person comes back to the page. @returns the undo. */
  readonly watch: (listener: () => void, intervalMs: number) => () => void;
  /** Calls the listener when the person comes back to the page. @returns the undo. */
  readonly onReturn: (listener: () => void) => () => void;
}

/** The text interface of `document.cookie`. */
export interface CookieJar {
  read(): string;
  write(cookie: string): void;
}

export type Exclusive = <T>(name: string, run: () => Promise<T>) => Promise<T>;

/** The machine of this moment. */
export function currentPlatform(): Platform {
  return isBrowser() ? browser() : node();
}

export function isBrowser(): boolean {
  return typeof window !== 'undefined' && typeof document !== 'undefined' && Boolean(document.createElement);
}
