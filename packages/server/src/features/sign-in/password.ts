import { fail, passwordEndpoints } from '@tessera/protocol';
import type { Deps } from '../../deps.ts';
import { type BoundRoute, bind } from '../../http/bind.ts';
import { refuse } from '../../http/refusal.ts';
import { announce } from '../../platform/announce.ts';
import { type Transaction, transaction } from '../../platform/db.ts';
import { sha256 } from '../../platform/secrets.ts';
import { sql } from '../../platform/sql.ts';
import { checkCode, createCode, linkWithCode, redeemCode } from '../codes/index.ts';
import { assertTrusted, sendVerification } from '../contact-channels/index.ts';
import { deleteSessions, signingKeysFor } from '../sessions/index.ts';
import { normalizedEmail, selectCredential, selectUser, serverUser, setPasswordHash } from '../users/index.ts';
import type { OpenAccount } from './accounts.ts';
import { finishSignIn, startSession } from './finish.ts';
import { assertMaySignUp, assertNewPassword, assertPasswordsEnabled } from './rules.ts';
import {
  hasVerifiedAddress,
  holdAccount,
  removeForeignCredentials,
  selectAccount,
  selectPasswordHash,
} from './store.ts';

const success = { success: true } as const;

/** sign-in-methods.md 3 */
export function passwordRoutes(deps: Deps, openAccount: OpenAccount): BoundRoute[] {
  return [
    bind(passwordEndpoints.signUp, async ({ body, project, user: caller, request }) => {
      const { password, verification_callback_url: callbackUrl } = body;
      assertMaySignUp({ password, callbackUrl }, project.config);
      const address = normalizedEmail(body.email);
      const taken = await selectCredential(deps.db, project.id, address);
      if (taken !== undefined) fail('USER_EMAIL_ALREADY_EXISTS', { email: address });

      const passwordHash = await deps.passwords.hash(password);
      const primaryEmail = { value: address, isVerified: false, usedForAuth: true };
      const creation = { displayName: null, passwordHash, primaryEmail, nowMillis: deps.clock.now() };
      const signingKeys = await signingKeysFor(project.id, deps);
      return transaction(deps.db, async tx => {
        const user = await openAccount(tx, { project, caller, creation });
        const verification = { projectId: project.id, userId: user.id, address, callbackUrl };
        await sendVerification(tx, { ...verification, userDisplayName: user.displayName }, deps);
        return startSession(tx, { projectId: project.id, userId: user.id, request, signingKeys }, deps);
      });
    }),

    bind(passwordEndpoints.signIn, async ({ body, project, request }) => {
      assertPasswordsEnabled(project.config);
      const claim = { projectId: project.id, address: normalizedEmail(body.email), password: body.password };
      const first = await finishSignIn({ ...(await matched(claim, deps)), isNewUser: false, request }, deps);
      // The hash may have been renewed by another sign-in meanwhile; then the password matches that one too.
      const second =
        first ?? (await finishSignIn({ ...(await matched(claim, deps)), isNewUser: false, request }, deps));
      return second ?? fail('EMAIL_PASSWORD_MISMATCH');
    }),

    bind(passwordEndpoints.set, async ({ body, project, user }) => {
      assertPasswordsEnabled(project.config);
      assertNewPassword(body.password);
      if (user.hasPassword) refuse(400, 'There is a password already. Use the update call to change it.');
      const passwordHash = await deps.passwords.hash(body.password);
      const isFirst = await setPasswordHash(deps.db, project.id, user.id, { from: null, to: passwordHash });
      return isFirst ? success : refuse(400, 'There is a password already. Use the update call to change it.');
    }),

    bind(passwordEndpoints.update, async ({ body, headers, project, user }) => {
      assertPasswordsEnabled(project.config);
      assertNewPassword(body.new_password);
      const current = await selectPasswordHash(deps.db, project.id, user.id);
      if (current === null) fail('USER_DOES_NOT_HAVE_PASSWORD');
      if (!(await deps.passwords.matches(body.old_password, current))) fail('PASSWORD_CONFIRMATION_MISMATCH');
      const next = await deps.passwords.hash(body.new_password);
      const refreshToken = headers['x-stack-refresh-token'];
      await transaction(deps.db, async tx => {
        const isOurs = await setPasswordHash(tx, project.id, user.id, { from: current, to: next });
        if (!isOurs) fail('PASSWORD_CONFIRMATION_MISMATCH');
        await deleteSessions(tx, project.id, user.id, refreshToken ? sha256(refreshToken) : null);
      });
      return success;
    }),

    bind(passwordEndpoints.sendResetCode, async ({ body, project }) => {
      assertPasswordsEnabled(project.config);
      const address = normalizedEmail(body.email);
      await transaction(deps.db, async tx => {
        const account = await holdAccount(tx, project.id, address);
        if (account !== undefined) assertTrusted(body.callback_url, project.config);
        await postResetCode(tx, { projectId: project.id, address, account, callbackUrl: body.callback_url }, deps);
      });
      return { success: 'maybe, only if user with e-mail exists' } as const;
    }),

    bind(passwordEndpoints.reset, async ({ body, project }) => {
      const presented = { projectId: project.id, kind: 'password_reset', code: body.code } as const;
      const { userId, address } = await redeemCode(presented, deps);
      assertPasswordsEnabled(project.config);
      assertNewPassword(body.password);
      if (userId === null || address === null) fail('VERIFICATION_CODE_NOT_FOUND');
      const passwordHash = await deps.passwords.hash(body.password);
      const nowMillis = deps.clock.now();
      await transaction(deps.db, async tx => {
        // The code was for whom the address signs in: it dies when that is somebody else, or nobody (control 21).
        const account = await holdAccount(tx, project.id, address);
        if (account?.userId !== userId) fail('VERIFICATION_CODE_NOT_FOUND');
        // Whoever had the account before the address was shown to be theirs may have left keys behind (control 56).
        if (!(await hasVerifiedAddress(tx, project.id, userId))) await removeForeignCredentials(tx, project.id, userId);
        await setPasswordHash(tx, project.id, userId, { to: passwordHash });
        await deleteSessions(tx, project.id, userId, null);
        const user = (await selectUser(tx, project.id, userId)) ?? fail('VERIFICATION_CODE_NOT_FOUND');
        await announce(tx, { projectId: project.id, type: 'user.updated', data: serverUser(user), nowMillis });
      });
      return success;
    }),

    bind(passwordEndpoints.checkResetCode, async ({ body, project }) => {
      const presented = { projectId: project.id, kind: 'password_reset', code: body.code } as const;
      const { userId, address } = await checkCode(presented, deps);
      const account = address === null ? undefined : await selectAccount(deps.db, project.id, address);
      const isTheirs = account !== undefined && account.userId === userId;
      return isTheirs ? ({ is_code_valid: true } as const) : fail('VERIFICATION_CODE_NOT_FOUND');
    }),
  ];
}

