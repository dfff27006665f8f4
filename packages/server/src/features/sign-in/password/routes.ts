import { fail, passwordEndpoints } from '@tessera/protocol';
import type { Deps } from '../../../deps.ts';
import { type BoundRoute, bind, type Call } from '../../../http/bind.ts';
import { refuse } from '../../../http/refusal.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import { type Transaction, transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { failedSignInUses, mailUses, signUpUses, unknownBlockUses } from '../../../platform/rate-limits/index.ts';
import { assertTrusted, sendVerification } from '../../accounts/contact-channels/index.ts';
import {
  assertNotImpersonated,
  assertRecentSignIn,
  assertStrongPassword,
  normalizedEmail,
  passwordNotices,
  selectCredential,
  selectUser,
  sendAccountNotice,
  serverUser,
  setPasswordHash,
} from '../../accounts/users/index.ts';
import { type AuditedCall, auditedBy, recordAudit } from '../../audit/index.ts';
import { deleteSessions, sessionTermsOf } from '../../sessions/index.ts';
import { checkCode, createCode, endCodes, linkWithCode, redeemCode } from '../../verification-codes/index.ts';
import { publishEvent } from '../../webhooks/events/index.ts';
import type { OpenAccount } from '../accounts.ts';
import { recordFailedSignIn } from '../attempts.ts';
import { finishSignIn, startSession } from '../finish.ts';
import { assertMaySignUp, assertNewPassword, assertPasswordsEnabled } from '../rules.ts';
import {
  holdAccount,
  keepOnlyAddress,
  lockForReset,
  selectAccount,
  selectPassword,
  selectPasswordAttempt,
} from '../store.ts';

type PasswordAction = 'factor.password_set' | 'factor.password_changed' | 'factor.password_reset';

const success = { success: true } as const;

