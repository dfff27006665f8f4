import type { Args, Json, Routes } from '@tessera/protocol';
import type { ClientMetadata, ClientReadOnlyMetadata, ServerMetadata } from '../../app/config/register.ts';
import type { Context } from '../../app/context.ts';
import type { Reader } from '../../cache/reader.ts';
import { type Read, type Reads, readOf } from '../../cache/resource.ts';
import { keysOf, ownerByKey, type PresentedApiKey } from './key-check.ts';
import type { ServerObjects } from './objects.ts';
import { orNull } from './or-null.ts';
import type { ServerUser } from './user.ts';

/** A user with the rights of a server: by id, or by an API key of theirs. */
export type UserById = string | PresentedApiKey;

/** A new user. */
export interface ServerUserCreateOptions {
  /** Default: none. */
  readonly primaryEmail?: string | null | undefined;
  /** Whether the user can sign in with the address. Default false. */
  readonly primaryEmailAuthEnabled?: boolean | undefined;
  /** Default false. */
  readonly primaryEmailVerified?: boolean | undefined;
  /** Default: none. */
  readonly password?: string | undefined;
  /** Whether the user can sign in with an emailed code. */
  readonly otpAuthEnabled?: boolean | undefined;
  /** Default: none. */
  readonly displayName?: string | undefined;
  /** Default null. */
  readonly clientMetadata?: ClientMetadata | undefined;
  /** Default null. */
  readonly clientReadOnlyMetadata?: ClientReadOnlyMetadata | undefined;
  /** Default null. */
  readonly serverMetadata?: ServerMetadata | undefined;
}

/** Which users to list. */
export interface ListUsersOptions {
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
  /** Size of a page. Default 1000, at most 10000. */
  readonly limit?: number | undefined;
  /** The only order there is. */
  readonly orderBy?: 'signedUpAt' | undefined;
  /** Newest first. Default false. */
  readonly desc?: boolean | undefined;
  /** A part of a name or of an address, or a whole id. */
  readonly query?: string | undefined;
}

/** A page of users. */
export type UserPage = ServerUser[] & {
  /** Cursor of the next page; null on the last one. */
  readonly nextCursor: string | null;
};

/** Reads of a server about users. */
export interface UsersReads {
  /** Users by the time of signing up, anonymous ones included, a page at a time. */
  listUsers(options?: ListUsersOptions): Promise<UserPage>;
}

/** Making users. */
export interface UsersMethods {
  /** @throws when the address is to be used for signing in and is taken. */
  createUser(options: ServerUserCreateOptions): Promise<ServerUser>;
}

/** The users of a project. */
export interface Users {
  readonly reads: Reads<UsersReads>;
  readonly methods: UsersMethods;
  /** Null when there is none: no such user, or no valid key of a user. */
  readonly userOf: Read<[which: UserById], ServerUser | null>;
}

export function users(ctx: Context<'server'>, { toUser }: Pick<ServerObjects, 'toUser'>): Users {
  const { call, resources } = ctx;

  const byId = resources.make('userById', (_session: null, id: string) => ({
    // A malformed id is refused with SCHEMA_ERROR.
    load: () =>
      orNull(call('GET /users/{user_id}', { params: { user_id: id }, session: null }).then(toUser), [
        'USER_NOT_FOUND',
        'SCHEMA_ERROR',
      ]),
  }));

  const byKey = ownerByKey(resources, 'user', {
    async check(apiKey) {
      const key = await call('POST /user-api-keys/check', { body: { api_key: apiKey }, session: null });
      return { ownerId: key.user_id, scopes: key.scopes ?? null };
    },
    find: id => byId.fetch(null, id),
  });

  const pages = resources.make('users', (options: string) => ({
    load: async (): Promise<UserPage> => {
      const query = listQueryOf(JSON.parse(options));
      const { items, pagination } = await call('GET /users', { query, session: null });
      return Object.assign(items.map(toUser), { nextCursor: pagination.next_cursor });
    },
  }));

  return {
    userOf: readOf(
      (which): Reader<ServerUser | null> =>
        typeof which === 'string' ? byId.entry(null, which) : byKey.entry(...keysOf(which)),
    ),
    reads: { listUsers: readOf((options = {}) => pages.entry(JSON.stringify(options))) },
    methods: {
      async createUser(options) {
        const created = await call('POST /users', { body: newUserToWire(options), session: null });
        await resources.renew('users');
        return toUser(created);
      },
    },
  };
}

function newUserToWire(options: ServerUserCreateOptions): Args<Routes['POST /users'], 'server'>['body'] {
  return {
    primary_email: options.primaryEmail,
    primary_email_auth_enabled: options.primaryEmailAuthEnabled,
    primary_email_verified: options.primaryEmailVerified,
    password: options.password,
    otp_auth_enabled: options.otpAuthEnabled,
    display_name: options.displayName,
    client_metadata: options.clientMetadata as Json | undefined,
    client_read_only_metadata: options.clientReadOnlyMetadata as Json | undefined,
    server_metadata: options.serverMetadata as Json | undefined,
  };
}

function listQueryOf({ cursor, limit, orderBy, desc, query }: ListUsersOptions) {
  return { cursor, limit, order_by: orderBy && ('signed_up_at' as const), desc, query };
}
