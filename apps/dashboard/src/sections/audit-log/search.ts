import type { AuditAction, AuditLogFilter } from '@tessera/client';
import { readOneOf, readText } from '../../data/search-params.ts';
import { auditActions } from './words.ts';

/** The filters of the audit log, as they are in the address. Days are local, as YYYY-MM-DD. */
export interface AuditSearch {
  readonly action?: AuditAction;
  readonly user?: string;
  readonly actor?: string;
  readonly from?: string;
  readonly to?: string;
  /** New events do not appear by themselves. */
  readonly paused?: true;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const day = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a complete id. */
export function isId(text: string): boolean {
  return uuid.test(text);
}

/** Reads the filters from an address. */
export function readAuditSearch(search: Readonly<Record<string, unknown>>): AuditSearch {
  const found = {
    action: readOneOf(search.action, auditActions),
    user: readId(search.user),
    actor: readId(search.actor),
    from: readDay(search.from),
    to: readDay(search.to),
    paused: search.paused === true ? true : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** The filter of the SDK. `to` includes its whole day. */
export function auditFilterOf({ action, user, actor, from, to }: AuditSearch): AuditLogFilter {
  return {
    ...(action === undefined ? {} : { action }),
    ...(user === undefined ? {} : { userId: user }),
    ...(actor === undefined ? {} : { actorId: actor }),
    ...(from === undefined ? {} : { from: startOf(from, 0) }),
    ...(to === undefined ? {} : { to: startOf(to, 1) }),
  };
}

/** Whether the address has a filter. */
export function isFiltered({ paused: _, ...filters }: AuditSearch): boolean {
  return Object.keys(filters).length > 0;
}

function readId(value: unknown): string | undefined {
  const text = readText(value)?.trim();
  return text !== undefined && isId(text) ? text.toLowerCase() : undefined;
}

function readDay(value: unknown): string | undefined {
  const text = readText(value);
  return text !== undefined && day.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

function startOf(text: string, daysLater: number): Date {
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater);
}