/** docs/contract/sign-in-methods.md#password */
export function passwordRoutes(deps: Deps, openAccount: OpenAccount): BoundRoute[] {
  return [
    bind(passwordEndpoints.signUp, async call => {
      const { body, project, user: caller, request, source } = call;
      const { password, verification_callback_url: callbackUrl } = body;
      assertMaySignUp({ password, callbackUrl }, project.config);
      if (caller?.isAnonymous === true) await assertNotImpersonated(call, deps.db);
      const address = normalizedEmail(body.email);
      await assertStrongPassword(password, { project, addresses: [address] }, deps);
      await deps.rateLimits.spend(signUpUses(call));
      const taken = await selectCredential(deps.db, project.id, address);
      if (taken !== undefined) fail('USER_EMAIL_ALREADY_EXISTS', { email: address });
      await deps.rateLimits.assertLeft(mailUses(call, address));

      const passwordHash = await deps.passwords.hash(password);
      const primaryEmail = { value: address, isVerified: false, usedForAuth: true };
      const creation = { displayName: null, passwordHash, primaryEmail, nowMillis: deps.clock.now() };
      const terms = await sessionTermsOf(project.id, deps);
      const passed = { projectId: project.id, isNewUser: true, request, source, method: 'password', terms };
      const signedUp = await transaction(deps.db, async tx => {
        const user = await openAccount(tx, { project, caller, creation });
        const verification = { projectId: project.id, userId: user.id, address, callbackUrl };
        const countsInQuota = !source.isOwnMachine;
        await sendVerification(tx, { ...verification, userDisplayName: user.displayName, countsInQuota }, deps);
        return startSession(tx, { ...passed, userId: user.id }, deps);
      });
      // Of several who want the same address one gets it, and only that one's letter is in the post.
      await deps.rateLimits.count(mailUses(call, address));
      return signedUp;
    }),

    bind(passwordEndpoints.signIn, async call => {
      const { body, project, request, source } = call;
      assertPasswordsEnabled(project.config);
      const claim = { call, address: normalizedEmail(body.email), password: body.password };
      const passed = { projectId: project.id, isNewUser: false, request, source, method: 'password' };
      const first = await finishSignIn({ ...passed, ...(await verifyPasswordClaim(claim, deps)) }, deps);
      // The hash may have been renewed by another sign-in meanwhile; then the password matches that one too.
      const second = first ?? (await finishSignIn({ ...passed, ...(await verifyPasswordClaim(claim, deps)) }, deps));
      if (second !== undefined) return second;
      recordFailedSignIn(call, { method: 'password', reason: 'EMAIL_PASSWORD_MISMATCH' }, deps);
      fail('EMAIL_PASSWORD_MISMATCH');
    }),

    bind(passwordEndpoints.set, async call => {
      const { body, project, user } = call;
      assertPasswordsEnabled(project.config);
      assertNewPassword(body.password);
      await assertRecentSignIn(call, deps);
      await assertStrongPassword(body.password, { project, addresses: [user.primaryEmail] }, deps);
      if (user.hasPassword) refuse(400, 'There is a password already. Use the update call to change it.');
      const passwordHash = await deps.passwords.hash(body.password);
      await transaction(deps.db, async tx => {
        const isFirst = await setPasswordHash(tx, project.id, user.id, { from: null, to: passwordHash });
        if (!isFirst) refuse(400, 'There is a password already. Use the update call to change it.');
        await passwordChanged(tx, { call, action: 'factor.password_set', userId: user.id, to: [user.primaryEmail] });
      });
      return success;
    }),

    bind(passwordEndpoints.update, async call => {
      const { body, headers, project, user } = call;
      assertPasswordsEnabled(project.config);
      assertNewPassword(body.new_password);
      await assertRecentSignIn(call, deps);
      await assertStrongPassword(body.new_password, { project, addresses: [user.primaryEmail] }, deps);
      const subject = { projectId: project.id, userId: user.id, block: call.source.block, nowMillis: deps.clock.now() };
      const { passwordHash: current, isKnownSource } = await selectPassword(deps.db, subject);
      if (current === null) fail('USER_DOES_NOT_HAVE_PASSWORD');
      await assertOldPassword(call, { current, isKnownSource });
      const next = await deps.passwords.hash(body.new_password);
      const refreshToken = headers['x-stack-refresh-token'];
      await transaction(deps.db, async tx => {
        const isOurs = await setPasswordHash(tx, project.id, user.id, { from: current, to: next });
        if (!isOurs) fail('PASSWORD_CONFIRMATION_MISMATCH');
        await deleteSessions(tx, project.id, user.id, refreshToken ? sha256(refreshToken) : null);
        await passwordChanged(tx, {
          call,
          action: 'factor.password_changed',
          userId: user.id,
          to: [user.primaryEmail],
        });
      });
      return success;
    }),

    bind(passwordEndpoints.sendResetCode, async call => {
      const { body, project } = call;
      assertPasswordsEnabled(project.config);
      // Before the account is looked up: an untrusted callback must not tell whether there is one (control 2).
      assertTrusted(body.callback_url, project.config);
      const address = normalizedEmail(body.email);
      // Whether or not there is an account, so that the limit does not tell.
      await deps.rateLimits.spend(mailUses(call, address));
      await transaction(deps.db, async tx => {
        const account = await holdAccount(tx, project.id, address);
        const reset = { projectId: project.id, address, account, callbackUrl: body.callback_url };
        await enqueueResetCode(tx, { ...reset, countsInQuota: !call.source.isOwnMachine }, deps);
      });
      return { success: 'maybe, only if user with e-mail exists' } as const;
    }),

    bind(passwordEndpoints.reset, async call => {
      const { body, project } = call;
      const presented = { projectId: project.id, kind: 'password_reset', code: body.code, by: call } as const;
      const { userId, address } = await redeemCode(presented, deps);
      assertPasswordsEnabled(project.config);
      assertNewPassword(body.password);
      if (userId === null || address === null) fail('VERIFICATION_CODE_NOT_FOUND');
      await assertStrongPassword(body.password, { project, addresses: [address] }, deps);
      const passwordHash = await deps.passwords.hash(body.password);
      const nowMillis = deps.clock.now();
      await transaction(deps.db, async tx => {
        // Locked first: what is read next of the account and its channels holds until the commit.
        const locked = await lockForReset(tx, project.id, userId);
        // A code expires with its address: another account, or none, may have it now (control 21).
        const account = await holdAccount(tx, project.id, address);
        if (locked === undefined || account?.userId !== userId) fail('VERIFICATION_CODE_NOT_FOUND');
        const hadPassword = locked.passwordHash !== null;
        if (!account.isVerified) await keepOnlyAddress(tx, { projectId: project.id, userId, address });
        await setPasswordHash(tx, project.id, userId, { to: passwordHash });
        await deleteSessions(tx, project.id, userId, null);
        const user = (await selectUser(tx, project.id, userId)) ?? fail('VERIFICATION_CODE_NOT_FOUND');
        await passwordChanged(tx, {
          call,
          action: 'factor.password_reset',
          userId,
          hadPassword,
          to: [user.primaryEmail, address],
        });
        await publishEvent(tx, { projectId: project.id, type: 'user.updated', data: serverUser(user), nowMillis });
      });
      return success;
    }),

    bind(passwordEndpoints.checkResetCode, async call => {
      const { body, project } = call;
      const presented = { projectId: project.id, kind: 'password_reset', code: body.code, by: call } as const;
      const { userId, address } = await checkCode(presented, deps);
      const account = address === null ? undefined : await selectAccount(deps.db, project.id, address);
      const isTheirs = account?.userId === userId;
      return isTheirs ? ({ is_code_valid: true } as const) : fail('VERIFICATION_CODE_NOT_FOUND');
    }),
  ];

  /** Guessed at like a password that signs in, by whoever has an access token of somebody else. */
  function assertOldPassword(
    call: Call<typeof passwordEndpoints.update>,
    { current, isKnownSource }: { current: string; isKnownSource: boolean },
  ): Promise<void> {
    const account = call.user.primaryEmail ?? call.user.id;
    const narrow = failedSignInUses(call, account);
    const uses = isKnownSource ? narrow : [...narrow, ...unknownBlockUses(call, account)];
    return deps.rateLimits.limitConcurrency(narrow[0], async () => {
      await deps.rateLimits.assertLeft(uses);
      if (await deps.passwords.matches(call.body.old_password, current)) return;
      await deps.rateLimits.spend(uses);
      fail('PASSWORD_CONFIRMATION_MISMATCH');
    });
  }

  /** What every new password brings with it: sign-ins that were begun before end (control 21), and somebody is told. */
  async function passwordChanged(
    tx: Transaction,
    change: { call: AuditedCall; action: PasswordAction; userId: string; hadPassword?: boolean; to: (string | null)[] },
  ): Promise<void> {
    const { call, action, userId, hadPassword = action !== 'factor.password_set', to } = change;
    const projectId = call.project.id;
    await endCodes(tx, { projectId, userId, kind: 'mfa_attempt' });
    for (const notice of passwordNotices(true, hadPassword, to))
      await sendAccountNotice(tx, { projectId, ...notice }, deps);
    await recordAudit(tx, { ...auditedBy(call), action, userId, atMillis: deps.clock.now() });
  }
}

