import { createHash } from 'node:crypto';
import {
  apiPath,
  endedSessionEndpoints,
  endedSessionMarginMs,
  endedSessionStreamMaxMs,
  endedSessionsType,
} from '@tessera/protocol';
import type { Call } from '../../../core/call.ts';
import { type BoundRoute, bind, ResponseOverride } from '../../../http/bind.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { AccessTokens } from '../../../platform/crypto/access-tokens.ts';
import { signCompact } from '../../../platform/crypto/compact-signature.ts';
import { batchLoad } from '../../../platform/database/batches/batch-load.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import type { Readiness } from '../../../platform/observability/readiness.ts';
import { selectFirstOwners } from '../../projects/index.ts';
import { findAllowed, type Reader, type ReaderAccessDeps } from './access.ts';
import { createStreamPlaces } from './places.ts';
import { createEndedSessionPoll, type News } from './poll.ts';
import { readableCursor } from './rules.ts';
import { type EndedSessions, selectEndedSessions, selectProjectsWithNews } from './store.ts';
import { createSubscription } from './subscription.ts';
import { endedSessionsView } from './wire.ts';

export interface EndedSessionDeps extends ReaderAccessDeps {
  readonly settings: { readonly publicUrl: string };
  readonly clock: Clock;
  readonly db: Queryable;
  readonly accessTokens: AccessTokens;
  readonly readiness: Readiness;
}

/** docs/contract/decisions.md#revocation-feed */
export function endedSessionRoutes(deps: EndedSessionDeps): BoundRoute[] {
  const keepMs = deps.accessTokens.lifetimeMs + endedSessionMarginMs;

  const read = (projectId: string, after?: string) =>
    selectEndedSessions(deps.db, projectId, { after: readableCursor(after), keepMs });

  async function sign(projectId: string, found: EndedSessions) {
    const keys = (await deps.projects.signingKeysOf(projectId)) ?? refuse(404, 'There is no such project.');
    const issuer = `${deps.settings.publicUrl}${apiPath}/projects/${projectId}/ended-sessions`;
    const payload = endedSessionsView(found, { projectId, issuer, keepMs, nowMillis: deps.clock.now() });
    return { feed: signCompact(keys.current, payload, { typ: endedSessionsType }) };
  }

  const places = createStreamPlaces({ findOwners: createOwnerSearch(deps.db) });
  const poll = createEndedSessionPoll({
    read,
    sign,
    findProjectsWithNews: asked => selectProjectsWithNews(deps.db, asked),
    findAllowed: readers =>
      deps.readiness.isReady() ? findAllowed(readers, endedSessionEndpoints.follow, deps) : Promise.resolve(new Set()),
  });

  async function* follow(call: Call<typeof endedSessionEndpoints.follow>) {
    const { for_millis: forMillis = endedSessionStreamMaxMs } = call.query;
    const stream = createSubscription<Reader, News<Awaited<ReturnType<typeof sign>>>>(call, forMillis);
    const place = { projectId: call.project.id, end: stream.end };
    // Taken here: a generator that never starts never ends either.
    const hasPlace = await places.take(place);
    if (!hasPlace) refuse(429, 'Too many streams of ended sessions are open.', { headers: { 'retry-after': '1' } });
    try {
      yield await sign(call.project.id, await poll.join(stream));
      for (let news = await stream.next(); news !== undefined; news = await stream.next()) {
        yield news === null ? null : await news();
      }
    } finally {
      poll.leave(stream);
      places.release(place);
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

/** The ETag of a read. Two reads after one cursor that find the same sessions have the same ETag. */
function etagOf({ sessionIds }: EndedSessions, after = ''): string {
  const hash = createHash('sha256')
    .update([after, ...sessionIds].join())
    .digest('base64url');
  return `"${hash}"`;
}

/** A full process refuses many requests, and the statement reads all users of `internal`: it runs at most once a second. */
function createOwnerSearch(db: Queryable) {
  return batchLoad(
    async (wanted: readonly (readonly string[])[]) => {
      const owners = await selectFirstOwners(db, [...new Set(wanted.flat())]);
      return wanted.map(() => owners);
    },
    { maxQueries: 1, maxKeys: 1_000, gatherMs: 1_000 },
  );
}
