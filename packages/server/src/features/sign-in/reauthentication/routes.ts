import { fail, reauthenticationEndpoints, typedCodeLength } from '@tessera/protocol';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, type Transaction, transaction } from '../../../platform/database/database.ts';
import { mailUses, type RateLimits } from '../../../platform/rate-limits/index.ts';
import { recordPasskeyUse } from '../../accounts/credentials/index.ts';
import {
  assertSessionMayReauthenticate,
  holdCallerSession,
  lockUser,
  needsReauthentication,
} from '../../accounts/users/index.ts';
import { type AuditWriter, auditedBy, recordAudit } from '../../audit/index.ts';
import type { Mail } from '../../email/queue/index.ts';
import { recordReauthentication } from '../../sessions/index.ts';
import { createCode } from '../../verification-codes/index.ts';
import { auditedSignIn, type Learn } from '../attempts.ts';
import { type PasskeyProofDeps, verifyPasskeyAnswer } from '../passkey/proof.ts';
import { type ProofDeps, type ProveCall, proveCode, provePassword, proveSecondFactor } from './proofs.ts';
import { reauthenticationMethods } from './rules.ts';

type ReauthenticationRoutesDeps = PasskeyProofDeps &
  ProofDeps & {
    readonly clock: Clock;
    readonly db: Database;
    readonly mail: Mail;
    readonly audit: AuditWriter;
    readonly rateLimits: RateLimits;
  };

/** Proves the identity of a signed-in user again, in the same session (docs/contract/decisions.md#account-safety). */
export function reauthenticationRoutes(deps: ReauthenticationRoutesDeps): BoundRoute[] {
  return [
    bind(reauthenticationEndpoints.read, async call => ({
      methods: reauthenticationMethods(call.user, call.project.config).map(({ method, needsTotp }) => ({
        method,
        needs_totp: needsTotp,
      })),
      is_required: await needsReauthentication(call, deps),
    })),

    bind(reauthenticationEndpoints.sendCode, async call => {
      const { project, user } = call;
      await assertSessionMayReauthenticate(call, deps);
      const address = user.primaryEmailVerified ? user.primaryEmail : null;
      if (address === null) fail('EMAIL_NOT_VERIFIED');
      await deps.rateLimits.spend(mailUses(call, address, 'access'));
      const { code } = await transaction(deps.db, async tx => {
        if (!(await lockUser(tx, { projectId: project.id, userId: user.id }, 'hold')))
          fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
        await holdCallerSession(tx, call, deps);
        const asked = { projectId: project.id, kind: 'reauthentication', userId: user.id, address, data: {} } as const;
        const made = await createCode(tx, asked, deps);
        await deps.mail.send(tx, {
          projectId: project.id,
          template: 'reauthentication_code',
          recipient: address,
          userId: user.id,
          variables: { otp: made.code.slice(0, typedCodeLength).toUpperCase() },
        });
        return made;
      });
      return { nonce: code.slice(typedCodeLength) };
    }),

    bind(reauthenticationEndpoints.prove, async call => {
      const { project, user } = call;
      await assertSessionMayReauthenticate(call, deps);
      const method = methodOf(call);
      const recordUseOf = await auditedSignIn(call, `reauthentication:${method}`, learn => prove(call, learn), deps);
      const atMillis = deps.clock.now();
      await transaction(deps.db, async tx => {
        if (!(await lockUser(tx, { projectId: project.id, userId: user.id }, 'hold')))
          fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
        await holdCallerSession(tx, call, deps);
        await recordUseOf?.(tx);
        if (call.sessionId !== undefined) await recordReauthentication(tx, project.id, call.sessionId, atMillis);
        const event = { action: 'session.reauthenticated', userId: user.id, details: { method }, atMillis } as const;
        await recordAudit(tx, { ...auditedBy(call), ...event });
      });
      return { success: true } as const;
    }),
  ];

  /**
   * Checks the proof of the request.
   *
   * @returns for a passkey: records its use, under the lock of the user
   */
  async function prove(call: ProveCall, learn: Learn): Promise<((tx: Transaction) => Promise<void>) | undefined> {
    const { body, user } = call;
    learn({ userId: user.id });
    if (body.passkey !== undefined) return provePasskey(call, body.passkey, learn);
    if (body.password !== undefined) await provePassword(call, body.password, { learn, deps });
    else if (body.code !== undefined) await proveCode(call, body.code, { learn, deps });
    return undefined;
  }

  async function provePasskey(call: ProveCall, sent: PasskeyProof, learn: Learn) {
    const { project, user } = call;
    const place = { endpoint: reauthenticationEndpoints.prove, at: ['passkey', 'authentication_response'] };
    const presented = { code: sent.code, answer: sent.authentication_response, ...place };
    const proved = await verifyPasskeyAnswer(call, presented, { learn, deps });
    const { userId, credentialId, use, provesBothFactors } = proved;
    if (userId !== user.id) fail('PASSKEY_AUTHENTICATION_FAILED');
    if (!provesBothFactors) await proveSecondFactor(call, { learn, deps });
    return async (tx: Transaction) => {
      const id = { projectId: project.id, userId };
      if (!(await recordPasskeyUse(tx, id, credentialId, use))) fail('PASSKEY_AUTHENTICATION_FAILED');
    };
  }
}

type PasskeyProof = NonNullable<ProveCall['body']['passkey']>;

function methodOf({ body }: ProveCall): 'password' | 'code' | 'passkey' {
  if (body.password !== undefined) return 'password';
  return body.code === undefined ? 'passkey' : 'code';
}
