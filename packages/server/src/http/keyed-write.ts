import type { Draft } from './response/respond.ts';

/** A write that was sent with an idempotency key. */
export interface KeyedWrite {
  readonly key: string;
  readonly projectId: string;
  /** Access level, key set, owner, user and session: keys of different credentials do not collide. */
  readonly caller: readonly (string | undefined)[];
  /** Method and path template. */
  readonly route: string;
  /** Parameters, query and body. */
  readonly request: readonly unknown[];
}

/** Runs a write and returns its response. A repeated key returns the stored response without running the write. */
export type RunOnce = (write: KeyedWrite, work: () => Promise<Draft>) => Promise<Draft>;
