import { fail, impersonationMaxLifetimeMs, sessionEndpoints, sessionLifetimeMs } from '@tessera/protocol';
import { type BoundRoute, bind } from '../../http/bind.ts';
import { refuse } from '../../http/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, transaction } from '../../platform/database/database.ts';
import { lockUser } from '../accounts/users/row/index.ts';
import { type AuditWriter, auditedBy, recordAudit } from '../audit/index.ts';
import type { Projects } from '../projects/index.ts';
import { placeOf } from './activity/caller-place.ts';
import { type DeviceSessionDeps, deviceSessionRoutes } from './device-sessions/routes.ts';
import { type EndedSessionDeps, endedSessionRoutes } from './ended-sessions/routes.ts';
import { openSession, sessionTermsOf } from './open-session.ts';
import { holdOpener } from './opener.ts';
import { type RefreshDeps, refreshSession } from './refresh/refresh.ts';
import { assertMayEndOthers, wholeLifetime } from './rules.ts';
import { sessionEndedEvent } from './session-end.ts';
import { type SigningKeysDeps, signingKeyRoutes } from './signing-keys.ts';
import { deleteSession, selectSessionOwner, selectSessions } from './store.ts';
import { refreshedView, sessionView } from './wire.ts';

type SessionRoutesDeps = RefreshDeps &
  DeviceSessionDeps &
  SigningKeysDeps &
  EndedSessionDeps & {
    readonly clock: Clock;
    readonly db: Database;
    readonly projects: Projects;
    readonly audit: AuditWriter;
  };

/** Control 35: the current session cannot be deleted through the list. */
export function sessionRoutes(deps: SessionRoutesDeps): BoundRoute[] {
  return [
    bind(sessionEndpoints.create, async call => {
      const { body, project, targetUserId: userId } = call;
      const { is_impersonation: isImpersonation = false, expires_in_millis: asked } = body;
      const askedLifetimeMs =
        wholeLifetime(asked) ?? (isImpersonation ? impersonationMaxLifetimeMs : sessionLifetimeMs);
      const terms = await sessionTermsOf(project.id, deps);
      const details = { is_impersonation: isImpersonation };
      const event = { ...auditedBy(call), action: 'session.created', details } as const;
      const request = {
        projectId: project.id,
        userId,
        // The list of sessions would show the user where the person is who manages the project.
        place: call.ownerId === undefined ? placeOf(call) : undefined,
        isImpersonation,
        isOpenedForUser: true,
        terms,
        event,
      };
      const { accessToken, refreshToken } = await transaction(deps.db, async tx => {
        if (!(await lockUser(tx, { projectId: project.id, userId }, 'hold')))
          fail('USER_ID_DOES_NOT_EXIST', { user_id: userId });
        const limits = { isImpersonation, lifetimeMs: askedLifetimeMs, clock: deps.clock };
        return openSession(tx, { ...request, ...(await holdOpener(tx, call, limits)) }, deps);
      });
      return { refresh_token: refreshToken, access_token: accessToken };
    }),

    bind(sessionEndpoints.list, async ({ targetUserId: userId, level, project, user, sessionId }) => {
      if (level === 'client' && user === null) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
      if (level === 'client' && user?.id !== userId) refuse(403, 'Clients can only list their own sessions.');
      const listing = { userId, nowMillis: deps.clock.now(), withImpersonation: level === 'admin' };
      // The list shows the use that the caller has just caused.
      await deps.activity.flush();
      const sessions = await selectSessions(deps.db.reads, project, listing);
      return { items: sessions.map(session => sessionView(session, sessionId)), is_paginated: false } as const;
    }),

    bind(sessionEndpoints.delete, async call => {
      const { params, level, project, user, sessionId } = call;
      const id = params.id.toLowerCase();
      const owner = await selectSessionOwner(deps.db, project.id, id);
      const isVisible = owner !== undefined && (level !== 'client' || owner === user?.id);
      if (!isVisible) refuse(404, 'There is no such session.');
      if (id === sessionId) fail('CANNOT_DELETE_CURRENT_SESSION');
      assertMayEndOthers(call);
      const event = sessionEndedEvent(call, { userId: owner, sessionId: id, atMillis: deps.clock.now() });
      // The page reads the events of the account right after the response.
      await transaction(deps.db, async tx => {
        if (!(await deleteSession(tx, project.id, id))) refuse(404, 'There is no such session.');
        await recordAudit(tx, event);
      });
      return { success: true } as const;
    }),

    bind(sessionEndpoints.signOut, async call => {
      if (call.sessionId === undefined) fail('ACCESS_TOKEN_EXPIRED', { expired_at_millis: deps.clock.now() });
      const wasThere = await deleteSession(deps.db, call.project.id, call.sessionId);
      if (!wasThere) fail('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED');
      const ended = { userId: call.user?.id ?? null, sessionId: call.sessionId, atMillis: deps.clock.now() };
      deps.audit.record(sessionEndedEvent(call, ended));
      return { success: true } as const;
    }),

    bind(sessionEndpoints.refresh, async call => {
      const loaded = await deps.projects.find(call.project.id);
      const refreshToken = call.headers['x-stack-refresh-token'];
      const asked = { refreshToken, place: placeOf(call), source: call.source };
      return refreshedView(await refreshSession(loaded, asked, deps));
    }),

    ...deviceSessionRoutes(deps),
    ...signingKeyRoutes(deps),
    ...endedSessionRoutes(deps),
  ];
}
