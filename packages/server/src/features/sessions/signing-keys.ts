import { publicKeysMaxAgeMs, signingKeyEndpoints } from '@tessera/protocol';
import { type BoundRoute, bind } from '../../http/bind.ts';
import { refuse } from '../../http/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccessTokens } from '../../platform/crypto/access-tokens.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import { signingKeys } from '../../platform/crypto/signing-keys.ts';
import { type Database, transaction } from '../../platform/database/database.ts';
import { auditedBy, recordAudit } from '../audit/index.ts';
import { type Projects, publishProjectChange, raiseSigningKeys } from '../projects/index.ts';

export interface SigningKeysDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: Secrets;
  readonly projects: Projects;
  readonly accessTokens: AccessTokens;
}

/**
 * The next key is published before it signs, and the previous key verifies until its last token has expired (control
 * 31). So two rotations need a distance of a token's life plus the cache age of the key set.
 */
export function signingKeyRoutes(deps: SigningKeysDeps): BoundRoute[] {
  return [
    bind(signingKeyEndpoints.rotate, async call => {
      const projectId = call.project.id;
      const nowMillis = deps.clock.now();
      const distanceMs = deps.accessTokens.lifetimeMs + publicKeysMaxAgeMs;
      const generation = await transaction(deps.db, async tx => {
        const raised = await raiseSigningKeys(tx, projectId, { nowMillis, notAfterMillis: nowMillis - distanceMs });
        if (!('generation' in raised)) refuseRotation(raised.rotatedAtMillis + distanceMs - nowMillis);
        const details = { generation: raised.generation };
        await recordAudit(tx, { ...auditedBy(call), action: 'signing_keys.rotated', details, atMillis: nowMillis });
        await publishProjectChange(tx, projectId, deps);
        return raised.generation;
      });
      const { current, all } = signingKeys(deps.secrets, projectId, generation);
      return { current_kid: current.kid, published_kids: all.map(({ kid }) => kid) };
    }),
  ];
}

function refuseRotation(waitMs: number): never {
  refuse(429, 'The keys were rotated a moment ago: tokens of the key before must expire first.', {
    headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
  });
}
