import { fail, mfaEndpoints, recoveryCodeEndpoints } from '@tessera/protocol';
import type { HttpRequest } from '../../../core/http-request.ts';
import type { Project } from '../../../core/project.ts';
import type { RequestSource } from '../../../core/request-source.ts';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import { type Database, type Transaction, transaction } from '../../../platform/database/database.ts';
import { lockUser } from '../../accounts/users/index.ts';
import type { AuditWriter } from '../../audit/index.ts';
import { sessionTermsOf } from '../../sessions/index.ts';
import {
  checkCode,
  hasCode,
  type PendingLink,
  recordAttemptSession,
  spendCode,
} from '../../verification-codes/index.ts';
import { auditedSignIn, type Learn } from '../attempts.ts';
import { type FinishSignInDeps, openRecordedSession } from '../finish.ts';
import { mayCompleteAttempt } from '../rules.ts';
import { acceptsCode } from '../store.ts';
import { signInResponse } from '../wire.ts';
import { assertRecoveryCode, type RecoveryCodeDeps, recoveryCodeRoutes } from './recovery-codes.ts';
import { assertTotp, type SecondFactorCall, type SpendAttempt, type TotpDeps } from './totp.ts';

export type SecondFactorRoutesDeps = FinishSignInDeps &
  RecoveryCodeDeps &
  TotpDeps & {
    readonly db: Database;
    readonly audit: AuditWriter;
  };

/** Links the provider account of a sign-in, whose user has now verified the second factor. OAuth does this. */
export type CompleteLink = (
  tx: Transaction,
  link: {
    readonly project: Project;
    readonly userId: string;
    readonly source: RequestSource;
    readonly pendingLink: PendingLink;
  },
) => Promise<void>;

interface Proving {
  readonly userId: string;
  readonly spendAttempt: SpendAttempt;
  readonly learn: Learn;
}

interface Finishing {
  readonly call: SecondFactorCall & { readonly request: HttpRequest; readonly body: { readonly code: string } };
  readonly method: 'totp' | 'recovery_code';
  /** Checks the second factor, and spends it with the attempt. */
  readonly prove: (attempt: Proving) => Promise<void>;
}

/** docs/contract/sign-in-methods.md#totp (RFC 6238, SHA-1, six digits), and recovery codes. */
export function mfaRoutes(deps: SecondFactorRoutesDeps, completeLink: CompleteLink): BoundRoute[] {
  return [
    bind(mfaEndpoints.signIn, call =>
      finish({
        call,
        method: 'totp',
        prove: ({ learn, ...attempt }) => assertTotp(call, { ...attempt, totp: call.body.totp }, { learn, deps }),
      }),
    ),

    bind(recoveryCodeEndpoints.signIn, async call => {
      let remaining = 0;
      const prove = async ({ learn, ...attempt }: Proving) => {
        const presented = { ...attempt, recoveryCode: call.body.recovery_code };
        remaining = await assertRecoveryCode(call, presented, { learn, deps });
      };
      return { ...(await finish({ call, method: 'recovery_code', prove })), remaining };
    }),

    ...recoveryCodeRoutes(deps),
  ];

  function finish(finishing: Finishing) {
    return auditedSignIn(finishing.call, finishing.method, learn => signIn(finishing, learn), deps);
  }

  async function signIn({ call, method, prove }: Finishing, learn: Learn) {
    const { body, project, request, source } = call;
    const presented = { projectId: project.id, kind: 'mfa_attempt', code: body.code, by: call } as const;
    const attempt = await checkCode(presented, deps);
    const userId = attempt.userId ?? fail('VERIFICATION_CODE_NOT_FOUND');
    learn({ userId });
    if (!mayCompleteAttempt(attempt.data.method, project.config)) fail('VERIFICATION_CODE_NOT_FOUND');
    await prove({ userId, spendAttempt: tx => spendCode(tx, project.id, attempt, deps), learn });
    const { isNewUser, codeAddress, pendingLink } = attempt.data;
    const terms = await sessionTermsOf(project.id, deps);
    const passed = { projectId: project.id, userId, isNewUser, request, source, method, terms };
    const tokens = await transaction(deps.db, async tx => {
      // A password change ends the attempts that began before it, also one that is being completed.
      const isOpen =
        (await lockUser(tx, { projectId: project.id, userId }, 'change')) !== undefined &&
        (await hasCode(tx, project.id, attempt.id)) &&
        (codeAddress === undefined || (await acceptsCode(tx, { projectId: project.id, userId, address: codeAddress })));
      if (!isOpen) fail('VERIFICATION_CODE_NOT_FOUND');
      if (pendingLink !== undefined) await completeLink(tx, { project, userId, source, pendingLink });
      const opened = await openRecordedSession(tx, passed, deps);
      await recordAttemptSession(tx, project.id, { attemptId: attempt.id, sessionId: opened.sessionId });
      return opened;
    });
    return { ...signInResponse(userId, tokens), is_new_user: isNewUser };
  }
}
