import type { Reply, Routes } from '@tessera/protocol';
import type { Context } from '../../../app/context.ts';
import type { Session } from '../../../session/session.ts';
import type { SecurityActivityMethods, SecurityEvent } from './security-activity.ts';

type EventJson = Reply<Routes['GET /extensions/security-activity'], 'client'>['items'][number];

export function securityActivityFlow(ctx: Context<'client'>, session: Session): SecurityActivityMethods {
  return {
    async getSecurityActivity({ cursor, limit } = {}) {
      const query = { cursor, limit };
      const { items, pagination } = await ctx.call('GET /extensions/security-activity', { query, session });
      return Object.assign(items.map(eventFromWire), { nextCursor: pagination.next_cursor });
    },
  };
}

function eventFromWire(wire: EventJson): SecurityEvent {
  return Object.freeze({
    id: wire.id,
    at: new Date(wire.at_millis),
    action: wire.action,
    isOwn: wire.is_own,
    address: wire.address,
    device: Object.freeze(wire.device),
  });
}
