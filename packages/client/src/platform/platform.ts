/** The platform adapter: everything that the SDK takes from its runtime. */
export interface Platform {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  /** At least 0, below 1. */
  readonly random: () => number;
  readonly wait: (delayMs: number) => Promise<void>;
  /** Undefined where the runtime does not know. */
  readonly isOnline: () => boolean | undefined;
  /** Prints a warning for the developer. */
  readonly warn: (message: string) => void;
  /** Prints a line to the terminal or the console. */
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
  /** Shows a message to the user. */
  readonly alert: (message: string) => void;
  readonly cookies: CookieJar;
  /** Lives as long as the tab, or where its storage is blocked or full, until the next page load. */
  readonly tabStorage: TabStorage;
  /** Runs one at a time in all tabs of the origin. */
  readonly exclusive: Exclusive;
  /** Calls the other tabs of the origin, and listens for their calls. */
  readonly openChannel: (name: string, onCall: () => void) => { call(): void };
  /** Calls the listener at an interval and on return, see `onReturn`. @returns the undo. */
  readonly watch: (listener: () => void, intervalMs: number) => () => void;
  /** Calls the listener when the user returns to the page, or the connection to a visible page. @returns the undo. */
  readonly onReturn: (listener: () => void) => () => void;
}

/** The storage of a tab. */
export interface TabStorage extends Pick<Storage, 'setItem' | 'removeItem'> {
  getItem(key: string): string | null | undefined;
}

/** The text interface of `document.cookie`. */
export interface CookieJar {
  read(): string;
  write(cookie: string): void;
}

export type Exclusive = <T>(name: string, run: () => Promise<T>) => Promise<T>;
