import { fail, passwordEndpoints } from '@tessera/protocol';
import type { Settings } from '../../../env.ts';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Passwords } from '../../../platform/crypto/passwords.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import type { RateLimits } from '../../../platform/rate-limits/index.ts';
import {
  assertRecentSignIn,
  assertStrongPassword,
  holdCallerSession,
  setPasswordHash,
} from '../../accounts/users/index.ts';
import { deleteSessions } from '../../sessions/index.ts';
import { assertOwnPassword } from '../own-password.ts';
import { assertNewPassword, assertPasswordsEnabled } from '../rules.ts';
import { selectPassword } from '../store.ts';
import { type RecordPasswordChangeDeps, recordPasswordChange } from './record-password-change.ts';

export type PasswordChangeDeps = RecordPasswordChangeDeps & {
  readonly settings: Pick<Settings, 'mode'>;
  readonly clock: Clock;
  readonly db: Database;
  readonly passwords: Passwords;
  readonly rateLimits: RateLimits;
};

const success = { success: true } as const;

/** docs/contract/sign-in-methods.md#password-set and #password-update */
export function passwordChangeRoutes(deps: PasswordChangeDeps): BoundRoute[] {
  return [
    bind(passwordEndpoints.set, async call => {
      const { body, project, user } = call;
      assertPasswordsEnabled(project.config);
      assertNewPassword(body.password);
      await assertRecentSignIn(call, deps);
      await assertStrongPassword(body.password, { project, addresses: [user.primaryEmail] }, deps);
      if (user.hasPassword) refuse(400, 'There is a password already. Use the update call to change it.');
      const passwordHash = await deps.passwords.hash(body.password, project.id);
      await transaction(deps.db, async tx => {
        const isFirst = await setPasswordHash(tx, project.id, user.id, { from: null, to: passwordHash });
        if (!isFirst) refuse(400, 'There is a password already. Use the update call to change it.');
        await holdCallerSession(tx, call, deps);
        const change = { call, action: 'factor.password_set', userId: user.id, to: [user.primaryEmail] } as const;
        await recordPasswordChange(tx, change, deps);
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
      await assertOwnPassword(call, { password: body.old_password, passwordHash: current, isKnownSource }, deps);
      const next = await deps.passwords.hash(body.new_password, project.id);
      const refreshToken = headers['x-stack-refresh-token'];
      await transaction(deps.db, async tx => {
        const isOurs = await setPasswordHash(tx, project.id, user.id, { from: current, to: next });
        if (!isOurs) fail('PASSWORD_CONFIRMATION_MISMATCH');
        await holdCallerSession(tx, call, deps);
        await deleteSessions(tx, project.id, user.id, refreshToken ? sha256(refreshToken) : null);
        const change = { call, action: 'factor.password_changed', userId: user.id, to: [user.primaryEmail] } as const;
        await recordPasswordChange(tx, change, deps);
      });
      return success;
    }),
  ];
}
