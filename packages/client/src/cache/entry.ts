import { type Result, toResult } from '../errors/result.ts';
import type { Platform } from '../platform/platform.ts';
import { RequestError } from '../transport/request-error.ts';
import { coalesce, pageGapMs } from './coalesce.ts';
import { createListeners } from './listeners.ts';
import type { Reader } from './reader.ts';
import { waitForRelease } from './write-lock.ts';

const keptAfterUseMs = 5000;

/** The source of one value. */
export interface Source<T> {
  readonly load: () => Promise<T>;
  /** The value when it is known without a request. */
  readonly known?: () => T | undefined;
  /** Runs while there are listeners. Calls `changed` when the value must be fetched again. @returns the undo. */
  readonly watch?: (changed: () => void) => () => void;
  /** When the user returns to the page, an older value is fetched again. Default: none is. */
  readonly maxAgeOnReturnMs?: number;
}

export interface EntryDeps {
  readonly platform: Pick<Platform, 'now' | 'wait' | 'page'>;
}

/** One cached value or failure. */
export class Entry<T> implements Reader<T> {
  readonly #source: Source<T>;
  readonly #deps: EntryDeps;
  readonly #owner: unknown;
  readonly #listeners = createListeners();
  readonly #run: () => Promise<Result<T>>;
  #value: Result<T> | undefined;
  #pending: Promise<Result<T>> | undefined;
  #undoWatch: (() => void) | undefined;
  #lastStarted = 0;
  #lastStored = 0;
  #lastUse = 0;
  #storedAt = Number.NEGATIVE_INFINITY;

  /** The write lock of `owner`, e.g. the session of the value, delays stores. */
  constructor(source: Source<T>, deps: EntryDeps, owner?: unknown) {
    this.#source = source;
    this.#deps = deps;
    this.#owner = owner;
    this.#run = coalesce(() => this.store(source.load()), deps.platform, deps.platform.page ? pageGapMs : 0);
  }

  readonly peek = (): Result<T> | undefined => {
    if (this.#isOldFailure()) this.#value = undefined;
    this.#value ??= this.#knownValue();
    return this.#value;
  };

  readonly promise = (): Promise<Result<T>> => {
    const value = this.peek();
    return this.#pending ?? (value ? Promise.resolve(value) : this.#load());
  };

  /** Fetches, also when a value is present. */
  readonly refresh = async (): Promise<Result<T>> => {
    const result = await this.#load();
    if (this.#isForCallerOnly()) this.#value = undefined;
    return result;
  };

  readonly #load = (): Promise<Result<T>> => {
    const pending = this.#run();
    this.#pending = pending;
    void pending.then(() => {
      if (this.#pending === pending) this.#pending = undefined;
    });
    return pending;
  };

  /** The value when it is younger than `maxAgeMs`, else a new one. */
  readonly fresherThan = (maxAgeMs: number): Promise<Result<T>> => {
    const value = this.peek();
    const isFresh = value?.status === 'ok' && this.#deps.platform.now() - this.#storedAt < maxAgeMs;
    return isFresh ? Promise.resolve(value) : this.refresh();
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    const undo = this.#listeners.add(listener);
    this.#lastUse++;
    this.#undoWatch ??= this.#watch();
    if (this.peek() === undefined && this.#pending === undefined) void this.refresh();
    return () => {
      undo();
      if (!this.isWatched) this.#endUse();
    };
  };

  /** Stores a pending value, unless a newer one is stored first. */
  async store(coming: Promise<T>): Promise<Result<T>> {
    this.#lastStarted++;
    const version = this.#lastStarted;
    const result = await toResult(coming);
    await waitForRelease(this.#owner);
    if (version > this.#lastStored) {
      this.#lastStored = version;
      this.#accept(result);
    }
    return result;
  }

  /** Whether there are listeners. */
  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  /** Call after the value changed on the server. Listeners keep the old value until the new one is stored. */
  async renew(): Promise<void> {
    if (this.isWatched) await this.refresh();
    else this.invalidate();
  }

  /** Drops the value and the results of running fetches. Fetches again when there are listeners. */
  invalidate(): void {
    this.#lastStored = this.#lastStarted;
    this.#value = undefined;
    if (this.isWatched) void this.refresh();
  }

  readonly forgetFailure = (): void => {
    if (this.#value?.status === 'error') this.#value = undefined;
  };

  /** A component whose first read failed never mounts, so no unsubscribe removes the failure. */
  #isOldFailure(): boolean {
    if (this.isWatched || this.#value?.status !== 'error') return false;
    return this.#deps.platform.now() - this.#storedAt >= keptAfterUseMs;
  }

  /**
   * On a server no hook mounts later, and no session ends the value: a program that reads all pages of users would keep
   * every page.
   */
  #isForCallerOnly(): boolean {
    return !this.#deps.platform.page && !this.isWatched && !(this.#owner instanceof Object);
  }

  #knownValue(): Result<T> | undefined {
    const known = this.#source.known?.();
    return known === undefined ? undefined : { status: 'ok', data: known };
  }

  #accept(result: Result<T>): void {
    const previous = this.#value;
    // An unreachable server does not remove a value from the page, and does not make it newer.
    if (previous?.status === 'ok' && result.status === 'error' && result.error instanceof RequestError) return;
    this.#storedAt = this.#deps.platform.now();
    if (previous !== undefined && isSame(previous, result)) return;
    this.#value = result;
    this.#listeners.notify();
  }

  #watch(): () => void {
    const undo = [
      this.#source.watch?.(() => void this.refresh()),
      this.#deps.platform.page?.onReturn(() => {
        // Nothing else would end a failure that is shown, e.g. of a page that was offline.
        if (this.#value?.status === 'error' || this.#isOldOnReturn()) void this.refresh();
      }),
    ];
    return () => {
      for (const end of undo) end?.();
    };
  }

  /** A return is two events, focus and visibility: the second one finds the request of the first one. */
  #isOldOnReturn(): boolean {
    const { maxAgeOnReturnMs = Number.POSITIVE_INFINITY } = this.#source;
    return this.#pending === undefined && this.#storedAt < this.#deps.platform.now() - maxAgeOnReturnMs;
  }

  #endUse(): void {
    this.#undoWatch?.();
    this.#undoWatch = undefined;
    const use = this.#lastUse;
    void this.#deps.platform.wait(keptAfterUseMs).then(() => {
      if (use === this.#lastUse) this.invalidate();
    });
  }
}

function isSame<T>(a: Result<T>, b: Result<T>): boolean {
  return a.status === 'ok' ? b.status === 'ok' && a.data === b.data : b.status === 'error' && a.error === b.error;
}
