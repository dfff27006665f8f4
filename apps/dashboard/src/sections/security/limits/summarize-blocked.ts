import type { AuditEvent } from '@tessera/client';
import { repetitionsOf } from '../../audit-log/attempt/explain-attempt.ts';

/** The requests that one limit refused. */
export interface BlockedRequests {
  /** The name of the limit. */
  readonly limit: string;
  readonly count: number;
  /** From how many known addresses. */
  readonly addresses: number;
}

type Refusal = Pick<AuditEvent, 'address' | 'details'>;

/** Refused requests by limit, the most first. An entry of the log with a count is as many requests. */
export function summarizeBlocked(events: readonly Refusal[]): readonly BlockedRequests[] {
  const found = new Map<string, { count: number; addresses: Set<string> }>();
  for (const event of events) {
    const limit = limitOf(event);
    const known = found.get(limit) ?? { count: 0, addresses: new Set() };
    known.count += Math.max(1, repetitionsOf(event));
    if (event.address !== null) known.addresses.add(event.address);
    found.set(limit, known);
  }
  return [...found]
    .map(([limit, { count, addresses }]) => ({ limit, count, addresses: addresses.size }))
    .sort((one, other) => other.count - one.count);
}

function limitOf({ details }: Refusal): string {
  const isNamed = typeof details === 'object' && details !== null && 'limit' in details;
  return isNamed && typeof details.limit === 'string' ? details.limit : '';
}
