import type { Args, AuditAction, AuditActorType, Json, Reply, Routes } from '@tessera/protocol';
import type { Context } from '../../app/context.ts';
import { type Reads, readOf } from '../../cache/resource.ts';
import { addressOf } from '../../transport/call.ts';
import { linesOf } from '../../transport/json-lines.ts';

/** How a user of an event is called now. */
export interface AuditedUser {
  /** The display name; null without one. */
  readonly displayName: string | null;
  /** The primary email address; null without one. */
  readonly primaryEmail: string | null;
}

/** An event of the audit log. */
export interface AuditEvent {
  /** Id of the event. */
  readonly id: string;
  /** Time of the event. */
  readonly at: Date;
  /** What happened. */
  readonly action: AuditAction;
  /**
   * The caller. The id is that of a user or an owner, and that of the key set for a server or admin key. It is null for
   * other callers, such as the server itself.
   */
  readonly actor: {
    readonly type: AuditActorType;
    readonly id: string | null;
    /** Null for a caller who is no user or whose account was deleted, and in exports. */
    readonly user: AuditedUser | null;
  };
  /** The user that the event concerns. The user may be deleted by now. */
  readonly userId: string | null;
  /** How that user is called; null for a deleted user, and in exports. */
  readonly user: AuditedUser | null;
  /** The object that the event concerns, where it is not the user. */
  readonly subject: { readonly type: string; readonly id: string } | null;
  /** IP address of the caller, according to the trusted proxies. */
  readonly address: string | null;
  /** The caller's user agent. */
  readonly userAgent: string | null;
  /** Id of the request, as error pages show it; null for events of the server itself. */
  readonly traceId: string | null;
  /** More facts, depending on the action. */
  readonly details: Json;
  /** The values before a change of the configuration. Secrets are left out. */
  readonly before: Json;
  /** The values after a change of the configuration. Secrets are left out. */
  readonly after: Json;
}

/** Which events to read. All conditions must hold. */
export interface AuditLogFilter {
  /** Events with this action. */
  readonly action?: AuditAction | undefined;
  /** Events that this actor caused: a user, an owner or a key set. */
  readonly actorId?: string | undefined;
  /** Events that concern this user. */
  readonly userId?: string | undefined;
  /** Events of this request: `traceId` of an error, or the id that an error page shows. */
  readonly traceId?: string | undefined;
  /** Events of callers with this IP address. */
  readonly address?: string | undefined;
  /** Events at this time or later. */
  readonly from?: Date | undefined;
  /** Events before this time. */
  readonly to?: Date | undefined;
}

/** Which page of the audit log to read. */
export interface ListAuditEventsOptions extends AuditLogFilter {
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
  /** Size of a page. Default 100, at most 1000. */
  readonly limit?: number | undefined;
}

/** A page of the audit log. */
export type AuditEventPage = AuditEvent[] & {
  /** Cursor of the next page; null on the last one. */
  readonly nextCursor: string | null;
};

/** Reads of an admin app about the audit log. */
export interface AuditLogReads {
  /**
   * The events of the project, newest first, one page at a time.
   *
   * @example
   * const page = await app.listAuditEvents({ action: 'sign_in.failed', from: new Date('2026-01-01') });
   */
  listAuditEvents(options?: ListAuditEventsOptions): Promise<AuditEventPage>;
}

/** Methods of an admin app for the audit log. */
export interface AuditLogMethods {
  /**
   * All events of the project, newest first, read as a stream.
   *
   * @example
   * for await (const event of app.exportAuditLog({ from: new Date('2026-01-01') })) console.log(event.action);
   */
  exportAuditLog(filter?: AuditLogFilter): AsyncIterable<AuditEvent>;
}

type EventJson = Reply<Routes['GET /internal/extensions/audit-log/export'], 'admin'>;
type UserJson = Reply<Routes['GET /internal/extensions/audit-log'], 'admin'>['users'][number];
type FilterJson = NonNullable<Args<Routes['GET /internal/extensions/audit-log/export'], 'admin'>['query']>;

export function auditLog({ call, send, resources }: Context<'admin'>): {
  reads: Reads<AuditLogReads>;
  methods: AuditLogMethods;
} {
  const pages = resources.make(null, (query: string) => ({
    load: async (): Promise<AuditEventPage> => {
      const route = 'GET /internal/extensions/audit-log';
      const { items, users, pagination } = await call(route, { query: JSON.parse(query), session: null });
      const named = new Map(users.map(user => [user.id, auditedUserFromWire(user)]));
      const events = items.map(item => auditEventFromWire(item, named));
      return Object.assign(events, { nextCursor: pagination.next_cursor });
    },
  }));

  // As JSON, so that equal filters share a cache entry.
  const pageOf = ({ cursor, limit, ...filter }: ListAuditEventsOptions = {}) =>
    pages.entry(JSON.stringify({ ...filterToWire(filter), cursor, limit }));

  return {
    reads: { listAuditEvents: readOf(pageOf) },
    methods: {
      async *exportAuditLog(filter = {}) {
        const route = 'GET /internal/extensions/audit-log/export';
        const { method, path } = addressOf(route, undefined, filterToWire(filter));
        const response = await send({ path, init: { method }, level: 'admin', session: null }, response => response);
        for await (const line of linesOf(response)) yield auditEventFromWire(JSON.parse(line));
      },
    },
  };
}

function filterToWire({ action, actorId, userId, traceId, address, from, to }: AuditLogFilter): FilterJson {
  return {
    action,
    actor_id: actorId,
    user_id: userId,
    trace_id: traceId,
    address,
    from_millis: from?.getTime(),
    to_millis: to?.getTime(),
  };
}

function auditedUserFromWire({ display_name: displayName, primary_email: primaryEmail }: UserJson): AuditedUser {
  return Object.freeze({ displayName, primaryEmail });
}

function auditEventFromWire(wire: EventJson, users: ReadonlyMap<string, AuditedUser> = new Map()): AuditEvent {
  const userOf = (id: string | null) => (id === null ? null : (users.get(id) ?? null));
  return Object.freeze({
    id: wire.id,
    at: new Date(wire.at_millis),
    action: wire.action,
    actor: Object.freeze({ ...wire.actor, user: userOf(wire.actor.id) }),
    userId: wire.user_id,
    user: userOf(wire.user_id),
    subject: wire.subject,
    address: wire.address,
    userAgent: wire.user_agent,
    traceId: wire.trace_id,
    details: wire.details,
    before: wire.before,
    after: wire.after,
  });
}
