export { assertAllGrantable } from './grantable.ts';
export { generateKeys } from './internal-api-keys/generated-keys.ts';
export { createKeySetUses, type KeySetUses } from './internal-api-keys/last-use.ts';
export { insertKeySet, revokeKeySets } from './internal-api-keys/store.ts';
export { assertKeyUsable } from './internal-api-keys/usable-key.ts';
export { assertRoleHeld } from './members/held-role.ts';
export {
  deleteMember,
  holdRole,
  type MemberRow,
  selectMemberRole,
  selectMemberRoles,
  selectMembers,
  upsertMember,
} from './members/store.ts';
export { addOwnedProjects, removeOwnedProject } from './ownership/ownership.ts';
export { type AddressedOwner, selectAddressedOwners, selectFirstOwners } from './ownership/store.ts';
export {
  type ChangedBy,
  type CreateProject,
  createProjectCreation,
  createProjects,
  type Projects,
  publishProjectChange,
  updateProject,
} from './projects.ts';
export { assertTrustedUrl, type ProjectChanges, type SettingChanges } from './rules.ts';
export { settingsOf } from './settings/config.ts';
export {
  decryptClientSecret,
  decryptSmtpPassword,
  encryptClientSecret,
  encryptSmtpPassword,
} from './settings/encrypted.ts';
export {
  lockProjectRecord,
  type ProjectRecord,
  raisePermissionGeneration,
  raiseSigningKeys,
  selectProjectRecords,
  updateConfig,
} from './store.ts';