/**
 * Makes a code and posts it. For an unknown address all is done that is done for a known one, so that the answer takes
 * as long (control 13); but the code opens nothing, and the letter is taken out of the post again.
 */
async function enqueueResetCode(
  tx: Transaction,
  reset: {
    projectId: string;
    address: string;
    account: { userId: string; displayName: string | null } | undefined;
    callbackUrl: string;
    countsInQuota: boolean;
  },
  deps: Deps,
): Promise<void> {
  const { projectId, address, account, callbackUrl, countsInQuota } = reset;
  const request = { projectId, kind: 'password_reset', userId: account?.userId ?? null, address, data: {} } as const;
  const { code } = await createCode(tx, request, deps);
  const name = account?.displayName ?? null;
  await tx.query(sql`savepoint letter`);
  await deps.mail.send(tx, {
    projectId,
    template: 'password_reset',
    recipient: address,
    userId: account?.userId,
    countsInQuota,
    variables: {
      passwordResetLink: linkWithCode(callbackUrl, code),
      ...(name === null ? {} : { userDisplayName: name }),
    },
  });
  await tx.query(account === undefined ? sql`rollback to savepoint letter` : sql`release savepoint letter`);
}

interface PasswordClaim {
  readonly call: Call<typeof passwordEndpoints.signIn>;
  /** Normalised. */
  readonly address: string;
  readonly password: string;
}

/**
 * The account whose password was given. Compared in every case: an unknown address must cost what a wrong password
 * costs.
 * Controls 1, 2.
 *
 * @throws EMAIL_PASSWORD_MISMATCH
 */
async function verifyPasswordClaim(
  claim: PasswordClaim,
  deps: Deps,
): Promise<{ userId: string; passwordHash: string }> {
  const { call, address } = claim;
  const narrow = failedSignInUses(call, address);
  const everywhere = unknownBlockUses(call, address);
  deps.rateLimits.assertNotRemembered(narrow);
  return deps.rateLimits.limitConcurrency(narrow[0], async () => {
    deps.rateLimits.assertNotRemembered(narrow);
    const { id: projectId } = call.project;
    const { userId, passwordHash, isKnownSource, spent } = await selectPasswordAttempt(deps.db, {
      projectId,
      address,
      block: call.source.block,
      nowMillis: deps.clock.now(),
      spentColumn: deps.rateLimits.check([...narrow, ...everywhere]).spentColumn,
    });
    const uses = isKnownSource ? narrow : [...narrow, ...everywhere];
    deps.rateLimits.check(uses).assertLeft(spent);
    const matches = await deps.passwords.matches(claim.password, passwordHash);
    if (userId !== null && passwordHash !== null && matches) {
      const account = { projectId, userId, password: claim.password, passwordHash };
      return { userId, passwordHash: await renewed(account, deps) };
    }
    const failed = { method: 'password', reason: 'EMAIL_PASSWORD_MISMATCH', userId: userId ?? undefined };
    recordFailedSignIn(call, failed, deps);
    await deps.rateLimits.spend(uses);
    fail('EMAIL_PASSWORD_MISMATCH');
  });
}

/** Imported and older hashes become ours while the password is at hand. @returns the hash that counts now */
async function renewed(
  account: { projectId: string; userId: string; password: string; passwordHash: string },
  deps: Deps,
): Promise<string> {
  const { projectId, userId, password, passwordHash } = account;
  if (!deps.passwords.needsRehash(passwordHash)) return passwordHash;
  const better = await deps.passwords.hash(password);
  const isOurs = await setPasswordHash(deps.db, projectId, userId, { from: passwordHash, to: better });
  return isOurs ? better : passwordHash;
}
