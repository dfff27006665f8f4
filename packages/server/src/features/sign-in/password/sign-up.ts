import { fail, passwordEndpoints } from '@tessera/protocol';
import type { Settings } from '../../../env.ts';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Passwords } from '../../../platform/crypto/passwords.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import { logFailure } from '../../../platform/observability/log-failure.ts';
import { mailUses, type RateLimits, signUpUses } from '../../../platform/rate-limits/index.ts';
import { sendVerification } from '../../accounts/contact-channels/index.ts';
import {
  assertNotImpersonated,
  assertStrongPassword,
  normalizedEmail,
  selectCredential,
} from '../../accounts/users/index.ts';
import { type Mail, showsTypedCode } from '../../email/queue/index.ts';
import { sessionTermsOf } from '../../sessions/index.ts';
import type { OpenAccount } from '../accounts.ts';
import { type FinishSignInDeps, startSession } from '../finish.ts';
import { assertMaySignUp, isOwnAddress } from '../rules.ts';

export type PasswordSignUpDeps = FinishSignInDeps & {
  readonly settings: Pick<Settings, 'mode'>;
  readonly clock: Clock;
  readonly db: Database;
  readonly passwords: Passwords;
  readonly mail: Mail;
  readonly rateLimits: RateLimits;
};

/** docs/contract/sign-in-methods.md#password-sign-up */
export function passwordSignUpRoutes(deps: PasswordSignUpDeps, openAccount: OpenAccount): BoundRoute[] {
  return [
    bind(passwordEndpoints.signUp, async call => {
      const { body, project, user: caller, request, source } = call;
      const { password, verification_callback_url: callbackUrl } = body;
      const address = normalizedEmail(body.email);
      assertMaySignUp({ address, password, callbackUrl }, project.config);
      if (caller?.isAnonymous === true) await assertNotImpersonated(call, deps.db);
      await assertStrongPassword(password, { project, addresses: [address] }, deps);
      await deps.rateLimits.spend(signUpUses(call));
      const taken = await selectCredential(deps.db, project.id, address);
      if (taken !== undefined && !isOwnAddress(taken, caller)) fail('USER_EMAIL_ALREADY_EXISTS', { email: address });
      await deps.rateLimits.assertLeft(mailUses(call, address, 'verification'));

      const passwordHash = await deps.passwords.hash(password, project.id);
      // The settings may have changed while the password waited for its hash.
      const { project: current } =
        (await deps.projects.find(project.id)) ?? fail('PROJECT_NOT_FOUND', { project_id: project.id });
      assertMaySignUp({ address, password, callbackUrl }, current.config);
      const primaryEmail = { value: address, isVerified: false, usedForAuth: true };
      const creation = { displayName: null, passwordHash, primaryEmail, nowMillis: deps.clock.now() };
      const terms = await sessionTermsOf(project.id, deps);
      const passed = { projectId: project.id, isNewUser: true, request, source, method: 'password', terms };
      const hasTypedCode =
        current.config.asksForVerificationCode && (await showsTypedCode(deps.db, project.id, 'email_verification'));
      const signedUp = await transaction(deps.db, async tx => {
        const user = await openAccount(tx, { project: current, caller, creation, call });
        const verification = { projectId: project.id, userId: user.id, address, callbackUrl, hasTypedCode };
        const countsInQuota = !source.isOwnMachine;
        const email = { ...verification, userDisplayName: user.displayName, countsInQuota };
        const nonce = await sendVerification(tx, email, deps);
        const session = await startSession(tx, { ...passed, userId: user.id }, deps);
        return hasTypedCode ? { ...session, email_verification_nonce: nonce } : session;
      });
      // Counted after the commit: of concurrent sign-ups with one address only one sends an email.
      await logFailure(
        deps.rateLimits.count(mailUses(call, address, 'verification')),
        deps.log,
        'a sent email was not counted',
      );
      return signedUp;
    }),
  ];
}
