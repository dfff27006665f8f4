import type { Context } from '../../../app/context.ts';
import type { Session } from '../../../session/session.ts';
import { type TeamManagementMethods, teamManagement } from '../../teams/team-management.ts';
import { type AccountDeletionMethods, accountDeletion } from './account-deletion.ts';
import { type DataExportMethods, dataExport } from './data-export.ts';
import { type EmailCodeMethods, emailCode } from './email-code.ts';
import { type OwnPasskeyMethods, ownPasskeys } from './own-passkeys.ts';
import { type ProviderAccountMethods, providerAccounts } from './provider-accounts.ts';
import { type ReauthenticationMethods, reauthentication } from './reauthentication.ts';
import { type RecoveryCodeMethods, recoveryCodes } from './recovery-codes.ts';
import { type SecurityActivityMethods, securityActivity } from './security-activity.ts';

/** What the signed-in user does for the safety of the own account and teams. Extensions of this server. */
export interface AccountSafetyMethods
  extends ReauthenticationMethods,
    RecoveryCodeMethods,
    EmailCodeMethods,
    OwnPasskeyMethods,
    ProviderAccountMethods,
    SecurityActivityMethods,
    DataExportMethods,
    AccountDeletionMethods,
    TeamManagementMethods {}

export function accountSafety(ctx: Context<'client'>, session: Session): AccountSafetyMethods {
  return {
    ...reauthentication(ctx, session),
    ...recoveryCodes(ctx, session),
    ...emailCode(ctx, session),
    ...ownPasskeys(ctx, session),
    ...providerAccounts(ctx, session),
    ...securityActivity(ctx, session),
    ...dataExport(ctx, session),
    ...accountDeletion(ctx, session),
    ...teamManagement(ctx, session),
  };
}
