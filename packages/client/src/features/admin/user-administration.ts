import type { Args, Json, Routes } from '@tessera/protocol';
import type { Context } from '../../app/context.ts';
import { entity } from '../../objects/entity.ts';
import { expiresAtMs } from '../../session/tokens.ts';
import { addressOf } from '../../transport/call.ts';
import { linesOf } from '../../transport/json-lines.ts';
import type { ServerUserJson } from '../account/user.ts';
import type { ServerObjects } from '../server/objects.ts';
import type { ServerUser } from '../server/user.ts';

/** Which users to find. All conditions must hold; one that is left out always holds. */
export interface UserFilter {
  /** A part of a name or address, or a whole id. */
  readonly query?: string | undefined;
  /** Members of this team. */
  readonly teamId?: string | undefined;
  /** `password`, `otp` (an email code signs in), `passkey`, or the id of an OAuth provider. */
  readonly method?: string | undefined;
  /** Whether an authenticator app is set up. */
  readonly hasSecondFactor?: boolean | undefined;
  /** Whether the primary email address is verified. */
  readonly isVerified?: boolean | undefined;
  /** Whether the user is anonymous. */
  readonly isAnonymous?: boolean | undefined;
  /** Whether the user is suspended. */
  readonly isSuspended?: boolean | undefined;
  /** Last active at this time or later. */
  readonly activeFrom?: Date | undefined;
  /** Last active before this time. */
  readonly activeTo?: Date | undefined;
  /** Signed up at this time or later. */
  readonly signedUpFrom?: Date | undefined;
  /** Signed up before this time. */
  readonly signedUpTo?: Date | undefined;
  /** Newest first. Default false. */
  readonly desc?: boolean | undefined;
}

/** Which page of the found users to read. */
export interface FindUsersOptions extends UserFilter {
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
  /** Size of a page. Default 100, at most 1000. */
  readonly limit?: number | undefined;
}

/**
 * What a request for an email code does for a user, while the project has the method: it sends one (`on`, and `first_use` before
 * the first one), or is refused because no address is verified, because codes were switched off for the user, or because no
 * address signs in.
 */
export type EmailCodeState = 'on' | 'first_use' | 'unverified' | 'refused' | 'no_address';

/** A user of a filtered list. */
export interface FoundUser extends ServerUser {
  /** Whether an email code signs the user in. */
  readonly emailCode: EmailCodeState;
  /** Since when the user is suspended; null when the user may sign in. */
  readonly suspendedAt: Date | null;
  /** Whether `lastActiveAt` is an activity. False: the user never had a session, and it is the time of the sign-up. */
  readonly wasActive: boolean;
}

/** A page of found users. It may be shorter than its limit, even empty, although more users follow. */
export type FoundUserPage = FoundUser[] & {
  /** Cursor of the next page; null on the last one. */
  readonly nextCursor: string | null;
};

/** A user of another system, with the names of the API. An unknown field fails the row. */
export type ImportedUser = Readonly<Record<string, Json>>;

/** How to import a batch. */
export interface ImportUsersOptions {
  /** The users to import, at most 100. */
  readonly users: readonly ImportedUser[];
  /** What happens to a row whose address is the primary address of a user, or signs in to one. Default `skip`. */
  readonly onConflict?: 'skip' | 'update' | 'fail' | undefined;
  /** Whether to report what would happen and change nothing. Default false. */
  readonly isDryRun?: boolean | undefined;
}

/** The outcome of one imported user. */
export interface ImportedUserResult {
  /** What happened, or would happen in a dry run. */
  readonly status: 'created' | 'updated' | 'skipped' | 'failed';
  /** Id of the user; null for a failed one, and in a dry run for one that would be created. */
  readonly userId: string | null;
  /** Why the user was skipped or failed; a sentence. */
  readonly reason: string | null;
}

/** A link for one user. It works once. */
export interface UserLink {
  /** A secret: the one who opens it acts as the user. */
  readonly url: string;
  /** When it ends unused. */
  readonly expiresAt: Date;
}

