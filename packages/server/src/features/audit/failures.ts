import { auditFailureKeysMax, auditFailureWindowMs } from '@tessera/protocol';
import type { AuditEvent } from '../../core/audit-event.ts';

interface Counted {
  /** The newest failure that was not recorded. */
  readonly last: AuditEvent;
  readonly count: number;
}

/** Counts failures that any caller can repeat, so that a flood of them writes few rows (control 97). */
export interface FailureCounts {
  /**
   * Takes a failure.
   *
   * @param key identifies failures of one kind
   * @returns the events to record: the first of its kind in a window, and the counts of the window before
   */
  take(event: AuditEvent, key: string): AuditEvent[];
  /** Ends the window if its time is over, or always for `all`. Returns one event with a `count` per repeated kind. */
  drain(until: { readonly nowMillis: number } | 'all'): AuditEvent[];
}

/** The first failure of a kind is recorded at once. Later ones in the window are counted in memory. */
export function createFailureCounts(): FailureCounts {
  let window = 0;
  let repeated = new Map<string, Counted | undefined>();

  function drain(until: { readonly nowMillis: number } | 'all'): AuditEvent[] {
    if (until !== 'all' && windowOf(until.nowMillis) === window) return [];
    const ended = [...repeated.values()].filter(counted => counted !== undefined);
    repeated = new Map();
    return ended.map(({ last, count }) => ({ ...last, details: { ...asObject(last.details), count } }));
  }

  return {
    take(event, kind) {
      const ended = drain({ nowMillis: event.atMillis });
      window = windowOf(event.atMillis);
      // When the map is full, all further kinds share one key per project: a caller may have many addresses.
      const isFull = repeated.size >= auditFailureKeysMax && !repeated.has(kind);
      const key = isFull ? event.projectId : kind;
      const isFirst = !repeated.has(key);
      repeated.set(key, isFirst ? undefined : { last: event, count: (repeated.get(key)?.count ?? 0) + 1 });
      return isFirst ? [...ended, event] : ended;
    },
    drain,
  };
}

function windowOf(atMillis: number): number {
  return Math.floor(atMillis / auditFailureWindowMs);
}

function asObject(details: AuditEvent['details']) {
  return typeof details === 'object' && details !== null && !Array.isArray(details) ? details : {};
}
