import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';
import { dropOldest } from '../../platform/drop-oldest.ts';

const maxEntries = 1_000;

type Entries = Map<string, { readonly payload: AdapterPayload; readonly expiresAtMillis: number }>;

/** Storage of the mock provider, in memory. The oldest entries are dropped at the maximum. */
export function createAdapters(): AdapterFactory {
  const entries: Entries = new Map();
  return model => adapterOf(model, entries);
}

function adapterOf(model: string, entries: Entries): Adapter {
  const keyOf = (id: string) => `${model} ${id}`;
  const find = async (isMeant: (payload: AdapterPayload) => boolean) => {
    const found = [...entries].find(([key, { payload }]) => key.startsWith(`${model} `) && isMeant(payload));
    return found?.[1].payload;
  };
  return {
    async upsert(id, payload, expiresInSeconds = Number.POSITIVE_INFINITY) {
      entries.delete(keyOf(id));
      entries.set(keyOf(id), { payload, expiresAtMillis: Date.now() + expiresInSeconds * 1000 });
      dropOldest(entries, maxEntries);
    },
    async find(id) {
      const entry = entries.get(keyOf(id));
      return entry !== undefined && entry.expiresAtMillis > Date.now() ? entry.payload : undefined;
    },
    findByUid: uid => find(payload => payload.uid === uid),
    findByUserCode: userCode => find(payload => payload.userCode === userCode),
    async consume(id) {
      const entry = entries.get(keyOf(id));
      if (entry !== undefined) entry.payload.consumed = Math.floor(Date.now() / 1000);
    },
    async destroy(id) {
      entries.delete(keyOf(id));
    },
    async revokeByGrantId(grantId) {
      for (const [key, { payload }] of entries) if (payload.grantId === grantId) entries.delete(key);
    },
  };
}
