import type { Reply, Routes } from '@tessera/protocol';
import type { Context } from '../../app/context.ts';
import { type Reads, readOf } from '../../cache/resource.ts';
import { entity } from '../../objects/entity.ts';

interface KeySetFields {
  /** Id of the set. */
  readonly id: string;
  /** What it is for, in words of the owner. */
  readonly description: string;
  /** The time from which the keys are refused. */
  readonly expiresAt: Date;
  /** When it was revoked; null when it was not. */
  readonly manuallyRevokedAt: Date | null;
  /** When it was made. */
  readonly createdAt: Date;
}

interface KeySetMethods {
  /** Whether the set is neither revoked nor expired, by this snapshot and the clock of this machine. */
  isValid(): boolean;
  /** Why they cannot be used, or null when they can. */
  whyInvalid(): 'expired' | 'manually-revoked' | null;
  /** Revokes its keys. This cannot be undone. */
  revoke(): Promise<void>;
}

interface MaskedKey {
  /** Enough to recognise it. */
  readonly lastFour: string;
}

/** A set of keys with which apps of the project talk to the server. A snapshot. */
export interface InternalApiKey extends KeySetFields, KeySetMethods {
  /** Null: not in the set. */
  readonly publishableClientKey: MaskedKey | null;
  /** Null: not in the set. */
  readonly secretServerKey: MaskedKey | null;
  /** Null: not in the set. */
  readonly superSecretAdminKey: MaskedKey | null;
}

/** A set of keys, with the keys themselves. They are not shown again. */
export interface InternalApiKeyFirstView extends KeySetFields, KeySetMethods {
  /** Undefined: not in the set. */
  readonly publishableClientKey?: string;
  /** Undefined: not in the set. */
  readonly secretServerKey?: string;
  /** Undefined: not in the set. */
  readonly superSecretAdminKey?: string;
}

/** A new set of keys. */
export interface InternalApiKeyCreateOptions {
  /** What the keys are for. */
  readonly description: string;
  /** The time from which the keys are refused. */
  readonly expiresAt: Date;
  /** Whether to make a key for browsers. */
  readonly hasPublishableClientKey: boolean;
  /** Whether to make a key for servers. */
  readonly hasSecretServerKey: boolean;
  /** Whether to make a key for administering the project. */
  readonly hasSuperSecretAdminKey: boolean;
}

/** Reads of an admin app about key sets. */
export interface InternalApiKeyReads {
  /** Newest first, revoked and expired ones included. */
  listInternalApiKeys(): Promise<InternalApiKey[]>;
}

/** Making key sets. */
export interface InternalApiKeyMethods {
  /** Makes a set of keys. They are shown this once. */
  createInternalApiKey(options: InternalApiKeyCreateOptions): Promise<InternalApiKeyFirstView>;
}

type KeySetJson = Reply<Routes['GET /internal/api-keys/{id}'], 'admin'>;
type BareJson = Pick<KeySetJson, 'id' | 'description' | 'expires_at_millis' | 'created_at_millis'> & {
  readonly manually_revoked_at_millis?: number | undefined;
};

export function internalApiKeys(ctx: Context<'admin'>): {
  reads: Reads<InternalApiKeyReads>;
  methods: InternalApiKeyMethods;
} {
  const { call, resources, platform } = ctx;

  const keySets = resources.make('internalApiKeys', () => ({
    load: async () => {
      const { items } = await call('GET /internal/api-keys', { session: null });
      return items.map(toKeySet);
    },
  }));

  function toKeySet(wire: KeySetJson): InternalApiKey {
    const keys = {
      publishableClientKey: maskedKey(wire.publishable_client_key),
      secretServerKey: maskedKey(wire.secret_server_key),
      superSecretAdminKey: maskedKey(wire.super_secret_admin_key),
    };
    return entity({ ...keySetFields(wire), ...keys }, {}, methodsOf(wire));
  }

  function methodsOf(wire: BareJson): KeySetMethods {
    // The contract demands the opposite order of the keys of users and teams.
    function whyInvalid() {
      if (wire.expires_at_millis <= platform.now()) return 'expired';
      return wire.manually_revoked_at_millis === undefined ? null : 'manually-revoked';
    }
    return {
      whyInvalid,
      isValid: () => whyInvalid() === null,
      async revoke() {
        await call('PATCH /internal/api-keys/{id}', {
          params: { id: wire.id },
          body: { revoked: true },
          session: null,
        });
        await resources.renew('internalApiKeys');
      },
    };
  }

  return {
    reads: { listInternalApiKeys: readOf(() => keySets.entry()) },
    methods: {
      async createInternalApiKey(options) {
        const created = await call('POST /internal/api-keys', { body: newKeySetToWire(options), session: null });
        await resources.renew('internalApiKeys');
        const { publishable_client_key, secret_server_key, super_secret_admin_key } = created;
        const keys = {
          ...(publishable_client_key !== undefined && { publishableClientKey: publishable_client_key }),
          ...(secret_server_key !== undefined && { secretServerKey: secret_server_key }),
          ...(super_secret_admin_key !== undefined && { superSecretAdminKey: super_secret_admin_key }),
        };
        return entity({ ...keySetFields(created), ...keys }, {}, methodsOf(created));
      },
    },
  };
}

function keySetFields(wire: BareJson): KeySetFields {
  const revokedAt = wire.manually_revoked_at_millis;
  return {
    id: wire.id,
    description: wire.description,
    expiresAt: new Date(wire.expires_at_millis),
    manuallyRevokedAt: revokedAt === undefined ? null : new Date(revokedAt),
    createdAt: new Date(wire.created_at_millis),
  };
}

function maskedKey(key: { readonly last_four: string } | undefined): MaskedKey | null {
  return key === undefined ? null : { lastFour: key.last_four };
}

function newKeySetToWire(options: InternalApiKeyCreateOptions) {
  return {
    description: options.description,
    expires_at_millis: options.expiresAt.getTime(),
    has_publishable_client_key: options.hasPublishableClientKey,
    has_secret_server_key: options.hasSecretServerKey,
    has_super_secret_admin_key: options.hasSuperSecretAdminKey,
  };
}