/**
 * Makes a code and posts it. For an unknown address all is done that is done for a known one, so that the answer takes
 * as long (control 13); but the code opens nothing, and the letter is taken out of the post again.
 */
async function postResetCode(
  tx: Transaction,
  reset: {
    projectId: string;
    address: string;
    account: { userId: string; displayName: string | null } | undefined;
    callbackUrl: string;
  },
  deps: Deps,
): Promise<void> {
  const { projectId, address, account, callbackUrl } = reset;
  const request = { projectId, kind: 'password_reset', userId: account?.userId ?? null, address, data: {} } as const;
  const { code } = await createCode(tx, request, deps);
  const name = account?.displayName ?? null;
  await tx.query(sql`savepoint letter`);
  await deps.mail.send(tx, {
    projectId,
    template: 'password_reset',
    recipient: address,
    variables: {
      passwordResetLink: linkWithCode(callbackUrl, code),
      ...(name === null ? {} : { userDisplayName: name }),
    },
  });
  await tx.query(account === undefined ? sql`rollback to savepoint letter` : sql`release savepoint letter`);
}

/**
 * The account whose password was given. Compared in every case: an unknown address must cost what a wrong password
 * costs.
 *
 * @throws EMAIL_PASSWORD_MISMATCH
 */
async function matched(claim: { projectId: string; address: string; password: string }, deps: Deps) {
  const { projectId, address, password } = claim;
  const account = await selectCredential(deps.db, projectId, address);
  const matches = await deps.passwords.matches(password, account?.passwordHash ?? null);
  if (account === undefined || account.passwordHash === null || !matches) fail('EMAIL_PASSWORD_MISMATCH');
  const { userId, passwordHash } = account;
  return { projectId, userId, passwordHash: await renewed({ projectId, userId, password, passwordHash }, deps) };
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
