import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  apiPath,
  endedSessionEndpoints,
  endedSessionMarginMs,
  endedSessionPollMs,
  endedSessionStreamMaxMs,
  endedSessionStreamsMax,
  endedSessionsType,
  isRoleAtLeast,
  type ProjectRole,
  roleOf,
} from '@tessera/protocol';
import type { Call } from '../../../core/call.ts';
import { type BoundRoute, bind, ResponseOverride } from '../../../http/bind.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { AccessTokens } from '../../../platform/crypto/access-tokens.ts';
import { signCompact } from '../../../platform/crypto/compact-signature.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import type { Readiness } from '../../../platform/observability/readiness.ts';
import type { Projects } from '../../projects/index.ts';
import { readableCursor } from './rules.ts';
import { type EndedSessions, selectEndedSessions } from './store.ts';
import { endedSessionsView } from './wire.ts';

export interface EndedSessionDeps {
  readonly settings: { readonly publicUrl: string };
  readonly clock: Clock;
  readonly db: Queryable;
  readonly projects: Projects;
  readonly accessTokens: AccessTokens;
  readonly readiness: Readiness;
  /** The present role of a person; undefined when the session, the ownership or the membership has ended. */
  readonly findOwnerRole: (access: {
    projectId: string;
    ownerId: string;
    ownerSessionId: string | undefined;
  }) => Promise<ProjectRole | undefined>;
}

/** docs/contract/decisions.md#revocation-feed */
export function endedSessionRoutes(deps: EndedSessionDeps): BoundRoute[] {
  const keepMs = deps.accessTokens.lifetimeMs + endedSessionMarginMs;
  const streams = createStreamCount();

  const read = (projectId: string, after?: string) =>
    selectEndedSessions(deps.db, projectId, { after: readableCursor(after), keepMs });

  async function sign(projectId: string, found: EndedSessions) {
    const keys = (await deps.projects.signingKeysOf(projectId)) ?? refuse(404, 'There is no such project.');
    const issuer = `${deps.settings.publicUrl}${apiPath}/projects/${projectId}/ended-sessions`;
    const payload = endedSessionsView(found, { projectId, issuer, keepMs, nowMillis: deps.clock.now() });
    return { feed: signCompact(keys.current, payload, { typ: endedSessionsType }) };
  }

  /** A stream of a deleted project, of ended access or of a server that stops ends at the next read. */
  async function mayContinue(call: Follower): Promise<boolean> {
    if (!deps.readiness.isReady()) return false;
    const loaded = await deps.projects.find(call.project.id);
    if (loaded === undefined) return false;
    const { ownerId, ownerSessionId, keySetId } = call;
    if (ownerId === undefined) return keySetId === undefined || deps.projects.hasKeySet(loaded, keySetId);
    const role = await deps.findOwnerRole({ projectId: call.project.id, ownerId, ownerSessionId });
    return role !== undefined && isRoleAtLeast(role, roleOf(endedSessionEndpoints.follow));
  }

  async function* follow(call: Call<typeof endedSessionEndpoints.follow>) {
    const { id } = call.project;
    const { for_millis: forMillis = endedSessionStreamMaxMs } = call.query;
    // Counted here: a generator that never starts never ends either.
    if (!streams.begin(id)) refuse(429, 'Too many streams of ended sessions are open.', { 'retry-after': '1' });
    try {
      let found = await read(id);
      yield await sign(id, found);
      const endsAtMillis = performance.now() + forMillis;
      while (performance.now() < endsAtMillis && (await mayContinue(call))) {
        await pause(endedSessionPollMs);
        found = await read(id, found.cursor);
        yield found.sessionIds.length > 0 ? await sign(id, found) : null;
      }
    } finally {
      streams.end(id);
    }
  }

  return [
    bind(endedSessionEndpoints.read, async ({ project, query, request }) => {
      const found = await read(project.id, query.after);
      const etag = etagOf(found, query.after);
      if (request.headers.get('if-none-match') === etag) {
        return new ResponseOverride(null, { status: 304, headers: { etag } });
      }
      return new ResponseOverride(await sign(project.id, found), { headers: { etag } });
    }),

    bind(endedSessionEndpoints.follow, follow),
  ];
}

type Follower = Pick<Call<typeof endedSessionEndpoints.follow>, 'project' | 'keySetId' | 'ownerId' | 'ownerSessionId'>;

/** The same for two reads after the same cursor that found the same sessions. */
function etagOf({ sessionIds }: EndedSessions, after = ''): string {
  const hash = createHash('sha256')
    .update([after, ...sessionIds].join())
    .digest('base64url');
  return `"${hash}"`;
}

/** Counts the open streams of each project. */
function createStreamCount() {
  const counts = new Map<string, number>();
  return {
    /** @returns false when the project has as many as it may have in this process. */
    begin(projectId: string): boolean {
      const count = counts.get(projectId) ?? 0;
      if (count >= endedSessionStreamsMax) return false;
      counts.set(projectId, count + 1);
      return true;
    },
    end(projectId: string): void {
      const count = (counts.get(projectId) ?? 1) - 1;
      if (count === 0) counts.delete(projectId);
      else counts.set(projectId, count);
    },
  };
}
