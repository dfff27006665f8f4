import { deviceSessionEndpoints, fail } from '@tessera/protocol';
import type { Call } from '../../../core/call.ts';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import { deviceOf } from '../../../platform/network/device.ts';
import { recordAudit } from '../../audit/index.ts';
import { assertMayEndOthers } from '../rules.ts';
import { sessionEndedEvent } from '../session-end.ts';
import { deleteOtherSessions, selectSessions } from '../store.ts';
import { deviceSessionView } from '../wire.ts';

export interface DeviceSessionDeps {
  readonly clock: Clock;
  readonly db: Database;
}

/** Sessions with the device of each. */
export function deviceSessionRoutes(deps: DeviceSessionDeps): BoundRoute[] {
  return [
    bind(deviceSessionEndpoints.list, async call => {
      const { project, level, sessionId } = call;
      const listing = { userId: ownerOf(call), nowMillis: deps.clock.now(), withImpersonation: level === 'admin' };
      const sessions = await selectSessions(deps.db, project, listing);
      const items = sessions.map(session =>
        deviceSessionView(session, { device: deviceOf(session.userAgent), currentSessionId: sessionId }),
      );
      return { items, is_paginated: false } as const;
    }),

    bind(deviceSessionEndpoints.endOthers, async call => {
      const userId = ownerOf(call);
      assertMayEndOthers(call);
      const atMillis = deps.clock.now();
      const ended = await transaction(deps.db, async tx => {
        const ids = await deleteOtherSessions(tx, call.project.id, userId, call.sessionId);
        for (const sessionId of ids) await recordAudit(tx, sessionEndedEvent(call, { userId, sessionId, atMillis }));
        return ids;
      });
      return { success: true, ended: ended.length } as const;
    }),
  ];
}

/** The user of a request about sessions; default: the caller. Clients can name their own user only. */
function ownerOf({ targetUserId, level, user }: Pick<Call, 'targetUserId' | 'level' | 'user'>): string {
  if (level === 'client' && user === null) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
  const userId = targetUserId ?? user?.id ?? fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
  if (level === 'client' && userId !== user?.id) refuse(403, 'Clients can only manage their own sessions.');
  return userId;
}
