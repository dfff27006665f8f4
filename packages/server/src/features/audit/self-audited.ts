import {
  accountDeletionSettings,
  anonymousUserSettings,
  auditLogSettings,
  brandingSettings,
  contactChannelEndpoints,
  type Endpoint,
  emailVerificationSettings,
  internalApiKeyEndpoints,
  invitationSettings,
  limitSettings,
  messageEndpoints,
  passkeyPolicySettings,
  passwordPolicySettings,
  projectAdminEndpoints,
  projectMemberEndpoints,
  sessionPolicySettings,
  signInNoticeSettings,
  signingKeyEndpoints,
  signUpRestrictionSettings,
  teamApiKeyEndpoints,
  teamRoleSettings,
  userAdministrationEndpoints,
  userApiKeyEndpoints,
  userDeletionEndpoints,
  userEndpoints,
} from '@tessera/protocol';

/** Endpoints with these tags record events of their own. */
const selfAuditingTags: ReadonlySet<Endpoint['tag']> = new Set<Endpoint['tag']>(['Sign-in', 'Sessions']);

const settings = [
  accountDeletionSettings,
  anonymousUserSettings,
  auditLogSettings,
  brandingSettings,
  emailVerificationSettings,
  invitationSettings,
  limitSettings,
  passkeyPolicySettings,
  passwordPolicySettings,
  sessionPolicySettings,
  signInNoticeSettings,
  signUpRestrictionSettings,
  teamRoleSettings,
];

/**
 * Endpoints whose own event tells the whole change. The change of a user is not one of them: its events tell the changed
 * sign-in methods only. Nor is an import, which also changes users.
 */
const selfAuditing: ReadonlySet<Endpoint> = new Set<Endpoint>([
  ...settings.map(({ update }) => update),
  projectAdminEndpoints.update,
  projectAdminEndpoints.delete,
  projectMemberEndpoints.changeRole,
  projectMemberEndpoints.remove,
  projectMemberEndpoints.transfer,
  projectMemberEndpoints.invite,
  projectMemberEndpoints.revokeInvitation,
  internalApiKeyEndpoints.create,
  internalApiKeyEndpoints.update,
  signingKeyEndpoints.rotate,
  messageEndpoints.create,
  messageEndpoints.cancel,
  userEndpoints.create,
  userEndpoints.delete,
  userDeletionEndpoints.cancel,
  userAdministrationEndpoints.createLink,
  userAdministrationEndpoints.impersonate,
  contactChannelEndpoints.create,
  contactChannelEndpoints.update,
  contactChannelEndpoints.delete,
  userApiKeyEndpoints.create,
  userApiKeyEndpoints.update,
  userApiKeyEndpoints.check,
  teamApiKeyEndpoints.create,
  teamApiKeyEndpoints.update,
  teamApiKeyEndpoints.check,
]);

/** Whether an endpoint records its changes itself, so that an event of the request would tell them a second time. */
export function recordsItsChanges(endpoint: Endpoint): boolean {
  return selfAuditingTags.has(endpoint.tag) || selfAuditing.has(endpoint);
}