/** The tokens of an impersonation. */
export interface Impersonation {
  /** Valid for minutes; sent with requests. */
  readonly accessToken: string;
  /** Gets new access tokens until the session ends. */
  readonly refreshToken: string;
  /** When the session ends. */
  readonly expiresAt: Date;
  /** When the access token ends; the session does, too, in an app without the refresh token. */
  readonly accessTokenExpiresAt: Date;
}

/** A block of sign-ins to an account after too many failed attempts. */
export interface SignInBlock {
  /**
   * `failedSignInsPerAccount`: from one network. `failedSignInsFromUnknownBlocks` and `failedSecondFactorsFromUnknownBlocks`:
   * from every network from which the user has not signed in lately.
   */
  readonly limit: 'failedSignInsPerAccount' | 'failedSignInsFromUnknownBlocks' | 'failedSecondFactorsFromUnknownBlocks';
  /** The IPv4 address, the IPv6 /64, or `server` for sign-ins that a server sends; null for several networks. */
  readonly from: string | null;
  /** When sign-ins are allowed again. */
  readonly until: Date;
}

/** Methods of an admin app for many users, and on behalf of one. */
export interface UserAdministrationMethods {
  /**
   * A page of the users that a filter finds, in the order of sign-up.
   *
   * @example
   * const page = await app.findUsers({ method: 'github', isVerified: false });
   */
  findUsers(options?: FindUsersOptions): Promise<FoundUserPage>;
  /**
   * All users that a filter finds, read as a stream.
   *
   * @example
   * for await (const user of app.exportUsers({ isAnonymous: false })) console.log(user.primary_email);
   */
  exportUsers(filter?: UserFilter): AsyncIterable<ServerUserJson>;
  /**
   * Imports a batch of users with bcrypt or argon2id hashes. The results have the order of the users.
   *
   * @example
   * const results = await app.importUsers({ users: [{ primary_email: 'ada@example.com', password_hash: '$2b$10$…' }] });
   */
  importUsers(options: ImportUsersOptions): Promise<ImportedUserResult[]>;
  /**
   * Creates a link that signs a user in or resets the password, without sending it.
   *
   * @throws REAUTHENTICATION_REQUIRED when the owner has not signed in recently
   * @example
   * const { url } = await app.createUserLink(user.id, { kind: 'sign_in', callbackUrl });
   */
  createUserLink(
    userId: string,
    options: { kind: 'sign_in' | 'password_reset'; callbackUrl: string },
  ): Promise<UserLink>;
  /**
   * Opens a session of 15 minutes as a user. The audit log records the owner and the reason.
   *
   * @throws REAUTHENTICATION_REQUIRED when the owner has not signed in recently
   * @example
   * const { accessToken } = await app.impersonateUser(user.id, { reason: 'Ticket 1815' });
   */
  impersonateUser(userId: string, options: { reason: string }): Promise<Impersonation>;
  /** The time at which the deletion that a user has scheduled takes place; null without one. Not cached. */
  getUserDeletion(userId: string): Promise<Date | null>;
  /** Cancels the deletion that a user has scheduled. */
  cancelUserDeletion(userId: string): Promise<void>;
  /**
   * The address blocks from which sign-ins to an account are refused after failed attempts: at most 100, those that end
   * last first. Not cached.
   */
  getSignInBlocks(userId: string): Promise<SignInBlock[]>;
  /**
   * Forgets the failed sign-ins to an account, so that the user can sign in again at once. Other processes of the server
   * follow within a second.
   */
  allowSignIn(userId: string): Promise<void>;
}

type FilterJson = NonNullable<Args<Routes['GET /internal/extensions/users/export'], 'admin'>['query']>;

