import type { AuditAction, AuditLogFilter } from '@tessera/client';
import { readAddress, readDay, readId, readOneOf, startOfDay } from '../../data/search-params.ts';
import { auditActions } from './actions.ts';

/** The filters of the audit log, as they are in the address. Days are local, as YYYY-MM-DD. */
export interface AuditSearch {
  readonly action?: AuditAction;
  readonly user?: string;
  readonly actor?: string;
  readonly address?: string;
  readonly from?: string;
  readonly to?: string;
  /** New events do not appear by themselves. */
  readonly paused?: true;
}

/** Reads the filters from an address. */
export function readAuditSearch(search: Readonly<Record<string, unknown>>): AuditSearch {
  const found = {
    action: readOneOf(search.action, auditActions),
    user: readId(search.user),
    actor: readId(search.actor),
    address: readAddress(search.address),
    from: readDay(search.from),
    to: readDay(search.to),
    paused: search.paused === true ? true : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** A trace id as people copy it, with blanks or capitals; undefined for another text. */
export function readTraceId(text: string): string | undefined {
  const id = text.trim().toLowerCase();
  return /^[0-9a-hjkmnp-tv-z]{16}$/.test(id) ? id : undefined;
}

/** The filter of the SDK. `to` includes its whole day. */
export function auditFilterOf({ action, user, actor, address, from, to }: AuditSearch): AuditLogFilter {
  return {
    ...(action === undefined ? {} : { action }),
    ...(user === undefined ? {} : { userId: user }),
    ...(actor === undefined ? {} : { actorId: actor }),
    ...(address === undefined ? {} : { address }),
    ...(from === undefined ? {} : { from: startOfDay(from, 0) }),
    ...(to === undefined ? {} : { to: startOfDay(to, 1) }),
  };
}

/** Whether the address has a filter. */
export function isFiltered({ paused: _, ...filters }: AuditSearch): boolean {
  return Object.keys(filters).length > 0;
}
