import {
  accountDeletionSettings,
  anonymousUserSettings,
  auditLogSettings,
  brandingSettings,
  emailVerificationSettings,
  invitationSettings,
  limitSettings,
  ownerRecentSignInMs,
  passkeyPolicySettings,
  passwordPolicySettings,
  sessionPolicySettings,
  signInNoticeSettings,
  signUpRestrictionSettings,
  teamRoleSettings,
} from '@tessera/protocol';
import type { AuditedCall } from '../../core/audit-event.ts';
import type { Call } from '../../core/call.ts';
import type { ProjectConfig } from '../../core/project-config.ts';
import { type BoundRoute, bind } from '../../http/bind.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, type Transaction, transaction } from '../../platform/database/database.ts';
import { assertRecentOwner } from '../accounts/users/index.ts';
import { auditedBy } from '../audit/index.ts';
import { type ImageDeps, storeLogo } from '../images/index.ts';
import { assertGrantable } from '../permissions/index.ts';
import {
  assertAllGrantable,
  type Projects,
  type SettingChanges,
  settingsOf,
  updateProject,
} from '../projects/index.ts';
import {
  accountDeletion,
  accountDeletionChanges,
  anonymousUsers,
  anonymousUsersChanges,
  auditLog,
  auditLogChanges,
  branding,
  brandingChanges,
  emailVerification,
  emailVerificationChanges,
  invitations,
  invitationsChanges,
  limits,
  limitsChanges,
  passkeyPolicy,
  passkeyPolicyChanges,
  passwordPolicy,
  passwordPolicyChanges,
  sessionPolicy,
  sessionPolicyChanges,
  signInNotices,
  signInNoticesChanges,
  signUpRestrictions,
  signUpRestrictionsChanges,
  teamRoles,
  teamRolesChanges,
} from './wire.ts';

interface ExtensionRoutesDeps extends ImageDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly projects: Projects;
}

/**
 * Changes the settings of the project of a call.
 *
 * @param changesOf maps the current settings to the changes
 */
type ChangeSettings = (
  call: AuditedCall,
  changesOf: (config: ProjectConfig) => SettingChanges,
  check?: (tx: Transaction) => Promise<void>,
) => Promise<ProjectConfig>;

/** Project settings that the July 2025 contract does not have (docs/contract/decisions.md#extensions). */
export function extensionRoutes(deps: ExtensionRoutesDeps): BoundRoute[] {
  const changeSettings: ChangeSettings = async (call, changesOf, check = async () => undefined) => {
    const record = await transaction(deps.db, async tx => {
      await check(tx);
      return updateProject(tx, auditedBy(call), config => ({ config: changesOf(config) }), deps);
    });
    return settingsOf(record);
  };
  return [...signInRoutes(changeSettings, deps), ...projectRoutes(changeSettings, deps)];
}

function signInRoutes(changeSettings: ChangeSettings, deps: ExtensionRoutesDeps): BoundRoute[] {
  return [
    bind(signUpRestrictionSettings.read, call => signUpRestrictions(call.project.config)),
    bind(signUpRestrictionSettings.update, async call =>
      signUpRestrictions(await changeSettings(call, config => signUpRestrictionsChanges(call.body, config))),
    ),

    bind(anonymousUserSettings.read, call => anonymousUsers(call.project.config)),
    bind(anonymousUserSettings.update, async call =>
      anonymousUsers(await changeSettings(call, () => anonymousUsersChanges(call.body))),
    ),

    bind(passkeyPolicySettings.read, call => passkeyPolicy(call.project.config)),
    bind(passkeyPolicySettings.update, async call =>
      passkeyPolicy(await changeSettings(call, () => passkeyPolicyChanges(call.body))),
    ),

    bind(emailVerificationSettings.read, call => emailVerification(call.project.config)),
    bind(emailVerificationSettings.update, async call =>
      emailVerification(await changeSettings(call, () => emailVerificationChanges(call.body))),
    ),

    bind(passwordPolicySettings.read, call => passwordPolicy(call.project.config)),
    bind(passwordPolicySettings.update, async call =>
      passwordPolicy(await changeSettings(call, () => passwordPolicyChanges(call.body))),
    ),

    bind(sessionPolicySettings.read, call => sessionPolicy(call.project.config)),
    bind(sessionPolicySettings.update, async call => {
      // There the policy says when the accounts of owners need a recent sign-in.
      if (call.project.id === 'internal' && call.ownerId !== undefined) {
        await assertRecentOwner(call.ownerSessionId, ownerRecentSignInMs, deps);
      }
      return sessionPolicy(await changeSettings(call, () => sessionPolicyChanges(call.body)));
    }),

    bind(signInNoticeSettings.read, call => signInNotices(call.project.config)),
    bind(signInNoticeSettings.update, async call =>
      signInNotices(await changeSettings(call, () => signInNoticesChanges(call.body))),
    ),
  ];
}

function projectRoutes(changeSettings: ChangeSettings, deps: ExtensionRoutesDeps): BoundRoute[] {
  return [
    bind(accountDeletionSettings.read, call => accountDeletion(call.project.config)),
    bind(accountDeletionSettings.update, async call =>
      accountDeletion(await changeSettings(call, () => accountDeletionChanges(call.body))),
    ),

    bind(invitationSettings.read, call => invitations(call.project.config)),
    bind(invitationSettings.update, async call =>
      invitations(await changeSettings(call, () => invitationsChanges(call.body))),
    ),

    bind(brandingSettings.read, call => branding(call.project.config)),
    bind(brandingSettings.update, async call => {
      const body = { ...call.body, logo_url: await storeLogo(call.body.logo_url, call, deps) };
      return branding(await changeSettings(call, config => brandingChanges(body, config)));
    }),

    bind(teamRoleSettings.read, call => teamRoles(call.project.config)),
    bind(teamRoleSettings.update, async call =>
      teamRoles(await changeSettings(call, () => teamRolesChanges(call.body), checkTeamRoles(call))),
    ),

    bind(limitSettings.read, call => limits(call.project.config)),
    bind(limitSettings.update, async call =>
      limits(await changeSettings(call, config => limitsChanges(call.body, config))),
    ),

    bind(auditLogSettings.read, call => auditLog(call.project.config)),
    bind(auditLogSettings.update, async call => auditLog(await changeSettings(call, () => auditLogChanges(call.body)))),
  ];
}

/** A role is a team permission of the project. */
function checkTeamRoles(call: Call<typeof teamRoleSettings.update>) {
  const wanted = (call.body.permission_ids ?? []).map(id => ({ id, scope: 'team' as const }));
  return (tx: Transaction) => assertAllGrantable(tx, call.project.id, wanted, assertGrantable);
}
