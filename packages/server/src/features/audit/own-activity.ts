import { ownActivityEndpoints, ownActivityPageMax, securityActions } from '@tessera/protocol';
import { pageOf, positionOf } from '../../core/page-cursor.ts';
import { type BoundRoute, bind } from '../../http/bind.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { type Device, deviceOf } from '../../platform/network/device.ts';
import { isByClient } from './rules.ts';
import { type AuditFilter, type AuditRow, selectAuditEvents } from './store.ts';
import { securityEventView } from './wire.ts';

/** What happened to the account of the caller (docs/contract/decisions.md#account-safety). */
export function ownActivityRoutes(deps: { readonly db: Database }): BoundRoute[] {
  return [
    bind(ownActivityEndpoints.list, async ({ project, user, query }) => {
      const { limit = ownActivityPageMax, cursor } = query;
      const at = cursor === undefined ? undefined : positionOf(cursor);
      const found = await selectAuditEvents(deps.db, project.id, { filter: safetyOf(user.id), at, limit: limit + 1 });
      const { rows, nextCursor } = pageOf(found, limit);
      const items = rows.map(row => securityEventView(row, callerOf(row)));
      return { items, is_paginated: true, pagination: { next_cursor: nextCursor } } as const;
    }),
  ];
}

/** Address and device of an administrator are not shown to the user. */
function callerOf(row: AuditRow): { isOwn: boolean; address: string | null; device: Device } {
  const isOwn = isByClient(row);
  return { isOwn, address: isOwn ? row.address : null, device: deviceOf(isOwn ? row.userAgent : null) };
}

function safetyOf(userId: string): AuditFilter {
  return {
    action: undefined,
    actions: securityActions,
    createdSessions: 'impersonations',
    actorId: undefined,
    traceId: undefined,
    address: undefined,
    userId,
    fromMillis: undefined,
    toMillis: undefined,
  };
}

/** The newest security events of a user, without address and device of administrators. */
export async function selectSecurityEvents(
  db: Queryable,
  { projectId, userId, limit }: { projectId: string; userId: string; limit: number },
) {
  const rows = await selectAuditEvents(db, projectId, { filter: safetyOf(userId), at: undefined, limit });
  return rows.map(row => {
    const isOwn = isByClient(row);
    const { atMillis, action } = row;
    return { atMillis, action, address: isOwn ? row.address : null, userAgent: isOwn ? row.userAgent : null };
  });
}
