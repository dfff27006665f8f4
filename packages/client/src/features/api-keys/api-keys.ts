import type { Reply, Routes } from '@tessera/protocol';
import type { ApiKeyScope } from '../../app/config/register.ts';
import type { Context } from '../../app/context.ts';
import { type Read, readOf } from '../../cache/resource.ts';
import { entity } from '../../objects/entity.ts';
import type { Subject, UserLevel } from '../account/subject.ts';

interface ApiKeyFields {
  /** Id of the key; not the key. */
  readonly id: string;
  /** What it is for, in words of its maker. */
  readonly description: string;
  /** Undefined: it never expires. */
  readonly expiresAt?: Date;
  /** Null: it was not revoked. */
  readonly manuallyRevokedAt?: Date | null;
  /** Time of the creation. */
  readonly createdAt: Date;
  /** Whether the key may be published, e.g. in the code of an app. A report of a leak revokes all other keys. */
  readonly isPublic: boolean;
  /** The scopes that limit the key; null for a key without limits. The scopes of a key never change. */
  readonly scopes: readonly ApiKeyScope[] | null;
}

/** Changes of an API key; members left out stay as they are. */
export interface ApiKeyUpdateOptions {
  /** What it is for. */
  readonly description?: string | undefined;
  /** Null: it never expires. */
  readonly expiresAt?: Date | null | undefined;
  /** Only true: a revoked key stays revoked. */
  readonly revoked?: boolean | undefined;
}

interface ApiKeyMethods {
  /** Changes the given fields. @throws when the key does not exist any more. */
  update(changes: ApiKeyUpdateOptions): Promise<void>;
  /** Revokes it. This cannot be undone. */
  revoke(): Promise<void>;
  /** Whether the key is neither revoked nor expired, by this snapshot and the clock of this machine. */
  isValid(): boolean;
  /** Why the key cannot be used; null when it can. */
  whyInvalid(): 'manually-revoked' | 'expired' | null;
}

interface OfUser {
  /** A key of a user. */
  readonly type: 'user';
  /** Id of the user who owns the key. */
  readonly userId: string;
}

interface OfTeam {
  /** A key of a team. */
  readonly type: 'team';
  /** Id of the team that owns the key. */
  readonly teamId: string;
}

interface Masked {
  /** The last four characters, by which a user recognises the key. */
  readonly value: { readonly lastFour: string };
}

interface Shown {
  /** The key itself. It is not shown again. */
  readonly value: string;
}

/** An API key of a user. A snapshot. */
export interface UserApiKey extends ApiKeyFields, OfUser, Masked, ApiKeyMethods {}

/** An API key of a user, with the key itself. */
export interface UserApiKeyFirstView extends ApiKeyFields, OfUser, Shown, ApiKeyMethods {}

/** An API key of a team. A snapshot. */
export interface TeamApiKey extends ApiKeyFields, OfTeam, Masked, ApiKeyMethods {}

/** An API key of a team, with the key itself. */
export interface TeamApiKeyFirstView extends ApiKeyFields, OfTeam, Shown, ApiKeyMethods {}

/** An API key of a user or of a team; with the key itself when it has just been made. */
export type ApiKey<Owner extends 'user' | 'team' = 'user' | 'team', IsFirstView extends boolean = false> = {
  readonly user: IsFirstView extends true ? UserApiKeyFirstView : UserApiKey;
  readonly team: IsFirstView extends true ? TeamApiKeyFirstView : TeamApiKey;
}[Owner];

/** A new API key. */
export interface ApiKeyCreateOptions {
  /** What it is for. */
  readonly description: string;
  /** Null: it never expires. An invalid date is a RangeError. */
  readonly expiresAt: Date | null;
  /** Whether the key may be published: a report of a leak does not revoke it. Default false. */
  readonly isPublic?: boolean | undefined;
  /** Limits the key to these scopes. The limit cannot be changed. Default: no limit. */
  readonly scopes?: readonly ApiKeyScope[] | undefined;
}

/** Reads of a user about their API keys. */
export interface UserApiKeyReads {
  /** Newest first, revoked and expired ones included. @throws when the project does not offer API keys. */
  listApiKeys(): Promise<UserApiKey[]>;
}

/** Making API keys of a user. */
export interface UserApiKeyMethods {
  /** @throws when the project does not offer API keys. */
  createApiKey(options: ApiKeyCreateOptions): Promise<UserApiKeyFirstView>;
}

/** Reads of a team about its API keys. */
export interface TeamApiKeyReads {
  /** Newest first, revoked and expired ones included. A member needs `$manage_api_keys`. */
  listApiKeys(): Promise<TeamApiKey[]>;
}

/** Making API keys of a team. */
export interface TeamApiKeyMethods {
  /** A member needs `$manage_api_keys`. @throws when the project does not offer API keys. */
  createApiKey(options: ApiKeyCreateOptions): Promise<TeamApiKeyFirstView>;
}

type UserKeyJson = Reply<Routes['GET /user-api-keys/{id}'], 'client'>;
type TeamKeyJson = Reply<Routes['GET /team-api-keys/{id}'], 'client'>;
type KeyJson = Omit<UserKeyJson, 'type' | 'user_id' | 'value'>;

/** Where the changes of one key go. */
type Patch = (changes: ReturnType<typeof apiKeyChangesToWire>) => Promise<unknown>;

