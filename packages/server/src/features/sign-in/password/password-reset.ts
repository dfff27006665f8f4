import { fail, passwordEndpoints } from '@tessera/protocol';
import type { Settings } from '../../../env.ts';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Passwords } from '../../../platform/crypto/passwords.ts';
import { type Database, type Transaction, transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { mailUses, type RateLimits } from '../../../platform/rate-limits/index.ts';
import {
  assertStrongPassword,
  lockUser,
  normalizedEmail,
  selectUser,
  serverUser,
  setPasswordHash,
} from '../../accounts/users/index.ts';
import type { Mail } from '../../email/queue/index.ts';
import { assertTrustedUrl } from '../../projects/index.ts';
import { deleteSessions } from '../../sessions/index.ts';
import { checkCode, createCode, linkWithCode, redeemCode } from '../../verification-codes/index.ts';
import { publishEvent } from '../../webhooks/events/index.ts';
import type { UpgradeOnProof } from '../accounts.ts';
import type { CredentialRemoval } from '../credential-removal.ts';
import { assertMakerHasAccess } from '../made-links.ts';
import { assertNewPassword, assertPasswordsEnabled } from '../rules.ts';
import { holdAccount, selectAccount } from '../store.ts';
import { type RecordPasswordChangeDeps, recordPasswordChange } from './record-password-change.ts';

export type PasswordResetDeps = RecordPasswordChangeDeps & {
  readonly settings: Pick<Settings, 'mode'>;
  readonly clock: Clock;
  readonly db: Database;
  readonly passwords: Passwords;
  readonly mail: Mail;
  readonly rateLimits: RateLimits;
};

/** docs/contract/sign-in-methods.md#password-reset */
export function passwordResetRoutes(
  deps: PasswordResetDeps,
  { credentialRemoval, upgradeOnProof }: { credentialRemoval: CredentialRemoval; upgradeOnProof: UpgradeOnProof },
): BoundRoute[] {
  return [
    bind(passwordEndpoints.sendResetCode, async call => {
      const { body, project } = call;
      assertPasswordsEnabled(project.config);
      // Before the account is looked up: a refused callback must not reveal whether the account exists (control 2).
      assertTrustedUrl(body.callback_url, project.config);
      const address = normalizedEmail(body.email);
      // Spent for unknown addresses too: the limit must not reveal whether the account exists.
      await deps.rateLimits.spend(mailUses(call, address, 'access'));
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
      const redeemed = await redeemCode(presented, deps, code => assertMakerHasAccess(code, project.id, deps.db));
      const { userId, address } = redeemed;
      assertPasswordsEnabled(project.config);
      assertNewPassword(body.password);
      if (userId === null || address === null) fail('VERIFICATION_CODE_NOT_FOUND');
      await assertStrongPassword(body.password, { project, addresses: [address] }, deps);
      const passwordHash = await deps.passwords.hash(body.password, project.id);
      const nowMillis = deps.clock.now();
      await transaction(deps.db, async tx => {
        // Locked first: the account and its channels stay unchanged until the commit.
        const locked = await lockUser(tx, { projectId: project.id, userId }, 'exclude');
        // A code ends with its address, which may have left the account (control 21).
        const account = await holdAccount(tx, project.id, address);
        if (locked === undefined || account?.userId !== userId) fail('VERIFICATION_CODE_NOT_FOUND');
        // The access of the person who made the link may have ended while the password waited for its hash.
        await assertMakerHasAccess(redeemed, project.id, tx);
        if (locked.isAnonymous && !project.config.signUpEnabled) fail('SIGN_UP_NOT_ENABLED');
        const hadPassword = locked.passwordHash !== null;
        if (!account.isVerified)
          await credentialRemoval.keepOnlyAddress(tx, { projectId: project.id, userId }, { address, call });
        await setPasswordHash(tx, project.id, userId, { to: passwordHash });
        await deleteSessions(tx, project.id, userId, null);
        await upgradeOnProof(tx, { project, userId, nowMillis });
        const user = (await selectUser(tx, project.id, userId)) ?? fail('VERIFICATION_CODE_NOT_FOUND');
        const change = {
          call,
          action: 'factor.password_reset',
          userId,
          hadPassword,
          to: [user.primaryEmail, address],
        } as const;
        await recordPasswordChange(tx, change, deps);
        await publishEvent(tx, { projectId: project.id, type: 'user.updated', data: serverUser(user), nowMillis });
      });
      return { success: true } as const;
    }),

    bind(passwordEndpoints.checkResetCode, async call => {
      const { body, project } = call;
      const presented = { projectId: project.id, kind: 'password_reset', code: body.code, by: call } as const;
      const checked = await checkCode(presented, deps);
      await assertMakerHasAccess(checked, project.id, deps.db);
      const { userId, address } = checked;
      const account = address === null ? undefined : await selectAccount(deps.db, project.id, address);
      const isSameAccount = account?.userId === userId;
      return isSameAccount ? ({ is_code_valid: true } as const) : fail('VERIFICATION_CODE_NOT_FOUND');
    }),
  ];
}

/**
 * Makes a code and enqueues its email. An unknown address gets the same work, so that the response takes as long
 * (control 13). Its code belongs to no account, and its email is removed from the queue.
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
  deps: PasswordResetDeps,
): Promise<void> {
  const { projectId, address, account, callbackUrl, countsInQuota } = reset;
  const request = { projectId, kind: 'password_reset', userId: account?.userId ?? null, address, data: {} } as const;
  const { code } = await createCode(tx, request, deps);
  const name = account?.displayName ?? null;
  await tx.query(sql`savepoint reset_email`);
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
  await tx.query(account === undefined ? sql`rollback to savepoint reset_email` : sql`release savepoint reset_email`);
}
