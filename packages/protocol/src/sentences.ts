import type { Sentences } from './catalogue/catalogue.ts';
import { type ClientCode, clientSentences } from './catalogue/client-sentences.ts';

const serverSentences: Omit<Sentences, ClientCode> = {
  BODY_PARSING_ERROR: 'The request body could not be read.',
  SCHEMA_ERROR: ({ message }) => message,
  ALL_OVERLOADS_FAILED: ({ overload_errors }) =>
    `This request fits none of the shapes that the endpoint accepts. Why, for each:\n${indentJson(overload_errors)}`,

  PROJECT_KEY_WITHOUT_ACCESS_TYPE:
    'The request carries a project key but not the header x-stack-access-type. Set it to client, server or admin.',
  INVALID_ACCESS_TYPE: 'The header x-stack-access-type must be client, server or admin.',
  ACCESS_TYPE_WITHOUT_PROJECT_ID: ({ request_type }) =>
    `The header x-stack-access-type is ${request_type}, but x-stack-project-id is missing.`,
  ACCESS_TYPE_REQUIRED:
    'This endpoint needs project authentication. Send x-stack-project-id, x-stack-access-type and the matching key.',
  INSUFFICIENT_ACCESS_TYPE: ({ actual_access_type, allowed_access_types }) =>
    `The access type ${actual_access_type} may not call this endpoint; allowed: ${allowed_access_types.join(', ')}.`,
  INVALID_PUBLISHABLE_CLIENT_KEY: ({ project_id }) =>
    `The publishable client key is not valid for the project ${project_id}: unknown, expired, revoked or not its own.`,
  INVALID_SECRET_SERVER_KEY: ({ project_id }) =>
    `The secret server key is not valid for the project ${project_id}: unknown, expired, revoked or not its own.`,
  INVALID_SUPER_SECRET_ADMIN_KEY: ({ project_id }) =>
    `The super secret admin key is not valid for the project ${project_id}: unknown, expired, revoked or not its own.`,
  UNPARSABLE_ADMIN_ACCESS_TOKEN: 'The admin access token is not a valid token.',
  ADMIN_ACCESS_TOKEN_EXPIRED: ({ expired_at_millis }) =>
    `The admin access token has expired${atTime(expired_at_millis)}.`,
  INVALID_PROJECT_FOR_ADMIN_ACCESS_TOKEN: 'Admin access tokens must be issued by the internal project.',
  ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN: 'The user of this admin access token does not own the project.',
  CLIENT_AUTHENTICATION_REQUIRED: 'This request needs the publishable client key.',
  SERVER_AUTHENTICATION_REQUIRED: 'This request needs the secret server key.',
  ADMIN_AUTHENTICATION_REQUIRED: 'This request needs the super secret admin key or an admin access token.',
  CLIENT_OR_SERVER_AUTHENTICATION_REQUIRED: 'This request needs the publishable client key or the secret server key.',
  CLIENT_OR_ADMIN_AUTHENTICATION_REQUIRED:
    'This request needs the publishable client key or the super secret admin key.',
  CLIENT_OR_SERVER_OR_ADMIN_AUTHENTICATION_REQUIRED:
    'This request needs the publishable client key, the secret server key or the super secret admin key.',
  EXPECTED_INTERNAL_PROJECT: 'This endpoint belongs to the internal project.',

  UNPARSABLE_ACCESS_TOKEN: 'The access token is not a valid token.',
  ACCESS_TOKEN_EXPIRED: ({ expired_at_millis }) =>
    `The access token has expired${atTime(expired_at_millis)}. Refresh it and try again.`,
  INVALID_PROJECT_FOR_ACCESS_TOKEN: ({ expected_project_id, actual_project_id }) =>
    `The access token belongs to the project ${actual_project_id}, but the request is for ${expected_project_id}.`,
  REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED: 'This session does not exist or has ended. Please sign in again.',
  CANNOT_DELETE_CURRENT_SESSION: 'This is the session of the request itself. Sign out to end it.',
  PROVIDER_REJECTED: 'The sign-in provider no longer accepts the connection. Please sign in with it again.',

  USER_EMAIL_ALREADY_EXISTS: ({ email }) => `The email address ${email} is already used for sign-in by another user.`,
  EMAIL_NOT_VERIFIED: 'The email address has not been verified.',
  CANNOT_GET_OWN_USER_WITHOUT_USER: 'The request is about the signed-in user, but no user is signed in.',
  USER_ID_DOES_NOT_EXIST: ({ user_id }) => `There is no user with the id ${user_id}.`,
  USER_NOT_FOUND: 'User not found.',
  USER_AUTHENTICATION_REQUIRED: 'This request needs a signed-in user: send x-stack-access-token.',
  PROJECT_NOT_FOUND: ({ project_id }) => `There is no project with the id ${project_id}.`,
  BRANCH_DOES_NOT_EXIST: ({ branch_id }) => `There is no branch with the id ${branch_id}.`,
  SIGN_UP_NOT_ENABLED: 'This project does not accept new accounts.',
  PASSWORD_AUTHENTICATION_NOT_ENABLED: 'Sign-in with a password is turned off for this project.',
  PASSKEY_AUTHENTICATION_NOT_ENABLED: 'Sign-in with a passkey is turned off for this project.',
  ANONYMOUS_ACCOUNTS_NOT_ENABLED: 'Anonymous accounts are turned off for this project.',
  EMAIL_PASSWORD_MISMATCH: 'Wrong e-mail or password.',
  REDIRECT_URL_NOT_WHITELISTED:
    'Redirect URL not whitelisted. Add its domain to the trusted domains of the project in the dashboard.',
  PASSWORD_REQUIREMENTS_NOT_MET: 'This password is too easy to guess. Please choose another one.',
  USER_DOES_NOT_HAVE_PASSWORD: 'This account has no password.',
  PASSWORD_CONFIRMATION_MISMATCH: 'Passwords do not match.',
  MULTI_FACTOR_AUTHENTICATION_REQUIRED: 'This account needs a second factor: a code from the authenticator app.',
  REAUTHENTICATION_REQUIRED: 'Sign in again to make this change: it needs a sign-in that is more recent.',
  LAST_TEAM_ADMIN: 'This user is the last administrator of the team. Name a successor among its members first.',
  TEAM_ROLE_NOT_ASSIGNABLE: ({ permission_id }) =>
    `The caller cannot assign ${permission_id}: it is not a role of this project, or it has permissions that the caller does not have.`,
  API_KEY_SCOPE_MISSING: ({ missing_scopes }) => `This API key does not have the scope ${missing_scopes.join(', ')}.`,
  SECOND_FACTOR_NOT_ENABLED: 'Two-step verification is off for this account.',
  PROJECT_ROLE_INSUFFICIENT: ({ actual_role, required_role }) =>
    `Your role in this project is ${actual_role}. This needs the role ${required_role}.`,
  INVALID_RECOVERY_CODE: 'This recovery code is not right, or was used before.',
  LAST_SIGN_IN_METHOD: 'This is the last sign-in method of the account. Add another one first.',
  EMAIL_ADDRESS_NOT_ALLOWED:
    'This email address cannot be used to sign up here. Use another one, or ask the people who run this site.',
  USER_SUSPENDED: 'This account is suspended. Ask the people who run this site.',
  INVALID_TOTP_CODE: 'The code from the authenticator app is not right. Please try again.',

  VERIFICATION_CODE_NOT_FOUND: 'This code does not exist.',
  VERIFICATION_CODE_EXPIRED: 'This code has expired. Please ask for a new one.',
  VERIFICATION_CODE_ALREADY_USED: 'This code has already been used.',
  VERIFICATION_CODE_MAX_ATTEMPTS_REACHED: 'There were too many attempts for this code. Please ask for a new one.',
  EMAIL_ALREADY_VERIFIED: 'This email address is already verified.',
  EMAIL_NOT_ASSOCIATED_WITH_USER: 'No user signs in with this email address.',
  EMAIL_IS_NOT_PRIMARY_EMAIL: ({ email, primary_email }) =>
    primary_email === null
      ? `${email} is not the primary email address of this user, who has none.`
      : `${email} is not the primary email address of this user; ${primary_email} is.`,
  CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE: ({ contact_channel_value }) =>
    `The email address${afterSpace(contact_channel_value)} is already used for sign-in by another user.`,
  EMAIL_TEMPLATE_ALREADY_EXISTS: 'This email template already exists.',
  EMAIL_RENDERING_ERROR: ({ error }) => `The email could not be rendered: ${error}`,

  PERMISSION_NOT_FOUND: ({ permission_id }) => `There is no permission with the id ${permission_id} here.`,
  WRONG_PERMISSION_SCOPE: ({ permission_id, expected_scope, actual_scope }) =>
    actual_scope === null
      ? `There is no ${expected_scope} permission with the id ${permission_id}.`
      : `The permission ${permission_id} is a ${actual_scope} permission; this needs a ${expected_scope} permission.`,
  CONTAINED_PERMISSION_NOT_FOUND: ({ permission_id }) =>
    `The permission contains ${permission_id}, which does not exist in the same scope.`,
  PERMISSION_ID_ALREADY_EXISTS: ({ permission_id }) => `A permission with the id ${permission_id} already exists.`,
  PROJECT_PERMISSION_REQUIRED: ({ user_id, permission_id }) =>
    `User ${user_id} does not have permission ${permission_id}.`,
  TEAM_PERMISSION_REQUIRED: ({ team_id, user_id, permission_id }) =>
    `User ${user_id} does not have permission ${permission_id} in team ${team_id}.`,
  TEAM_PERMISSION_NOT_FOUND: ({ team_id, user_id, permission_id }) =>
    `The permission ${permission_id} has not been granted to the user ${user_id} in the team ${team_id}.`,
  TEAM_NOT_FOUND: ({ team_id }) => `There is no team with the id ${team_id}.`,
  TEAM_ALREADY_EXISTS: ({ team_id }) => `A team with the id ${team_id} already exists.`,
  TEAM_MEMBERSHIP_NOT_FOUND: ({ team_id, user_id }) => `The user ${user_id} is not a member of the team ${team_id}.`,
  TEAM_MEMBERSHIP_ALREADY_EXISTS: 'The user is already a member of the team.',

  OAUTH_CONNECTION_NOT_CONNECTED_TO_USER: 'The user has no account connected at this provider.',
  OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER: 'This provider account is already connected to another user.',
  OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE:
    'The connected account has not granted the scopes that were asked for.',
  OAUTH_EXTRA_SCOPE_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS:
    'Additional scopes are not available with shared provider keys. Configure keys of your own for this provider.',
  OAUTH_ACCESS_TOKEN_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS:
    'Provider access tokens are not available with shared provider keys. Configure keys of your own for this provider.',
  INVALID_OAUTH_CLIENT_ID_OR_SECRET: ({ client_id }) =>
    `The client id${afterSpace(client_id)} or its secret is not valid: use the project id and a publishable client key.`,
  INVALID_SCOPE: 'The only scope of this OAuth endpoint is legacy.',
  USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION:
    'The user has already connected another account of this provider.',
  OUTER_OAUTH_TIMEOUT: 'Signing in with the provider took too long. Please try again.',
  OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED: 'This sign-in provider does not exist or is turned off for this project.',
  INVALID_SHARED_OAUTH_PROVIDER_ID: ({ provider_id }) => `There are no shared keys for the provider ${provider_id}.`,
  INVALID_STANDARD_OAUTH_PROVIDER_ID: ({ provider_id }) => `There is no provider with the id ${provider_id}.`,
  INVALID_AUTHORIZATION_CODE: 'The authorization code is not valid. It may have expired or have been used before.',
  OAUTH_PROVIDER_ACCESS_DENIED: 'The provider denied access, or you canceled signing in.',

  INVALID_POLLING_CODE: 'There is no command line sign-in with this polling code.',
  API_KEY_EXPIRED: 'This API key has expired.',
  API_KEY_REVOKED: 'This API key has been revoked.',
  WRONG_API_KEY_TYPE: ({ expected_type, actual_type }) =>
    `This is a ${actual_type} API key; a ${expected_type} API key is needed here.`,
  API_KEY_NOT_FOUND: 'There is no such API key.',
  PUBLIC_API_KEY_CANNOT_BE_REVOKED: 'This API key is public by intention and is not revoked when it is found.',
};

/**
 * The message of each error: a sentence, or a function of its details. Our own wording, except where
 * docs/contract/errors.md quotes it; callers must not depend on it.
 */
export const sentences: Sentences = { ...clientSentences, ...serverSentences };

function atTime(millis: number | null): string {
  return millis === null ? '' : ` (at ${new Date(millis).toISOString()})`;
}

function afterSpace(value: string | null): string {
  return value === null ? '' : ` ${value}`;
}

function indentJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
