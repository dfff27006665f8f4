import { fail, ownerImpersonationLifetimeMs } from '@tessera/protocol';
import type { AuditedCall } from '../../core/audit-event.ts';
import type { Caller } from '../../core/caller.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccessTokens } from '../../platform/crypto/access-tokens.ts';
import { type Database, transaction } from '../../platform/database/database.ts';
import { lockUser } from '../accounts/users/index.ts';
import { auditedBy } from '../audit/index.ts';
import type { Projects } from '../projects/index.ts';
import { holdOpener, openSession, sessionTermsOf } from '../sessions/index.ts';

export interface ImpersonationDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly projects: Projects;
  readonly accessTokens: AccessTokens;
}

/** The session is marked as an impersonation, so that it cannot change sign-in methods (control 34). */
export async function impersonate(
  call: AuditedCall & Pick<Caller, 'ownerSessionId'>,
  { userId, reason }: { userId: string; reason: string },
  deps: ImpersonationDeps,
): Promise<{ access_token: string; refresh_token: string; expires_at_millis: number }> {
  const projectId = call.project.id;
  const terms = await sessionTermsOf(projectId, deps);
  const details = { is_impersonation: true, reason };
  const request = {
    projectId,
    userId,
    // Not the place of the user: the list of sessions would show the owner's address to the user's other devices.
    place: undefined,
    isImpersonation: true,
    isOpenedForUser: true,
    terms,
    event: { ...auditedBy(call), action: 'session.created', details } as const,
  };
  return transaction(deps.db, async tx => {
    if (!(await lockUser(tx, { projectId, userId }, 'hold'))) fail('USER_NOT_FOUND');
    const limits = { isImpersonation: true, lifetimeMs: ownerImpersonationLifetimeMs, clock: deps.clock };
    const opened = await openSession(tx, { ...request, ...(await holdOpener(tx, call, limits)) }, deps);
    const { accessToken, refreshToken, expiresAtMillis } = opened;
    return { access_token: accessToken, refresh_token: refreshToken, expires_at_millis: expiresAtMillis };
  });
}