export function userAdministration(
  { call, send }: Context<'admin'>,
  { toUser, refreshUser }: Pick<ServerObjects, 'toUser' | 'refreshUser'>,
): { methods: UserAdministrationMethods } {
  return {
    methods: {
      async findUsers({ cursor, limit, ...filter } = {}) {
        const query = { ...filterToWire(filter), cursor, limit };
        const { items, pagination } = await call('GET /internal/extensions/users', { query, session: null });
        const users = items.map(item => {
          const { fields, reads, methods } = toUser.parts(item);
          const { email_code: emailCode, suspended_at_millis: atMillis, was_active: wasActive } = item;
          const suspendedAt = atMillis === null ? null : new Date(atMillis);
          return entity({ ...fields, emailCode, suspendedAt, wasActive }, reads, methods);
        });
        return Object.assign(users, { nextCursor: pagination.next_cursor });
      },
      async getUserDeletion(userId) {
        const params = { user_id: userId };
        const { scheduled } = await call('GET /internal/extensions/users/{user_id}/deletion', {
          params,
          session: null,
        });
        return scheduled && new Date(scheduled.deletes_at_millis);
      },
      async cancelUserDeletion(userId) {
        const params = { user_id: userId };
        await call('DELETE /internal/extensions/users/{user_id}/deletion', { params, session: null });
      },
      async getSignInBlocks(userId) {
        const params = { user_id: userId };
        const { items } = await call('GET /internal/extensions/users/{user_id}/sign-in-blocks', {
          params,
          session: null,
        });
        return items.map(({ limit, from, until_millis }) =>
          Object.freeze({ limit, from, until: new Date(until_millis) }),
        );
      },
      async allowSignIn(userId) {
        const params = { user_id: userId };
        await call('DELETE /internal/extensions/users/{user_id}/sign-in-blocks', { params, session: null });
      },
      async *exportUsers(filter = {}) {
        const { method, path } = addressOf('GET /internal/extensions/users/export', undefined, filterToWire(filter));
        const response = await send({ path, init: { method }, level: 'admin', session: null }, response => response);
        for await (const line of linesOf(response)) yield JSON.parse(line);
      },
      async importUsers({ users, onConflict = 'skip', isDryRun = false }) {
        const body = { users: [...users], on_conflict: onConflict, is_dry_run: isDryRun };
        const { results } = await call('POST /internal/extensions/users/import', { body, session: null });
        if (!isDryRun) await refreshUser();
        return results.map(({ status, user_id: userId, reason }) => Object.freeze({ status, userId, reason }));
      },
      async createUserLink(userId, { kind, callbackUrl }) {
        const request = { params: { user_id: userId }, body: { kind, callback_url: callbackUrl }, session: null };
        const wire = await call('POST /internal/extensions/users/{user_id}/links', request);
        return Object.freeze({ url: wire.url, expiresAt: new Date(wire.expires_at_millis) });
      },
      async impersonateUser(userId, { reason }) {
        const request = { params: { user_id: userId }, body: { reason }, session: null };
        const wire = await call('POST /internal/extensions/users/{user_id}/impersonations', request);
        return Object.freeze({
          accessToken: wire.access_token,
          refreshToken: wire.refresh_token,
          expiresAt: new Date(wire.expires_at_millis),
          accessTokenExpiresAt: new Date(Math.min(wire.expires_at_millis, expiresAtMs(wire.access_token))),
        });
      },
    },
  };
}

function filterToWire(filter: UserFilter): FilterJson {
  return {
    desc: filter.desc,
    query: filter.query,
    team_id: filter.teamId,
    method: filter.method,
    has_second_factor: filter.hasSecondFactor,
    is_verified: filter.isVerified,
    is_anonymous: filter.isAnonymous,
    is_suspended: filter.isSuspended,
    active_from_millis: filter.activeFrom?.getTime(),
    active_to_millis: filter.activeTo?.getTime(),
    signed_up_from_millis: filter.signedUpFrom?.getTime(),
    signed_up_to_millis: filter.signedUpTo?.getTime(),
  };
}
