import { createHash } from 'node:crypto';
import type { AuditEvent } from '../../core/audit-event.ts';
import type { Call } from '../../core/call.ts';
import { createFirstSeen, hourMs } from './firsts.ts';
import { auditedBy } from './rules.ts';

/**
 * Detects the first use of a key in an hour (control 97). Every process reports its own first use. All of them derive the
 * same id, and the time is the start of the hour, so the insert keeps one event.
 *
 * @returns the event to record, or undefined
 */
export function createKeyUses(): (call: Call, nowMillis: number) => { event: AuditEvent; id: string } | undefined {
  const isFirst = createFirstSeen();

  return (call, nowMillis) => {
    const { keySetId, level, project } = call;
    if (keySetId === undefined || level === null || project === null) return undefined;
    const use = `${keySetId} ${level}`;
    if (!isFirst(use, nowMillis)) return undefined;
    const hour = Math.floor(nowMillis / hourMs);
    const event: AuditEvent = {
      ...auditedBy({ ...call, level, project }),
      action: 'key_set.used',
      subject: { type: 'key_set', id: keySetId },
      details: { level, at_millis: nowMillis },
      atMillis: hour * hourMs,
    };
    return { event, id: idOf(`${use} ${hour}`) };
  };
}

/** A version 5 UUID, which is derived from a name (RFC 9562 section 5.5). */
function idOf(name: string): string {
  const bytes = createHash('sha1').update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
