import { type Reencrypted, reencryptValue } from '../../../platform/crypto/reencryption.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import { lockConfig, selectIdsWithSealedConfig, updateConfig } from '../store.ts';
import { encryptedSettings } from './encrypted.ts';

/** Encrypts the secrets of all projects under the current secret, where they use the previous one. */
export async function reencryptProjects(db: Database, secrets: Secrets): Promise<Reencrypted> {
  let [reencrypted, unreadable] = [0, 0];
  for (const id of await selectIdsWithSealedConfig(db)) {
    const done = await transaction(db, async tx => {
      const config = await lockConfig(tx, id);
      const fresh = reencryptConfig(config, secrets);
      if (fresh.reencrypted > 0) await updateConfig(tx, id, fresh.value);
      return fresh;
    });
    reencrypted += done.reencrypted;
    unreadable += done.unreadable;
  }
  return { reencrypted, unreadable };
}

/** Encrypts all secrets of a configuration, at any depth, under the current secret. */
function reencryptConfig(value: unknown, secrets: Secrets): Reencrypted & { readonly value: unknown } {
  let [reencrypted, unreadable] = [0, 0];

  function visit(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, visitSetting(name, inner)]));
  }

  function visitSetting(name: string, inner: unknown): unknown {
    const purpose = encryptedSettings[name];
    if (purpose === undefined || typeof inner !== 'string') return visit(inner);
    const encrypted = Buffer.from(inner, 'base64');
    if (encrypted.subarray(0, secrets.currentHeader.length).equals(secrets.currentHeader)) return inner;
    const fresh = reencryptValue({ encrypted, purpose }, secrets);
    if (fresh === undefined) {
      unreadable++;
      return inner;
    }
    reencrypted++;
    return fresh.toString('base64');
  }

  return { value: visit(value), reencrypted, unreadable };
}
