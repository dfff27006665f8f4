import { fail, passkeyEndpoints } from '@tessera/protocol';
import type { Call } from '../../../core/call.ts';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, type Transaction, transaction } from '../../../platform/database/database.ts';
import { type RateLimits, requestUses } from '../../../platform/rate-limits/index.ts';
import { recordPasskeyUse } from '../../accounts/credentials/index.ts';
import type { AuditWriter } from '../../audit/index.ts';
import { createCode } from '../../verification-codes/index.ts';
import { auditedSignIn, type Learn } from '../attempts.ts';
import { type FinishSignInDeps, finishSignIn } from '../finish.ts';
import { createChallenge } from './challenge.ts';
import { type PasskeyProofDeps, verifyPasskeyAnswer } from './proof.ts';
import { assertPasskeysEnabled } from './rules.ts';
import { requestOptions } from './wire.ts';

export type PasskeyAuthenticationDeps = FinishSignInDeps &
  PasskeyProofDeps & {
    readonly clock: Clock;
    readonly db: Database;
    readonly audit: AuditWriter;
    readonly rateLimits: RateLimits;
  };

/** Sign-in with a passkey. */
export function passkeyAuthenticationRoutes(deps: PasskeyAuthenticationDeps): BoundRoute[] {
  return [
    bind(passkeyEndpoints.initiateAuthentication, async call => {
      const { project } = call;
      assertPasskeysEnabled(project.config);
      await deps.rateLimits.spend(requestUses('passkeyChallengesPerAddress', call));
      const challenge = createChallenge();
      const request = { projectId: project.id, kind: 'passkey_authentication', userId: null, address: null } as const;
      const { code } = await transaction(deps.db, tx => createCode(tx, { ...request, data: { challenge } }, deps));
      return { code, options_json: requestOptions(challenge) };
    }),

    bind(passkeyEndpoints.signIn, call => auditedSignIn(call, 'passkey', learn => signIn(call, learn, deps), deps)),
  ];
}

async function signIn(call: Call<typeof passkeyEndpoints.signIn>, learn: Learn, deps: PasskeyAuthenticationDeps) {
  const { project, request, source } = call;
  const place = { endpoint: passkeyEndpoints.signIn, at: ['authentication_response'] };
  const presented = { code: call.body.code, answer: call.body.authentication_response, ...place };
  const proved = await verifyPasskeyAnswer(call, presented, { learn, deps });
  const { userId, credentialId, use, provesBothFactors } = proved;
  // Under the lock of the sign-in: a concurrent use may have raised the counter, or the passkey may be deleted.
  const user = { projectId: project.id, userId };
  const isStillValid = (tx: Transaction) => recordPasskeyUse(tx, user, credentialId, use);
  const signedIn = await finishSignIn(
    {
      projectId: project.id,
      userId,
      isNewUser: false,
      request,
      source,
      method: 'passkey',
      provesBothFactors,
      isStillValid,
    },
    deps,
  );
  return { ...(signedIn ?? fail('PASSKEY_AUTHENTICATION_FAILED')), is_new_user: false } as const;
}
