import {
  anonymousUserSettings,
  auditLogSettings,
  invitationSettings,
  limitSettings,
  passwordPolicySettings,
  sessionPolicySettings,
} from '@tessera/protocol';
import type { Deps } from '../../deps.ts';
import { type BoundRoute, bind } from '../../http/bind.ts';
import { transaction } from '../../platform/database/database.ts';
import { type AuditedCall, auditedBy } from '../audit/index.ts';
import { type ProjectConfig, type SettingChanges, settingsOf, updateProject } from '../projects/index.ts';
import {
  anonymousUsers,
  anonymousUsersChanges,
  auditLog,
  auditLogChanges,
  invitations,
  invitationsChanges,
  limits,
  limitsChanges,
  passwordPolicy,
  passwordPolicyChanges,
  sessionPolicy,
  sessionPolicyChanges,
} from './wire.ts';

/** Project settings that the July 2025 contract does not have (docs/contract/decisions.md#extensions). */
export function extensionRoutes(deps: Deps): BoundRoute[] {
  /** @param changesOf maps the current settings to the changes */
  async function changed(call: AuditedCall, changesOf: (config: ProjectConfig) => SettingChanges) {
    const record = await transaction(deps.db, tx =>
      updateProject(tx, auditedBy(call), config => ({ config: changesOf(config) }), deps),
    );
    return settingsOf(record);
  }

  return [
    bind(anonymousUserSettings.read, call => anonymousUsers(call.project.config)),
    bind(anonymousUserSettings.update, async call =>
      anonymousUsers(await changed(call, () => anonymousUsersChanges(call.body))),
    ),

    bind(passwordPolicySettings.read, call => passwordPolicy(call.project.config)),
    bind(passwordPolicySettings.update, async call =>
      passwordPolicy(await changed(call, () => passwordPolicyChanges(call.body))),
    ),

    bind(sessionPolicySettings.read, call => sessionPolicy(call.project.config)),
    bind(sessionPolicySettings.update, async call =>
      sessionPolicy(await changed(call, () => sessionPolicyChanges(call.body))),
    ),

    bind(invitationSettings.read, call => invitations(call.project.config)),
    bind(invitationSettings.update, async call =>
      invitations(await changed(call, () => invitationsChanges(call.body))),
    ),

    bind(limitSettings.read, call => limits(call.project.config)),
    bind(limitSettings.update, async call => limits(await changed(call, config => limitsChanges(call.body, config)))),

    bind(auditLogSettings.read, call => auditLog(call.project.config)),
    bind(auditLogSettings.update, async call => auditLog(await changed(call, () => auditLogChanges(call.body)))),
  ];
}