export function userApiKeys(
  ctx: Context<UserLevel>,
): (subject: Subject) => { reads: { listApiKeys: Read<[], UserApiKey[]> }; methods: UserApiKeyMethods } {
  const { call, resources, platform } = ctx;

  const keys = resources.make('userApiKeys', (session: Subject['session'], userId: string) => ({
    load: async () => {
      const { items } = await call('GET /user-api-keys', { query: { user_id: userId }, session });
      return items.map(item => entity(userKeyFields(item), {}, methodsOf(item, { session, userId })));
    },
  }));

  function methodsOf(wire: KeyJson, { session, userId }: Subject): ApiKeyMethods {
    return apiKeyMethods(wire, platform.now, async body => {
      const [params, query] = [{ id: wire.id }, { user_id: userId }];
      await call('PATCH /user-api-keys/{id}', { params, query, body, session });
      await Promise.all([resources.renew('userApiKeys', session, userId), resources.renew('userByKey')]);
      // After the cached check: the reader of a key asks it.
      await resources.renew('userOfKey');
    });
  }

  return subject => {
    const { session, userId } = subject;
    return {
      reads: { listApiKeys: readOf(() => keys.entry(session, userId)) },
      methods: {
        async createApiKey(options) {
          const body = { ...creationToWire(options), user_id: userId };
          const { value, ...created } = await call('POST /user-api-keys', { body, session });
          await resources.renew('userApiKeys', session, userId);
          return entity({ ...apiKeyFields(created), ...ownerOf(created), value }, {}, methodsOf(created, subject));
        },
      },
    };
  };
}

/** The team takes the place of the user: any session that may. */
export function teamApiKeys(
  ctx: Context<UserLevel>,
): (
  session: Subject['session'],
  teamId: string,
) => { reads: { listApiKeys: Read<[], TeamApiKey[]> }; methods: TeamApiKeyMethods } {
  const { call, resources, platform } = ctx;

  const keys = resources.make('teamApiKeys', (session: Subject['session'], teamId: string) => ({
    load: async () => {
      const { items } = await call('GET /team-api-keys', { query: { team_id: teamId }, session });
      return items.map(item => entity(teamKeyFields(item), {}, methodsOf(item, session, teamId)));
    },
  }));

  function methodsOf(wire: KeyJson, session: Subject['session'], teamId: string): ApiKeyMethods {
    return apiKeyMethods(wire, platform.now, async body => {
      const [params, query] = [{ id: wire.id }, { team_id: teamId }];
      await call('PATCH /team-api-keys/{id}', { params, query, body, session });
      await Promise.all([resources.renew('teamApiKeys', session, teamId), resources.renew('teamByKey')]);
      // After the cached check: the reader of a key asks it.
      await resources.renew('teamOfKey');
    });
  }

  return (session, teamId) => ({
    reads: { listApiKeys: readOf(() => keys.entry(session, teamId)) },
    methods: {
      async createApiKey(options) {
        const body = { ...creationToWire(options), team_id: teamId };
        const { value, ...created } = await call('POST /team-api-keys', { body, session });
        await resources.renew('teamApiKeys', session, teamId);
        const fields = { ...apiKeyFields(created), type: created.type, teamId: created.team_id, value };
        return entity(fields, {}, methodsOf(created, session, teamId));
      },
    },
  });
}

function apiKeyMethods(wire: KeyJson, now: () => number, patch: Patch): ApiKeyMethods {
  const update = async (changes: ApiKeyUpdateOptions) => void (await patch(apiKeyChangesToWire(changes)));
  // Revocation first: a revoked key stays revoked after it expires.
  function whyInvalid() {
    if (wire.manually_revoked_at_millis !== undefined) return 'manually-revoked';
    return wire.expires_at_millis !== undefined && wire.expires_at_millis <= now() ? 'expired' : null;
  }
  return { update, revoke: () => update({ revoked: true }), whyInvalid, isValid: () => whyInvalid() === null };
}

function userKeyFields(wire: UserKeyJson): ApiKeyFields & OfUser & Masked {
  return { ...apiKeyFields(wire), ...ownerOf(wire), value: { lastFour: wire.value.last_four } };
}

function teamKeyFields(wire: TeamKeyJson): ApiKeyFields & OfTeam & Masked {
  return { ...apiKeyFields(wire), type: wire.type, teamId: wire.team_id, value: { lastFour: wire.value.last_four } };
}

function ownerOf({ type, user_id }: Pick<UserKeyJson, 'type' | 'user_id'>): OfUser {
  return { type, userId: user_id };
}

function apiKeyFields(wire: KeyJson): ApiKeyFields {
  const { expires_at_millis: expires, manually_revoked_at_millis: revoked } = wire;
  return {
    id: wire.id,
    description: wire.description,
    createdAt: new Date(wire.created_at_millis),
    isPublic: wire.is_public,
    scopes: (wire.scopes as ApiKeyScope[] | undefined) ?? null,
    ...(expires !== undefined && { expiresAt: new Date(expires) }),
    manuallyRevokedAt: revoked === undefined ? null : new Date(revoked),
  };
}

function creationToWire({ description, expiresAt, isPublic, scopes }: ApiKeyCreateOptions) {
  return { description, expires_at_millis: millisOf(expiresAt), is_public: isPublic, scopes: scopes && [...scopes] };
}

/** A revocation cannot be undone, so `revoked: false` is not sent. */
function apiKeyChangesToWire({ description, expiresAt, revoked }: ApiKeyUpdateOptions) {
  return {
    description,
    expires_at_millis: millisOf(expiresAt),
    revoked: revoked === true ? (true as const) : undefined,
  };
}

/** @throws RangeError for an invalid date: as JSON it would be null, and the key would never expire. */
function millisOf<Absent extends null | undefined>(date: Date | Absent): number | Absent {
  return date && Date.parse(date.toISOString());
}
