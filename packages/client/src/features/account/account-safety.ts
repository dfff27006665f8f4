import type { Context } from '../../app/context.ts';
import type { Session } from '../../session/session.ts';
import { type TeamManagementMethods, teamManagement } from '../teams/team-management.ts';
import { type ReauthenticationMethods, reauthentication } from './reauthentication.ts';
import { type RecoveryCodeMethods, recoveryCodes } from './recovery-codes.ts';

/** What the signed-in user does for the safety of the own account and teams. Extensions of this server. */
export interface AccountSafetyMethods extends ReauthenticationMethods, RecoveryCodeMethods, TeamManagementMethods {}

export function accountSafety(ctx: Context<'client'>, session: Session): AccountSafetyMethods {
  return { ...reauthentication(ctx, session), ...recoveryCodes(ctx, session), ...teamManagement(ctx, session) };
}
