import { fail, isKnown, otpEndpoints, typedCodeLength } from '@tessera/protocol';
import type { Deps } from '../../deps.ts';
import { type BoundRoute, bind } from '../../http/bind.ts';
import { refuse } from '../../http/refusal.ts';
import { transaction } from '../../platform/db.ts';
import { checkCode, createCode, linkWithCode, redeemCode } from '../codes/index.ts';
import { assertTrusted } from '../contact-channels/index.ts';
import type { Project } from '../projects/index.ts';
import { type CallUser, normalizedEmail } from '../users/index.ts';
import type { OpenAccount } from './accounts.ts';
import { finishSignIn } from './finish.ts';
import { assertMayUseAddress } from './rules.ts';
import { enableOtp, selectAccount } from './store.ts';

/** sign-in-methods.md 4 */
export function otpRoutes(deps: Deps, openAccount: OpenAccount): BoundRoute[] {
  return [
    bind(otpEndpoints.sendSignInCode, async ({ body, project }) => {
      if (!project.config.magicLinkEnabled) refuse(403, 'Sign-in by e-mail code is switched off for this project.');
      const address = normalizedEmail(body.email);
      const account = await selectAccount(deps.db, project.id, address);
      assertMayUseAddress(address, account, project.config);
      assertTrusted(body.callback_url, project.config);
      const code = await transaction(deps.db, async tx => {
        if (account !== undefined) await enableOtp(tx, project.id, account.userId);
        const request = { projectId: project.id, kind: 'sign_in', userId: null, address, data: {} } as const;
        const made = await createCode(tx, request, deps);
        await deps.mail.send(tx, {
          projectId: project.id,
          template: 'magic_link',
          recipient: address,
          variables: {
            magicLink: linkWithCode(body.callback_url, made.code),
            otp: made.code.slice(0, typedCodeLength).toUpperCase(),
          },
        });
        return made.code;
      });
      return { nonce: code.slice(typedCodeLength) };
    }),

    bind(otpEndpoints.signIn, async ({ body, project, user: caller, request }) => {
      const { address } = await redeemCode({ projectId: project.id, kind: 'sign_in', code: body.code }, deps);
      if (address === null) fail('VERIFICATION_CODE_NOT_FOUND');
      const { userId, isNewUser } = await accountFor(address, { project, caller });
      const signedIn = await finishSignIn({ projectId: project.id, userId, isNewUser, request }, deps);
      return { ...(signedIn ?? fail('VERIFICATION_CODE_NOT_FOUND')), is_new_user: isNewUser };
    }),

    bind(otpEndpoints.checkCode, async ({ body, project }) => {
      await checkCode({ projectId: project.id, kind: 'sign_in', code: body.code }, deps);
      return { is_code_valid: true } as const;
    }),
  ];

  /** The account of an address, opened when there is none. Two codes at once: one opens it, the other signs in. */
  async function accountFor(address: string, by: { project: Project; caller: CallUser | null }) {
    const { project, caller } = by;
    const account = await selectAccount(deps.db, project.id, address);
    assertMayUseAddress(address, account, project.config);
    if (account !== undefined) return { ...account, isNewUser: false };
    const primaryEmail = { value: address, isVerified: true, usedForAuth: true };
    const method = { passwordHash: null, otpAuthEnabled: true };
    const creation = { displayName: null, primaryEmail, ...method, nowMillis: deps.clock.now() };
    try {
      const user = await transaction(deps.db, tx => openAccount(tx, { project, caller, creation }));
      return { userId: user.id, isNewUser: true };
    } catch (error) {
      const winner = isKnown(error, 'USER_EMAIL_ALREADY_EXISTS')
        ? await selectAccount(deps.db, project.id, address)
        : undefined;
      if (winner?.isVerified !== true) throw error;
      return { ...winner, isNewUser: false };
    }
  }
}
