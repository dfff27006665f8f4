import type { AuditEvent } from '@tessera/client';
import { repetitionsOf } from '../../audit-log/attempt/explain-attempt.ts';

/** The failed sign-ins from one address. */
export interface AddressFailures {
  /** Null for callers whose address is not known. */
  readonly address: string | null;
  readonly count: number;
  /** How many known accounts were tried. */
  readonly accounts: number;
}

type Failure = Pick<AuditEvent, 'address' | 'userId' | 'details'>;

/** Failed sign-ins by address, the most first. An entry of the log with a count is as many failures. */
export function summarizeFailures(events: readonly Failure[]): readonly AddressFailures[] {
  const found = new Map<string | null, { count: number; users: Set<string> }>();
  for (const event of events) {
    const known = found.get(event.address) ?? { count: 0, users: new Set() };
    known.count += Math.max(1, repetitionsOf(event));
    if (event.userId !== null) known.users.add(event.userId);
    found.set(event.address, known);
  }
  return [...found]
    .map(([address, { count, users }]) => ({ address, count, accounts: users.size }))
    .sort((one, other) => other.count - one.count);
}
