import {
  auditFailureKeysMax,
  auditFailuresOfKindMax,
  auditFailureWindowMs,
  auditRepeatedFailuresMax,
} from '@tessera/protocol';
import { describe, expect, test } from 'vitest';
import type { AuditEvent } from '../../core/audit-event.ts';
import { createFailureCounts } from './failures.ts';

const failure = (atMillis: number): AuditEvent => ({
  projectId: 'p',
  action: 'sign_in.failed',
  actor: { type: 'client', id: null },
  details: { method: 'password', reason: 'EMAIL_PASSWORD_MISMATCH' },
  atMillis,
});

describe('control 97: repeated failures are counted', () => {
  test('the first 10 of 1000 failures of one kind in a window are recorded one by one, the others as one count', () => {
    const counts = createFailureCounts();
    const recorded = Array.from({ length: 1_000 }, (_, index) => counts.take(failure(index), 'ada')).flat();
    expect(recorded).toEqual(Array.from({ length: auditFailuresOfKindMax }, (_, index) => failure(index)));
    expect(counts.drain({ nowMillis: auditFailureWindowMs - 1 })).toEqual([]);
    const details = { method: 'password', reason: 'EMAIL_PASSWORD_MISMATCH', count: 990 };
    expect(counts.drain({ nowMillis: auditFailureWindowMs })).toEqual([{ ...failure(999), details }]);
  });

  test('a failure in the next window is recorded at once, with the count of the window before', () => {
    const counts = createFailureCounts();
    for (let index = 0; index <= auditFailuresOfKindMax; index++) counts.take(failure(index), 'ada');
    const [repeated, first] = counts.take(failure(auditFailureWindowMs), 'ada');
    expect([repeated?.details, first]).toEqual([expect.objectContaining({ count: 1 }), failure(auditFailureWindowMs)]);
  });

  test('a flood of many kinds that repeat writes at most one row per kind and 1000 repetitions', () => {
    const counts = createFailureCounts();
    const kinds = Array.from({ length: 2_000 }, (_, index) => `address ${index}`);
    const recorded = [...kinds, ...kinds, ...kinds].flatMap(kind => counts.take(failure(0), kind));
    expect(recorded).toHaveLength(kinds.length + auditRepeatedFailuresMax);
  });

  test('failures of different kinds are recorded one by one, up to a maximum of kinds', () => {
    const counts = createFailureCounts();
    const kinds = Array.from({ length: auditFailureKeysMax + 500 }, (_, index) => `address ${index}`);
    const recorded = kinds.flatMap(kind => counts.take(failure(0), kind));
    expect(recorded).toHaveLength(auditFailureKeysMax + 1);
    expect(counts.drain('all')).toMatchObject([{ details: { count: 499 } }]);
  });
});
