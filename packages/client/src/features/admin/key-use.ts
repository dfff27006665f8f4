import type { Context } from '../../app/context.ts';
import { type Reads, readOf } from '../../cache/resource.ts';

/** When an API key of a user or team was used. */
export interface ApiKeyUsage {
  /** When the key was last found valid, to the minute; null if never. */
  readonly lastUsedAt: Date | null;
}

/** The signing keys of a project after a rotation. */
export interface SigningKeyRotation {
  /** Id of the key that signs access tokens from now on. */
  readonly currentKeyId: string;
  /** Ids of the published keys: the current one, the next one, and the one before while its tokens are valid. */
  readonly publishedKeyIds: readonly string[];
}

/** Reads of an admin app about the use of API keys. */
export interface ApiKeyUsageReads {
  /**
   * When an API key of a user or team was last used.
   *
   * @example
   * const { lastUsedAt } = await app.getApiKeyUsage(key.id);
   */
  getApiKeyUsage(keyId: string): Promise<ApiKeyUsage>;
}

/** When a set of keys was used. */
export interface KeySetUse {
  /** Id of the set. */
  readonly id: string;
  /** When one of its keys was last accepted, to the minute; null if never. */
  readonly lastUsedAt: Date | null;
}

/** Methods of an admin app for the keys of the project. */
export interface SigningKeyMethods {
  /**
   * When each set of keys of the project was last used, newest set first.
   *
   * @example
   * const unused = (await app.listKeySetUses()).filter(({ lastUsedAt }) => lastUsedAt === null);
   */
  listKeySetUses(): Promise<KeySetUse[]>;
  /**
   * Signs access tokens with the next key. Tokens of the key before stay valid until they expire.
   *
   * @example
   * const { currentKeyId } = await app.rotateSigningKeys();
   */
  rotateSigningKeys(): Promise<SigningKeyRotation>;
}

export function keyUse({ call, resources }: Context<'admin'>): {
  reads: Reads<ApiKeyUsageReads>;
  methods: SigningKeyMethods;
} {
  const usages = resources.make(null, (id: string) => ({
    load: async (): Promise<ApiKeyUsage> => {
      const wire = await call('GET /internal/extensions/api-key-usage/{id}', { params: { id }, session: null });
      return Object.freeze({ lastUsedAt: dateOrNull(wire.last_used_at_millis) });
    },
  }));

  return {
    reads: { getApiKeyUsage: readOf(id => usages.entry(id)) },
    methods: {
      async listKeySetUses() {
        const { items } = await call('GET /internal/extensions/key-set-uses', { session: null });
        return items.map(({ id, last_used_at_millis: at }) => Object.freeze({ id, lastUsedAt: dateOrNull(at) }));
      },
      async rotateSigningKeys() {
        const wire = await call('POST /internal/extensions/signing-keys/rotate', { session: null });
        return Object.freeze({ currentKeyId: wire.current_kid, publishedKeyIds: wire.published_kids });
      },
    },
  };
}

function dateOrNull(millis: number | null): Date | null {
  return millis === null ? null : new Date(millis);
}
