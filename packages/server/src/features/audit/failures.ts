import {
  auditFailureKeysMax,
  auditFailuresOfKindMax,
  auditFailureWindowMs,
  auditRepeatedFailuresMax,
} from '@tessera/protocol';
import type { AuditEvent } from '../../core/audit-event.ts';

/** A failure whose account may be known by an address only. */
export interface FailureEvent extends AuditEvent {
  /** An address that may sign in to an account. Its user is looked up when the event is written; it is not stored. */
  readonly userAddress?: string;
}

/** The failures of one kind in a window. */
interface Repeated {
  /** How many were recorded one by one. */
  recorded: number;
  /** The newest failure that was not recorded, and how many were not. */
  counted?: { readonly last: FailureEvent; readonly count: number };
}

/** Counts failures that any caller can repeat, so that a flood of them writes few rows (control 97). */
export interface FailureCounts {
  /**
   * Takes a failure.
   *
   * @param kind identifies failures of one kind
   * @returns the events to record: the first ones of their kind in a window, and the counts of the window before
   */
  take(event: FailureEvent, kind: string): FailureEvent[];
  /** Ends the window if its time is over, or always for `all`. Returns one event with a `count` per repeated kind. */
  drain(until: { readonly nowMillis: number } | 'all'): FailureEvent[];
}

/**
 * The first failures of a kind are recorded at once, each with its trace id. Later ones in the window are counted in
 * memory. All repetitions together have a maximum too, because a caller may have many addresses.
 */
export function createFailureCounts(): FailureCounts {
  let window = 0;
  let kinds = new Map<string, Repeated>();
  let repetitions = 0;

  function drain(until: { readonly nowMillis: number } | 'all'): FailureEvent[] {
    if (until !== 'all' && windowOf(until.nowMillis) === window) return [];
    const ended = [...kinds.values()].map(({ counted }) => counted).filter(counted => counted !== undefined);
    kinds = new Map();
    repetitions = 0;
    return ended.map(({ last, count }) => ({ ...last, details: { ...asObject(last.details), count } }));
  }

  /** Whether the failure gets a row of its own. When the map is full, all further kinds share one per project. */
  function isRecorded({ recorded }: Repeated, isShared: boolean): boolean {
    if (recorded === 0) return true;
    if (isShared || recorded >= auditFailuresOfKindMax || repetitions >= auditRepeatedFailuresMax) return false;
    repetitions += 1;
    return true;
  }

  return {
    take(event, kind) {
      const ended = drain({ nowMillis: event.atMillis });
      window = windowOf(event.atMillis);
      const isFull = kinds.size >= auditFailureKeysMax && !kinds.has(kind);
      const key = isFull ? event.projectId : kind;
      const known = kinds.get(key) ?? { recorded: 0 };
      kinds.set(key, known);
      if (isRecorded(known, isFull)) {
        known.recorded += 1;
        return [...ended, event];
      }
      known.counted = { last: event, count: (known.counted?.count ?? 0) + 1 };
      return ended;
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
