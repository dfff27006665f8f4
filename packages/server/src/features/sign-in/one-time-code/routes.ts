import { fail, isKnown, otpEndpoints, requestHeaders, typedCodeLength } from '@tessera/protocol';
import type { Deps } from '../../../deps.ts';
import { type BoundRoute, bind, type Call } from '../../../http/bind.ts';
import { refuse } from '../../../http/refusal.ts';
import { type Transaction, transaction } from '../../../platform/database/database.ts';
import { mailUses, signUpUses } from '../../../platform/rate-limits/index.ts';
import { assertTrusted } from '../../accounts/contact-channels/index.ts';
import { assertNotImpersonated, normalizedEmail } from '../../accounts/users/index.ts';
import { auditedBy, recordAudit } from '../../audit/index.ts';
import type { ProjectConfig } from '../../projects/index.ts';
import { checkCode, createCode, linkWithCode, redeemCode } from '../../verification-codes/index.ts';
import type { OpenAccount } from '../accounts.ts';
import { auditedSignIn, type Learn } from '../attempts.ts';
import { finishSignIn } from '../finish.ts';
import { assertMayUseAddress, opensLinksOnly } from '../rules.ts';
import { enableOtp, selectAccount } from '../store.ts';

/** docs/contract/sign-in-methods.md#magic-link */
export function otpRoutes(deps: Deps, openAccount: OpenAccount): BoundRoute[] {
  return [
    bind(otpEndpoints.sendSignInCode, async call => {
      const { body, project, request } = call;
      assertOtpEnabled(project.config);
      const address = normalizedEmail(body.email);
      const account = await selectAccount(deps.db, project.id, address);
      assertMayUseAddress(address, account, project.config);
      assertTrusted(body.callback_url, project.config);
      await deps.rateLimits.spend(mailUses(call, address));
      const code = await transaction(deps.db, async tx => {
        if (account !== undefined && (await enableOtp(tx, project.id, account.userId))) {
          const event = { action: 'factor.otp_enabled', userId: account.userId, atMillis: deps.clock.now() } as const;
          await recordAudit(tx, { ...auditedBy(call), ...event });
        }
        const asked = { projectId: project.id, kind: 'sign_in', userId: null, address, data: {} } as const;
        const made = await createCode(tx, asked, deps);
        await deps.mail.send(tx, {
          projectId: project.id,
          template: 'magic_link',
          recipient: address,
          userId: account?.userId,
          countsInQuota: !call.source.isOwnMachine,
          variables: {
            magicLink: linkWithCode(body.callback_url, made.code),
            otp: made.code.slice(0, typedCodeLength).toUpperCase(),
            ...(opensLinksOnly(request.headers.get(requestHeaders.clientVersion)) ? { linkOnly: 'yes' } : {}),
          },
        });
        return made.code;
      });
      return { nonce: code.slice(typedCodeLength) };
    }),

    bind(otpEndpoints.signIn, call => auditedSignIn(call, 'otp', learn => signIn(call, learn), deps)),

    bind(otpEndpoints.checkCode, async call => {
      const { body, project } = call;
      await checkCode({ projectId: project.id, kind: 'sign_in', code: body.code, by: call }, deps);
      return { is_code_valid: true } as const;
    }),
  ];

  async function signIn(call: Call<typeof otpEndpoints.signIn>, learn: Learn) {
    const { body, project, request, source } = call;
    const presented = { projectId: project.id, kind: 'sign_in', code: body.code, by: call } as const;
    const { address } = await redeemCode(presented, deps);
    if (address === null) fail('VERIFICATION_CODE_NOT_FOUND');
    const { userId, isNewUser } = await findOrCreateAccount(address, call, learn);
    // The address may have left the account meanwhile (control 21).
    const isStillValid = async (tx: Transaction) => {
      const account = await selectAccount(tx, project.id, address);
      return account?.userId === userId && account.isVerified && !account.refusesCodes;
    };
    const passed = { projectId: project.id, userId, isNewUser, request, source, method: 'otp', isStillValid };
    const signedIn = await finishSignIn(passed, deps);
    return { ...(signedIn ?? fail('VERIFICATION_CODE_NOT_FOUND')), is_new_user: isNewUser };
  }

  /** Finds or creates the account of an address. Of two concurrent codes one creates it, the other signs in. */
  async function findOrCreateAccount(address: string, call: Call<typeof otpEndpoints.signIn>, learn: Learn) {
    const { project, user: caller } = call;
    const account = await selectAccount(deps.db, project.id, address);
    learn({ userId: account?.userId });
    assertMayUseAddress(address, account, project.config);
    if (account !== undefined) return { userId: account.userId, isNewUser: false };
    // Codes that were sent before the method was switched off sign in, but create no accounts
    // (docs/contract/sign-in-methods.md#project-switches).
    assertOtpEnabled(project.config);
    if (caller?.isAnonymous === true) await assertNotImpersonated(call, deps.db);
    await deps.rateLimits.spend(signUpUses(call));
    const primaryEmail = { value: address, isVerified: true, usedForAuth: true };
    const method = { passwordHash: null, otpAuthEnabled: true };
    const creation = { displayName: null, primaryEmail, ...method, nowMillis: deps.clock.now() };
    try {
      const user = await transaction(deps.db, tx => openAccount(tx, { project, caller, creation, call }));
      return { userId: user.id, isNewUser: true };
    } catch (error) {
      const winner = isKnown(error, 'USER_EMAIL_ALREADY_EXISTS')
        ? await selectAccount(deps.db, project.id, address)
        : undefined;
      if (winner?.isVerified !== true || winner.refusesCodes) throw error;
      return { userId: winner.userId, isNewUser: false };
    }
  }
}

/** @throws a text 403 */
function assertOtpEnabled({ magicLinkEnabled }: ProjectConfig): void {
  if (!magicLinkEnabled) refuse(403, 'Sign-in by e-mail code is switched off for this project.');
}
