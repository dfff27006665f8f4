import type { Endpoint } from '@tessera/protocol';
import type { Call } from '../../http/bind.ts';
import type { Clock } from '../../platform/clock.ts';
import { createKeyUses } from './key-use.ts';
import { adminRequestEvent } from './rules.ts';
import type { AuditWriter } from './writer.ts';

/** Tells the log of what every answered request may tell: changes at level admin, and first uses of keys. */
export function createAnswerAudit(deps: {
  audit: AuditWriter;
  clock: Clock;
}): (endpoint: Endpoint, call: Call) => void {
  const keyUse = createKeyUses();
  return (endpoint, call) => {
    const nowMillis = deps.clock.now();
    const use = keyUse(call, nowMillis);
    if (use !== undefined) deps.audit.record(use.event, use.id);
    const change = adminRequestEvent(endpoint, call, nowMillis);
    if (change !== undefined) deps.audit.record(change);
  };
}
