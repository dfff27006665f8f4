import { randomBytes } from 'node:crypto';
import { fail, passkeyChallengeBytes, passkeyEndpoints } from '@tessera/protocol';
import type { Deps } from '../../../deps.ts';
import { type BoundRoute, bind, type Call } from '../../../http/bind.ts';
import { validatePart } from '../../../http/validate.ts';
import { transaction } from '../../../platform/database/database.ts';
import { requestUses } from '../../../platform/rate-limits/index.ts';
import {
  assertRecentSignIn,
  type CallUser,
  holdCallerSession,
  holdUser,
  sendAccountNotice,
} from '../../accounts/users/index.ts';
import { auditedBy, recordAudit } from '../../audit/index.ts';
import type { Project } from '../../projects/index.ts';
import { createCode, redeemCode } from '../../verification-codes/index.ts';
import { auditedSignIn, finishSignIn, type Learn } from '../index.ts';
import { authenticationAnswer, originOf, registrationAnswer } from './answers.ts';
import { assertPasskeysEnabled, originVerdict, userHandleOf } from './rules.ts';
import { AlreadyRegistered, insertPasskey, recordUse, selectPasskey, selectPasskeysOf } from './store.ts';
import { type Verdict, verifyAuthentication, verifyRegistration } from './verification.ts';
import { creationOptions, requestOptions } from './wire.ts';

const namelessUser = 'My account';

/** The longest refusal reason in the log. It may contain what the caller sent. */
const refusalMaxLength = 300;

/** docs/contract/sign-in-methods.md#passkeys */
export function passkeyRoutes(deps: Deps): BoundRoute[] {
  return [
    bind(passkeyEndpoints.initiateRegistration, async call => {
      const { project, user } = call;
      assertPasskeysEnabled(project.config);
      await assertRecentSignIn(call, deps);
      await deps.rateLimits.spend(requestUses('passkeyChallengesPerAddress', call));
      const challenge = createChallenge();
      const registered = await selectPasskeysOf(deps.db, project.id, user.id);
      const request = { projectId: project.id, kind: 'passkey_registration', userId: user.id, address: null } as const;
      const { code } = await transaction(deps.db, async tx => {
        if (!(await holdUser(tx, project.id, user.id))) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
        await holdCallerSession(tx, call, deps);
        return createCode(tx, { ...request, data: { challenge } }, deps);
      });
      const named = { handle: userHandleOf(user.id), name: nameOf(user) };
      return {
        code,
        options_json: creationOptions({ challenge, projectName: project.displayName, user: named, registered }),
      };
    }),

    bind(passkeyEndpoints.register, async call => {
      const { body, project, user } = call;
      await assertRecentSignIn(call, deps);
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
      const passkey = assertProved(verdict, project, 'PASSKEY_REGISTRATION_FAILED');
      const createdAtMillis = deps.clock.now();
      await transaction(deps.db, async tx => {
        if (!(await holdUser(tx, project.id, user.id))) fail('PASSKEY_REGISTRATION_FAILED');
        await holdCallerSession(tx, call, deps);
        await insertPasskey(tx, project.id, { ...passkey, userId: user.id, createdAtMillis });
        const event = { action: 'factor.passkey_added', userId: user.id, atMillis: createdAtMillis } as const;
        await recordAudit(tx, { ...auditedBy(call), ...event });
        await sendAccountNotice(
          tx,
          { projectId: project.id, to: [user.primaryEmail], notice: 'passkey_added', about: {} },
          deps,
        );
      }).catch((error: unknown) => {
        if (error instanceof AlreadyRegistered) fail('PASSKEY_REGISTRATION_FAILED');
        throw error;
      });
      return { user_handle: passkey.credentialId };
    }),

    bind(passkeyEndpoints.initiateAuthentication, async call => {
      const { project } = call;
      assertPasskeysEnabled(project.config);
      await deps.rateLimits.spend(requestUses('passkeyChallengesPerAddress', call));
      const challenge = createChallenge();
      const request = { projectId: project.id, kind: 'passkey_authentication', userId: null, address: null } as const;
      const { code } = await transaction(deps.db, tx => createCode(tx, { ...request, data: { challenge } }, deps));
      return { code, options_json: requestOptions(challenge) };
    }),

    bind(passkeyEndpoints.signIn, call => auditedSignIn(call, 'passkey', learn => signIn(call, learn), deps)),
  ];

  async function signIn(call: Call<typeof passkeyEndpoints.signIn>, learn: Learn) {
    const { body, project, request, source } = call;
    const presented = { projectId: project.id, kind: 'passkey_authentication', code: body.code, by: call } as const;
    const { data } = await redeemCode(presented, deps);
    assertPasskeysEnabled(project.config);
    const answer = validatePart(authenticationAnswer, body.authentication_response, {
      endpoint: passkeyEndpoints.signIn,
      url: request.url,
      at: ['authentication_response'],
    });
    const origin = assertTrustedOrigin(answer, project, 'PASSKEY_AUTHENTICATION_FAILED');
    const passkey = await selectPasskey(deps.db, project.id, answer.id);
    if (passkey === undefined) fail('PASSKEY_AUTHENTICATION_FAILED');
    const { userId, credentialId } = passkey;
    learn({ userId });
    const { userHandle } = answer.response;
    if (userHandle && userHandle !== userHandleOf(userId)) fail('PASSKEY_AUTHENTICATION_FAILED');
    const verdict = await verifyAuthentication(answer, { challenge: data.challenge, origin }, passkey);
    const use = { ...assertProved(verdict, project, 'PASSKEY_AUTHENTICATION_FAILED'), atMillis: deps.clock.now() };
    // Under the lock of the sign-in: a concurrent use may have raised the counter, or the passkey may be deleted.
    const isStillValid = (tx: Parameters<typeof recordUse>[0]) => recordUse(tx, project.id, credentialId, use);
    const signedIn = await finishSignIn(
      { projectId: project.id, userId, isNewUser: false, request, source, method: 'passkey', isStillValid },
      deps,
    );
    return { ...(signedIn ?? fail('PASSKEY_AUTHENTICATION_FAILED')), is_new_user: false } as const;
  }

  /** What a response has proved. The reason of a refusal is logged; the caller gets only the code. */
  function assertProved<T>(verdict: Verdict<T>, project: Project, code: PasskeyFailure): T {
    if ('proved' in verdict) return verdict.proved;
    deps.log.info(
      { projectId: project.id, reason: verdict.refusal.slice(0, refusalMaxLength) },
      'a passkey was refused',
    );
    fail(code);
  }
}

type PasskeyFailure = 'PASSKEY_REGISTRATION_FAILED' | 'PASSKEY_AUTHENTICATION_FAILED';

/** A new random challenge for every ceremony, in every mode of the server (control 65). */
function createChallenge(): string {
  return randomBytes(passkeyChallengeBytes).toString('base64url');
}

function nameOf(user: CallUser): string {
  return user.displayName ?? user.primaryEmail ?? namelessUser;
}

/**
 * @param otherwise the error for a value that is not an origin
 * @throws PASSKEY_AUTHENTICATION_FAILED for an untrusted origin, also in a registration
 */
function assertTrustedOrigin(
  answer: Parameters<typeof originOf>[0],
  { config }: Project,
  otherwise: PasskeyFailure,
): string {
  const origin = originOf(answer);
  const verdict = originVerdict(origin, config);
  if (verdict === 'no origin') fail(otherwise);
  if (verdict === 'untrusted') fail('PASSKEY_AUTHENTICATION_FAILED');
  return origin;
}
