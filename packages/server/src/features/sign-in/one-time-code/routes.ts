import { otpEndpoints, requestHeaders, typedCodeLength } from '@tessera/protocol';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import { transaction } from '../../../platform/database/database.ts';
import { mailUses } from '../../../platform/rate-limits/index.ts';
import { enableOtp, normalizedEmail, selectEmailCode } from '../../accounts/users/index.ts';
import { auditedBy, recordAudit } from '../../audit/index.ts';
import type { Mail } from '../../email/queue/index.ts';
import { assertTrustedUrl } from '../../projects/index.ts';
import { checkCode, createCode, linkWithCode } from '../../verification-codes/index.ts';
import type { OpenAccount } from '../accounts.ts';
import { auditedSignIn } from '../attempts.ts';
import { assertMakerHasAccess } from '../made-links.ts';
import { assertMayUseAddress, opensLinksOnly } from '../rules.ts';
import { assertOtpEnabled, type CodeSignInDeps, selectCodeAccount, signInWithCode } from './sign-in.ts';

export type OneTimeCodeRoutesDeps = CodeSignInDeps & { readonly mail: Mail };

/** docs/contract/sign-in-methods.md#magic-link */
export function otpRoutes(deps: OneTimeCodeRoutesDeps, openAccount: OpenAccount): BoundRoute[] {
  return [
    bind(otpEndpoints.state, async ({ project, user }) => ({
      state: await selectEmailCode(deps.db, { projectId: project.id, userId: user.id }),
    })),

    bind(otpEndpoints.sendSignInCode, async call => {
      const { body, project, request } = call;
      assertOtpEnabled(project.config);
      const address = normalizedEmail(body.email);
      const account = await selectCodeAccount(deps.db, call, address);
      assertMayUseAddress(address, account, project.config);
      assertTrustedUrl(body.callback_url, project.config);
      await deps.rateLimits.spend(mailUses(call, address, 'access'));
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

    bind(otpEndpoints.signIn, call =>
      auditedSignIn(call, 'otp', learn => signInWithCode(call, learn, { openAccount, deps }), deps),
    ),

    bind(otpEndpoints.checkCode, async call => {
      const { body, project } = call;
      const presented = { projectId: project.id, kind: 'sign_in', code: body.code, by: call } as const;
      await assertMakerHasAccess(await checkCode(presented, deps), project.id, deps.db);
      return { is_code_valid: true } as const;
    }),
  ];
}
