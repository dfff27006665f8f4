import {
  type AccessLevel,
  deviceSessionEndpoints,
  fail,
  impersonationMaxLifetimeMs,
  sessionEndpoints,
  sessionLifetimeMs,
} from '@tessera/protocol';
import type { Deps } from '../../deps.ts';
import { type BoundRoute, bind } from '../../http/bind.ts';
import { namedUserId } from '../../http/named-user.ts';
import { refuse } from '../../http/refusal.ts';
import { transaction } from '../../platform/database/database.ts';
import { holdUser } from '../accounts/users/index.ts';
import { type AuditedCall, auditedBy } from '../audit/index.ts';
import { openSession, placeOf, sessionTermsOf } from './index.ts';
import { refreshSession } from './refresh.ts';
import { wholeLifetime } from './rules.ts';
import { signingKeyRoutes } from './signing-keys.ts';
import { deleteOtherSessions, deleteSession, selectSessionOwner, selectSessions } from './store.ts';
import { deviceSessionView, refreshedView, sessionView } from './wire.ts';

/** Control 35: the current session cannot be deleted through the list. */
export function sessionRoutes(deps: Deps): BoundRoute[] {
  return [
    bind(sessionEndpoints.create, async call => {
      const { body, project, user } = call;
      const userId = namedUserId(body.user_id, { user });
      const { is_impersonation: isImpersonation = false, expires_in_millis: asked } = body;
      const lifetimeMs = wholeLifetime(asked) ?? (isImpersonation ? impersonationMaxLifetimeMs : sessionLifetimeMs);
      const terms = await sessionTermsOf(project.id, deps);
      const details = { is_impersonation: isImpersonation };
      const event = { ...auditedBy(call), action: 'session.created', details } as const;
      const request = {
        projectId: project.id,
        userId,
        place: placeOf(call.request),
        lifetimeMs,
        isImpersonation,
        terms,
        event,
      };
      const { accessToken, refreshToken } = await transaction(deps.db, async tx => {
        if (!(await holdUser(tx, project.id, userId))) fail('USER_ID_DOES_NOT_EXIST', { user_id: body.user_id });
        return openSession(tx, request, deps);
      });
      return { refresh_token: refreshToken, access_token: accessToken };
    }),

    bind(sessionEndpoints.list, async ({ query, level, project, user, sessionId }) => {
      const userId = query.user_id === 'me' ? user?.id : query.user_id.toLowerCase();
      if (userId === undefined || (level === 'client' && user === null)) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
      if (level === 'client' && user?.id !== userId) refuse(403, 'Clients can only list their own sessions.');
      const listing = { userId, nowMillis: deps.clock.now(), withImpersonation: level === 'admin' };
      const sessions = await selectSessions(deps.db, project, listing);
      return { items: sessions.map(session => sessionView(session, sessionId)), is_paginated: false } as const;
    }),

    bind(sessionEndpoints.delete, async call => {
      const { params, level, project, user, sessionId } = call;
      const id = params.id.toLowerCase();
      const owner = await selectSessionOwner(deps.db, project.id, id);
      const isVisible = owner !== undefined && (level !== 'client' || owner === user?.id);
      if (!isVisible) refuse(404, 'There is no such session.');
      if (id === sessionId) fail('CANNOT_DELETE_CURRENT_SESSION');
      const wasThere = await deleteSession(deps.db, project.id, id);
      if (!wasThere) refuse(404, 'There is no such session.');
      recordEnd(call, { userId: owner, sessionId: id });
      return { success: true } as const;
    }),

    bind(sessionEndpoints.signOut, async call => {
      if (call.sessionId === undefined) fail('ACCESS_TOKEN_EXPIRED', { expired_at_millis: deps.clock.now() });
      const wasThere = await deleteSession(deps.db, call.project.id, call.sessionId);
      if (!wasThere) fail('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED');
      recordEnd(call, { userId: call.user?.id ?? null, sessionId: call.sessionId });
      return { success: true } as const;
    }),

    bind(sessionEndpoints.refresh, async call => {
      const loaded = await deps.projects.find(call.project.id);
      const asked = { refreshToken: call.headers['x-stack-refresh-token'], request: call.request, source: call.source };
      return refreshedView(await refreshSession(loaded, asked, deps));
    }),

    bind(deviceSessionEndpoints.list, async call => {
      const { project, level, sessionId } = call;
      const listing = { userId: ownerOf(call), nowMillis: deps.clock.now(), withImpersonation: level === 'admin' };
      const sessions = await selectSessions(deps.db, project, listing);
      return { items: sessions.map(session => deviceSessionView(session, sessionId)), is_paginated: false } as const;
    }),

    bind(deviceSessionEndpoints.endOthers, async call => {
      const userId = ownerOf(call);
      const ended = await deleteOtherSessions(deps.db, call.project.id, userId, call.sessionId);
      for (const sessionId of ended) recordEnd(call, { userId, sessionId });
      return { success: true, ended: ended.length } as const;
    }),

    ...signingKeyRoutes(deps),
  ];

  function recordEnd(call: AuditedCall, { userId, sessionId }: { userId: string | null; sessionId: string }): void {
    const details = { session_id: sessionId };
    deps.audit.record({ ...auditedBy(call), action: 'session.ended', userId, details, atMillis: deps.clock.now() });
  }
}

/** The user of a request about sessions. Clients can name their own user only. */
function ownerOf({
  query,
  level,
  user,
}: {
  readonly query: { readonly user_id?: string | undefined };
  readonly level: AccessLevel;
  readonly user: { readonly id: string } | null;
}): string {
  if (level === 'client' && user === null) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
  const userId = namedUserId(query.user_id ?? 'me', { user });
  if (level === 'client' && userId !== user?.id) refuse(403, 'Clients can only manage their own sessions.');
  return userId;
}
