import { svixEndpoints, webhookSecretOverlapSeconds } from '@tessera/protocol';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import { currentKey, makeSecret, rotateKeys } from '../delivery/signature.ts';
import { decryptKeys, encryptKeys } from '../endpoints/secrets.ts';
import { lockSecrets, selectSecrets, updateSecrets } from '../endpoints/store.ts';
import { holdMayChange } from './access.ts';
import { namedEndpoint } from './endpoints.ts';
import { notFound } from './failures.ts';
import { type SvixRoute, svixRoute } from './route.ts';

interface SigningSecretDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: Secrets;
}

/** The routes of the secrets that sign the requests to an endpoint. */
export function svixSigningSecretRoutes({ clock, db, secrets }: SigningSecretDeps): SvixRoute[] {
  return [
    svixRoute(svixEndpoints.readSecret, async call => {
      const { id } = await namedEndpoint(db, call);
      const encrypted = (await selectSecrets(db, call.project.id, id)) ?? notFound();
      return { key: currentKey(decryptKeys(secrets, encrypted)) };
    }),

    svixRoute(svixEndpoints.rotateSecret, async call => {
      const { key, gracePeriodSeconds } = call.body;
      const overlapMs = (gracePeriodSeconds ?? webhookSecretOverlapSeconds) * 1000;
      const next = { key: key ?? makeSecret(), overlapMs };
      await transaction(db, async tx => {
        await holdMayChange(tx, call.access, { clock });
        const { id } = await namedEndpoint(tx, call);
        const encrypted = (await lockSecrets(tx, call.project.id, id)) ?? notFound();
        const keys = rotateKeys(decryptKeys(secrets, encrypted), next, clock.now());
        await updateSecrets(tx, call.project.id, id, encryptKeys(secrets, keys));
      });
      return undefined;
    }),
  ];
}
