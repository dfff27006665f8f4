import { fail, impersonationMaxLifetimeMs, sessionEndpoints, sessionLifetimeMs } from '@tessera/protocol';
import type { Deps } from '../../deps.ts';
import { type BoundRoute, bind, Special } from '../../http/bind.ts';
import { namedUserId } from '../../http/named-user.ts';
import { refuse } from '../../http/refusal.ts';
import { transaction } from '../../platform/db.ts';
import { sha256 } from '../../platform/secrets.ts';
import type { LoadedProject } from '../projects/index.ts';
import { holdUser } from '../users/index.ts';
import { openSession, placeOf, signingKeysFor } from './index.ts';
import { assertScope, isPrintable, projectOfClient, wholeLifetime } from './rules.ts';
import { deleteSession, selectSessionOf, selectSessionOwner, selectSessions } from './store.ts';
import { sessionView } from './wire.ts';

export function sessionRoutes(deps: Deps): BoundRoute[] {
  return [
    bind(sessionEndpoints.create, async ({ body, project, user }) => {
      const userId = namedUserId(body.user_id, { user });
      const { is_impersonation: isImpersonation = false, expires_in_millis: asked } = body;
      const lifetimeMs = wholeLifetime(asked) ?? (isImpersonation ? impersonationMaxLifetimeMs : sessionLifetimeMs);
      const signingKeys = await signingKeysFor(project.id, deps);
      const request = { projectId: project.id, userId, place: undefined, lifetimeMs, isImpersonation, signingKeys };
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
      const sessions = await selectSessions(deps.db, project.id, listing);
      return { items: sessions.map(session => sessionView(session, sessionId)), is_paginated: false } as const;
    }),

    bind(sessionEndpoints.delete, async ({ params, level, project, user, sessionId }) => {
      const id = params.id.toLowerCase();
      const owner = await selectSessionOwner(deps.db, project.id, id);
      const isVisible = owner !== undefined && (level !== 'client' || owner === user?.id);
      if (!isVisible) refuse(404, 'There is no such session.');
      if (id === sessionId) fail('CANNOT_DELETE_CURRENT_SESSION');
      const wasThere = await deleteSession(deps.db, project.id, id);
      return wasThere ? ({ success: true } as const) : refuse(404, 'There is no such session.');
    }),

    bind(sessionEndpoints.signOut, async call => {
      if (call.sessionId === undefined) fail('ACCESS_TOKEN_EXPIRED', { expired_at_millis: deps.clock.now() });
      const wasThere = await deleteSession(deps.db, call.project.id, call.sessionId);
      return wasThere ? ({ success: true } as const) : fail('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED');
    }),

    bind(sessionEndpoints.refresh, async call => {
      const loaded = await deps.projects.find(call.project.id);
      const refreshToken = call.headers['x-stack-refresh-token'];
      return { access_token: await refreshed(loaded, { refreshToken, request: call.request }, deps) };
    }),

    bind(sessionEndpoints.token, async call => {
      const { client_id, client_secret, refresh_token, scope } = call.body;
      const loaded = await clientProject(client_id, client_secret, deps);
      if (!isPrintable(refresh_token))
        return invalidRequest('The parameter refresh_token is missing or not printable.');
      assertScope(scope);
      const asked = { refreshToken: refresh_token, request: call.request };
      const accessToken = await refreshed(loaded, asked, deps);
      const expiresInSeconds = Math.floor(deps.accessTokens.lifetimeMs / 1000);
      const body = { access_token: accessToken, token_type: 'Bearer', expires_in: expiresInSeconds, scope: 'legacy' };
      return new Special(body, { headers: { pragma: 'no-cache' } });
    }),
  ];
}

/** A new access token for the session of a refresh token; the session, and its expiry, stay as they are. */
async function refreshed(
  loaded: LoadedProject | undefined,
  { refreshToken, request }: { refreshToken: string; request: Request },
  deps: Deps,
): Promise<string> {
  if (loaded === undefined) fail('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED');
  const { project, signingKeys } = loaded;
  const session = await selectSessionOf(deps.db, project.id, sha256(refreshToken), deps.clock.now());
  if (session === undefined) fail('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED');
  deps.activity.record({ projectId: project.id, ...session, place: placeOf(request) });
  return deps.accessTokens.issue(signingKeys, { projectId: project.id, ...session });
}

/** The project of an OAuth client that knows its publishable key. */
async function clientProject(
  clientId: string | undefined,
  clientSecret: string | undefined,
  deps: Deps,
): Promise<LoadedProject> {
  const projectId = projectOfClient(clientId);
  const loaded = projectId === undefined ? undefined : await deps.projects.find(projectId);
  const hasKey =
    loaded !== undefined &&
    clientSecret !== undefined &&
    deps.projects.hasKey(loaded, 'publishableClientKey', sha256(clientSecret));
  return hasKey ? loaded : fail('INVALID_OAUTH_CLIENT_ID_OR_SECRET', { client_id: null });
}

/** RFC 6749 section 5.2: the form that OAuth libraries read. */
function invalidRequest(description: string): Special {
  return new Special({ error: 'invalid_request', error_description: description }, { status: 400 });
}
