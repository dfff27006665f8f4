import * as z from 'zod';
import { invitedRoles, projectRoles } from '../../access/roles.ts';
import { endpoint } from '../../endpoint.ts';
import {
  code,
  codeErrors,
  displayName,
  listOf,
  millis,
  password,
  projectId,
  signedIn,
  strictEmail,
  success,
  uuid,
} from '../../fields/fields.ts';
import { displayNameMaxLength, ownerRecentSignInMs, passwordMinLength } from '../../limits.ts';

const noQuery = z.strictObject({});
const role = z.enum(projectRoles);
const invitedRole = z.enum(invitedRoles);
const memberParams = z.strictObject({ user_id: uuid });

const member = z.strictObject({
  user_id: uuid.meta({ description: 'The id of the user in the project `internal`.' }),
  display_name: z.string().nullable(),
  primary_email: z.string().nullable(),
  profile_image_url: z.string().nullable(),
  role,
  joined_at_millis: millis.nullable().meta({ description: 'Null for owners, whose record has no time.' }),
  last_active_at_millis: millis,
});

const invitation = z.strictObject({
  id: uuid,
  recipient_email: z.string(),
  role: invitedRole,
  created_at_millis: millis,
  expires_at_millis: millis,
});

/** Extensions: the people who manage a project (docs/contract/projects.md#members-and-roles). */
export const projectMemberEndpoints = {
  listRoles: endpoint({
    method: 'GET',
    path: '/internal/extensions/project-roles',
    access: 'client',
    query: noQuery,
    response: listOf(z.strictObject({ project_id: projectId, role })),
    summary: 'List the projects that the signed-in user of `internal` manages, with the role in each',
    tag: 'extension',
    errors: ['USER_AUTHENTICATION_REQUIRED', 'EXPECTED_INTERNAL_PROJECT'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/internal/extensions/project-members',
    access: 'admin',
    query: noQuery,
    response: listOf(member),
    summary: 'List the people who manage the project: owners first, then by time of joining',
    tag: 'extension',
    errors: [],
  }),
  changeRole: endpoint({
    method: 'PATCH',
    path: '/internal/extensions/project-members/{user_id}',
    access: 'admin',
    role: 'owner',
    recentSignInWithinMs: ownerRecentSignInMs,
    params: memberParams,
    query: noQuery,
    body: z.strictObject({ role: invitedRole }),
    response: success,
    summary: 'Change the role of a member who is not an owner',
    tag: 'extension',
    errors: [],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/internal/extensions/project-members/{user_id}',
    access: 'admin',
    // Members may leave. The handler refuses everything else to those who are not owners.
    role: 'viewer',
    recentSignInWithinMs: ownerRecentSignInMs,
    params: memberParams,
    query: noQuery,
    response: success,
    summary: 'Remove a member who is not an owner; a member may leave',
    tag: 'extension',
    errors: ['PROJECT_ROLE_INSUFFICIENT'],
  }),
  transfer: endpoint({
    method: 'POST',
    path: '/internal/extensions/project-transfer',
    access: 'admin',
    role: 'owner',
    recentSignInWithinMs: ownerRecentSignInMs,
    query: noQuery,
    body: z.strictObject({
      user_id: uuid.meta({ description: 'A member of the project: the new owner.' }),
      display_name: z.string().max(displayNameMaxLength).meta({
        description: 'The name of the project, typed as a confirmation.',
      }),
    }),
    response: success,
    summary: 'Transfer the ownership to a member; the owner who calls becomes an admin',
    tag: 'extension',
    errors: [],
  }),
  invite: endpoint({
    method: 'POST',
    path: '/internal/extensions/project-invitations',
    access: 'admin',
    role: 'owner',
    recentSignInWithinMs: ownerRecentSignInMs,
    query: noQuery,
    body: z.strictObject({ email: strictEmail, role: invitedRole }),
    response: invitation,
    status: 201,
    summary: 'Invite an address to manage the project; the link leads to the dashboard',
    tag: 'extension',
    errors: [],
  }),
  listInvitations: endpoint({
    method: 'GET',
    path: '/internal/extensions/project-invitations',
    access: 'admin',
    query: noQuery,
    response: listOf(invitation),
    summary: 'List the open invitations of the project, oldest first',
    tag: 'extension',
    errors: [],
  }),
  revokeInvitation: endpoint({
    method: 'DELETE',
    path: '/internal/extensions/project-invitations/{id}',
    access: 'admin',
    role: 'owner',
    params: z.strictObject({ id: uuid }),
    query: noQuery,
    response: success,
    summary: 'Revoke an invitation',
    tag: 'extension',
    errors: ['VERIFICATION_CODE_NOT_FOUND'],
  }),
  invitationDetails: endpoint({
    method: 'POST',
    path: '/extensions/project-invitations/details',
    access: 'client',
    query: noQuery,
    body: z.strictObject({ code }),
    response: z.strictObject({
      project_display_name: z.string(),
      role: invitedRole,
      recipient_email: z.string(),
      has_account: z.boolean().meta({ description: 'Whether an account signs in with the invited address.' }),
    }),
    summary: 'Read an invitation without using it',
    tag: 'extension',
    errors: ['EXPECTED_INTERNAL_PROJECT', ...codeErrors],
  }),
  accept: endpoint({
    method: 'POST',
    path: '/extensions/project-invitations/accept',
    access: 'client',
    user: 'required',
    query: noQuery,
    body: z.strictObject({ code }),
    response: z.strictObject({ project_id: projectId }),
    summary: 'Accept an invitation as the signed-in user of `internal`',
    tag: 'extension',
    errors: ['EXPECTED_INTERNAL_PROJECT', ...codeErrors],
  }),
  signUp: endpoint({
    method: 'POST',
    path: '/extensions/project-invitations/sign-up',
    access: 'client',
    query: noQuery,
    body: z.strictObject({
      code,
      password: password.refine(
        value => value.length >= passwordMinLength,
        `must be at least ${passwordMinLength} characters`,
      ),
      display_name: displayName.optional(),
    }),
    response: signedIn,
    summary: 'Create an account with the invited address, also while sign-up is off, and accept the invitation',
    tag: 'extension',
    errors: ['EXPECTED_INTERNAL_PROJECT', ...codeErrors, 'USER_EMAIL_ALREADY_EXISTS', 'PASSWORD_REQUIREMENTS_NOT_MET'],
  }),
};
