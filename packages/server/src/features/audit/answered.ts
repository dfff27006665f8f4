import type { Endpoint } from '@tessera/protocol';
import type { Call } from '../../core/call.ts';
import type { Clock } from '../../platform/clock.ts';
import { createKeyUses } from './key-use.ts';
import { adminRequestEvent } from './rules.ts';
import type { AuditWriter } from './writer.ts';

/** Records changes by administrators and first uses of keys, after the request was answered. */
export function createResponseAudit(deps: {
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
