import { auditFailureKeysMax, auditFailureWindowMs } from '@tessera/protocol';
import type { AuditEvent } from './index.ts';

interface Counted {
  /** The last one of those that were not recorded. */
  readonly last: AuditEvent;
  readonly count: number;
}

/** Counts failures that any caller can repeat, so that a flood of them writes few rows (control 97). */
export interface FailureCounts {
  /**
   * Takes a failure.
   *
   * @param key of failures that are alike
   * @returns what is to be recorded: the first of its kind in a window, and what the windows before left
   */
  take(event: AuditEvent, key: string): AuditEvent[];
  /** One event with a `count` for all repetitions of a kind, once their window has ended; or of every window. */
  drain(until: { readonly nowMillis: number } | 'all'): AuditEvent[];
}

/** Failures of one kind beyond the first are counted by the process, and told with their number at the window's end. */
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
      // Callers who have many addresses share the last key of the project.
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
