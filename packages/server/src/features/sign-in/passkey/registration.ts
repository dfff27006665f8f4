import { fail, passkeyEndpoints } from '@tessera/protocol';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import { validatePart } from '../../../http/request/validate.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import { clientWriteUses, type RateLimits, requestUses } from '../../../platform/rate-limits/index.ts';
import { AlreadyRegistered, insertPasskey, selectPasskeysOf } from '../../accounts/credentials/index.ts';
import { assertRecentSignIn, holdCallerSession, lockUser, sendAccountNotice } from '../../accounts/users/index.ts';
import { auditedBy, recordAudit } from '../../audit/index.ts';
import type { Mail } from '../../email/queue/index.ts';
import { createCode, redeemCode } from '../../verification-codes/index.ts';
import { registrationAnswer } from './answers.ts';
import { createChallenge } from './challenge.ts';
import { assertProved, assertTrustedOrigin, type PasskeyProofDeps } from './proof.ts';
import { assertPasskeysEnabled, assertPlaceForPasskey, promptNameOf, userHandleOf } from './rules.ts';
import { verifyRegistration } from './verification.ts';
import { creationOptions } from './wire.ts';

export type PasskeyRegistrationDeps = PasskeyProofDeps & {
  readonly clock: Clock;
  readonly db: Database;
  readonly mail: Mail;
  readonly rateLimits: RateLimits;
};

/** Registration of a passkey for the caller. */
export function passkeyRegistrationRoutes(deps: PasskeyRegistrationDeps): BoundRoute[] {
  return [
    bind(passkeyEndpoints.initiateRegistration, async call => {
      const { project, user } = call;
      assertPasskeysEnabled(project.config);
      await assertRecentSignIn(call, deps);
      await deps.rateLimits.spend(requestUses('passkeyChallengesPerAddress', call));
      const challenge = createChallenge();
      const registered = await selectPasskeysOf(deps.db, project.id, user.id);
      assertPlaceForPasskey(registered);
      const request = { projectId: project.id, kind: 'passkey_registration', userId: user.id, address: null } as const;
      const { code } = await transaction(deps.db, async tx => {
        if (!(await lockUser(tx, { projectId: project.id, userId: user.id }, 'hold')))
          fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
        await holdCallerSession(tx, call, deps);
        return createCode(tx, { ...request, data: { challenge } }, deps);
      });
      const named = { handle: userHandleOf(user.id), name: promptNameOf(user) };
      return {
        code,
        options_json: creationOptions({ challenge, projectName: project.displayName, user: named, registered }),
      };
    }),

    bind(passkeyEndpoints.register, async call => {
      const { body, project, user } = call;
      await assertRecentSignIn(call, deps);
      // Its removal, which no limit may delay, sends the user to webhooks.
      await deps.rateLimits.spend(clientWriteUses(call, user));
      const presented = { projectId: project.id, kind: 'passkey_registration', code: body.code, by: call } as const;
      const { userId, data } = await redeemCode(presented, deps);
      assertPasskeysEnabled(project.config);
      const credential = validatePart(registrationAnswer, body.credential, {
        endpoint: passkeyEndpoints.register,
        url: call.request.url,
        at: ['credential'],
      });
      // A challenge of one user does not register a passkey for another (control 67).
      if (userId !== user.id) fail('PASSKEY_REGISTRATION_FAILED');
      const origin = assertTrustedOrigin(credential, project, 'PASSKEY_REGISTRATION_FAILED');
      const verdict = await verifyRegistration(credential, { challenge: data.challenge, origin });
      const passkey = assertProved(verdict, { project, code: 'PASSKEY_REGISTRATION_FAILED' }, deps);
      const createdAtMillis = deps.clock.now();
      await transaction(deps.db, async tx => {
        if (!(await lockUser(tx, { projectId: project.id, userId: user.id }, 'change')))
          fail('PASSKEY_REGISTRATION_FAILED');
        await holdCallerSession(tx, call, deps);
        // Several registrations may have begun before the last place was taken. Each counts after the others have ended.
        assertPlaceForPasskey(await selectPasskeysOf(tx, project.id, user.id));
        await insertPasskey(tx, project.id, {
          ...passkey,
          userId: user.id,
          userAgent: call.level === 'client' ? call.source.userAgent : null,
          createdAtMillis,
        });
        const event = { action: 'factor.passkey_added', userId: user.id, atMillis: createdAtMillis } as const;
        await recordAudit(tx, { ...auditedBy(call), ...event });
        const notice = { notice: 'passkey_added', to: [user.primaryEmail], about: {} } as const;
        await sendAccountNotice(tx, { projectId: project.id, userId: user.id, ...notice, by: call }, deps);
      }).catch((error: unknown) => {
        if (error instanceof AlreadyRegistered) fail('PASSKEY_REGISTRATION_FAILED');
        throw error;
      });
      return { user_handle: passkey.credentialId };
    }),
  ];
}
