import { auditEndpoints, auditPageDefault, auditPageMax } from '@tessera/protocol';
import { pageOf, positionOf } from '../../core/page-cursor.ts';
import { canonicalAddress } from '../../http/access/source.ts';
import { type BoundRoute, bind } from '../../http/bind.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { ownActivityRoutes } from './own-activity.ts';
import { namedUsers } from './rules.ts';
import { type AuditFilter, type AuditRow, selectAuditEvents, selectUserNames } from './store.ts';
import { type AuditView, auditFilter, auditView, userNameView } from './wire.ts';

interface AuditRoutesDeps {
  readonly db: Database;
}

export function auditRoutes(deps: AuditRoutesDeps): BoundRoute[] {
  return [
    bind(auditEndpoints.list, async ({ project, query }) => {
      const { limit = auditPageDefault, cursor } = query;
      const at = cursor === undefined ? undefined : positionOf(cursor);
      const found = await selectAuditEvents(deps.db.reads, project.id, {
        filter: readFilter(query),
        at,
        limit: limit + 1,
      });
      const { rows, nextCursor } = pageOf(found, limit);
      const idsByProject = namedUsers(project.id, rows);
      const names = [...idsByProject].map(([projectId, ids]) => selectUserNames(deps.db.reads, projectId, ids));
      const users = (await Promise.all(names)).flat().map(userNameView);
      return {
        items: rows.map(auditView),
        users,
        is_paginated: true,
        pagination: { next_cursor: nextCursor },
      } as const;
    }),

    ...ownActivityRoutes(deps),

    bind(auditEndpoints.export, ({ project, query }) => exportEvents(deps.db.reads, project.id, readFilter(query))),
  ];
}

/** The filter of a query. Events have the canonical form of an address. */
function readFilter(query: Parameters<typeof auditFilter>[0]): AuditFilter {
  const filter = auditFilter(query);
  return { ...filter, address: filter.address && canonicalAddress(filter.address) };
}

/** Reads one page at a time, so a long export uses little memory and holds no transaction open. */
async function* exportEvents(db: Queryable, projectId: string, filter: AuditFilter): AsyncGenerator<AuditView> {
  let at: { atMillis: number; id: string } | undefined;
  do {
    const found: AuditRow[] = await selectAuditEvents(db, projectId, { filter, at, limit: auditPageMax + 1 });
    yield* found.slice(0, auditPageMax).map(auditView);
    at = found[auditPageMax];
  } while (at !== undefined);
}
