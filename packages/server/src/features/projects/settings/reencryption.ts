import { type Resealed, resealedValue } from '../../../platform/crypto/reencryption.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import { lockConfig, selectIdsWithSealedConfig, updateConfig } from '../store.ts';
import { sealedSettings } from './encrypted.ts';

/** Encrypts under the installation's secret what the settings of projects hold under the other one that is accepted. */
export async function resealProjects(db: Database, secrets: Secrets): Promise<Resealed> {
  let [resealed, unreadable] = [0, 0];
  for (const id of await selectIdsWithSealedConfig(db)) {
    const done = await transaction(db, async tx => {
      const config = await lockConfig(tx, id);
      const fresh = resealedConfig(config, secrets);
      if (fresh.resealed > 0) await updateConfig(tx, id, fresh.value);
      return fresh;
    });
    resealed += done.resealed;
    unreadable += done.unreadable;
  }
  return { resealed, unreadable };
}

/** Settings at any depth, those that are encrypted under another secret encrypted anew. */
function resealedConfig(value: unknown, secrets: Secrets): Resealed & { readonly value: unknown } {
  let [resealed, unreadable] = [0, 0];

  function visit(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, visitSetting(name, inner)]));
  }

  function visitSetting(name: string, inner: unknown): unknown {
    const purpose = sealedSettings[name];
    if (purpose === undefined || typeof inner !== 'string') return visit(inner);
    const sealed = Buffer.from(inner, 'base64');
    if (sealed.subarray(0, secrets.seal.length).equals(secrets.seal)) return inner;
    const fresh = resealedValue({ sealed, purpose }, secrets);
    if (fresh === undefined) {
      unreadable++;
      return inner;
    }
    resealed++;
    return fresh.toString('base64');
  }

  return { value: visit(value), resealed, unreadable };
}
