import type { Settings } from '../env.ts';
import type { MetricsSnapshot } from '../platform/observability/metrics.ts';
import type { DatabaseConnections } from '../server-database.ts';

/** Starts the server in a worker. */
export interface RunMessage {
  readonly type: 'run';
  readonly settings: Settings;
  readonly database: DatabaseConnections;
  /** The first worker migrates and creates the project `internal`, before the others start. */
  readonly isFirst: boolean;
}

/** What the supervisor sends to a worker. */
export type ToWorker =
  | RunMessage
  | { readonly type: 'stop'; readonly isReplaced: boolean }
  | { readonly type: 'send-metrics'; readonly id: number }
  | { readonly type: 'all-metrics'; readonly id: number; readonly text: string };

/** What a worker sends to the supervisor. */
export type ToSupervisor =
  /** It is loaded and waits for `run`. */
  | { readonly type: 'loaded' }
  | { readonly type: 'ready'; readonly port: number }
  | { readonly type: 'metrics'; readonly id: number; readonly snapshot: MetricsSnapshot }
  | { readonly type: 'gather-metrics'; readonly id: number };
