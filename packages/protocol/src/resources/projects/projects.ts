import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { listOf, millis, noQuery, projectId, success, url } from '../../fields/fields.ts';
import { smtpServer } from '../../fields/smtp-server.ts';
import {
  descriptionMaxLength,
  displayNameMaxLength,
  domainsMaxLength,
  ownerRecentSignInMs,
  permissionIdsMax,
  projectDomainsMax,
  projectProvidersMax,
  providerClientMaxLength,
  urlMaxLength,
} from '../../limits.ts';
import { oauthProviderIds } from '../../providers.ts';
import { readAppleKey } from '../../rules/apple-key.ts';
import { emailThemes } from '../email/emails.ts';

const idOnly = z.strictObject({ id: z.string() });
const providerId = z.enum(oauthProviderIds);

/** The features of a project, visible for all callers (docs/contract/projects.md#client-view). */
const publicSwitches = {
  sign_up_enabled: z.boolean(),
  credential_enabled: z.boolean(),
  magic_link_enabled: z.boolean(),
  passkey_enabled: z.boolean(),
  client_team_creation_enabled: z.boolean(),
  client_user_deletion_enabled: z.boolean(),
  allow_user_api_keys: z.boolean(),
  allow_team_api_keys: z.boolean(),
};

/** docs/contract/projects.md#client-view: the fields of a project that callers other than its owners see. */
const clientProject = z.strictObject({
  id: z.string(),
  display_name: z.string(),
  logo_url: z.string().optional().meta({ description: 'An extension: the logo, when the project has one.' }),
  deletion_cooling_off_days: z.number().int().optional().meta({
    description: 'An extension: the days in which users can keep a deleted account, when the project has set any.',
  }),
  config: z.strictObject({ ...publicSwitches, enabled_oauth_providers: z.array(idOnly) }),
});

/** Settings with the same form in requests and responses. */
const plainSettings = {
  ...publicSwitches,
  allow_localhost: z.boolean(),
  oauth_account_merge_strategy: z.enum(['link_method', 'raise_error', 'allow_duplicates']),
  email_theme: z.enum(emailThemes),
  create_team_on_sign_up: z.boolean(),
  team_creator_default_permissions: z.array(idOnly),
  team_member_default_permissions: z.array(idOnly),
  user_default_permissions: z.array(idOnly),
};

const providerClientText = z.string().max(providerClientMaxLength).optional();
const ownClient = {
  client_id: providerClientText,
  client_secret: providerClientText,
  facebook_config_id: providerClientText,
  microsoft_tenant_id: providerClientText,
};

/** docs/contract/projects.md#oauth-providers */
const oauthProvider = z.strictObject({ id: providerId, type: z.enum(['shared', 'standard']), ...ownClient });

/** docs/contract/projects.md#email-configuration */
const emailConfig = z.union([
  z.strictObject({ type: z.literal('shared') }),
  z.strictObject({
    type: z.literal('standard'),
    host: z.string(),
    port: z.number(),
    username: z.string(),
    password: z.string(),
    sender_name: z.string(),
    sender_email: z.string(),
  }),
]);

/** docs/contract/projects.md#admin-view: a project for its owners, secrets in clear text. */
const adminProject = z.strictObject({
  id: projectId,
  display_name: z.string(),
  description: z.string(),
  created_at_millis: millis,
  is_production_mode: z.boolean(),
  config: z.strictObject({
    ...plainSettings,
    oauth_providers: z.array(oauthProvider),
    enabled_oauth_providers: z.array(idOnly),
    domains: z.array(z.strictObject({ domain: z.string(), handler_path: z.string() })),
    email_config: emailConfig,
  }),
});

/**
 * The fields that a configuration of type `standard` requires. Checked together with everything else, so that all
 * violations are reported at once.
 */
function requireForStandard(fields: readonly string[]) {
  return z.superRefine(
    (value: object, context) => {
      const given = value as Record<string, unknown>;
      if (given.type !== 'standard') return;
      for (const field of fields) {
        if (given[field] !== undefined && given[field] !== '') continue;
        const message = given[field] === '' ? 'must not be empty' : 'must be defined';
        context.addIssue({ code: 'custom', path: [field], message });
      }
    },
    { when: ({ value }) => typeof value === 'object' && value !== null },
  );
}

const oauthProviderBody = oauthProvider
  .check(requireForStandard(['client_id', 'client_secret']))
  .superRefine(({ id, type, client_secret = '' }, context) => {
    const read = id === 'apple' && type === 'standard' ? readAppleKey(client_secret) : undefined;
    if (read === undefined || 'key' in read) return;
    context.addIssue({ code: 'custom', path: ['client_secret'], message: `must be a JWT or a key: ${read.wrong}` });
  });

const emailConfigBody = z
  .strictObject({
    type: z.enum(['shared', 'standard']),
    ...smtpServer.partial().shape,
  })
  .check(requireForStandard(['host', 'port', 'username', 'password', 'sender_name', 'sender_email']));

/** docs/contract/projects.md#trusted-domains */
const domainBody = z.strictObject({
  domain: url.refine(value => /^https?:\/\//.test(value), 'must start with http:// or https://'),
  handler_path: z
    .string()
    .max(urlMaxLength)
    .refine(value => value.startsWith('/'), 'must start with /'),
});

const defaultPermissions = z.array(idOnly).max(permissionIdsMax);

const configBody = z
  .strictObject({
    ...plainSettings,
    team_creator_default_permissions: defaultPermissions,
    team_member_default_permissions: defaultPermissions,
    user_default_permissions: defaultPermissions,
    oauth_providers: z.array(oauthProviderBody).max(projectProvidersMax),
    domains: z
      .array(domainBody)
      .max(projectDomainsMax)
      .refine(
        domains =>
          domains.reduce((sum, one) => sum + one.domain.length + one.handler_path.length, 0) <= domainsMaxLength,
        `must have at most ${domainsMaxLength} characters together`,
      ),
    email_config: emailConfigBody,
  })
  .partial();

const newProject = {
  display_name: z.string().max(displayNameMaxLength).meta({ example: 'Acme' }),
  description: z.string().max(descriptionMaxLength).nullable().optional(),
  is_production_mode: z.boolean().optional(),
  config: configBody.optional(),
};

export const projectEndpoints = {
  readCurrent: endpoint({
    method: 'GET',
    path: '/projects/current',
    access: 'client',
    endedSession: 'ignored',
    query: noQuery,
    response: clientProject,
    summary: 'Read the public settings of the project',
    tag: 'Projects',
    errors: ['PROJECT_NOT_FOUND'],
  }),
};

/** docs/contract/projects.md#project-endpoints: for owners. */
export const projectAdminEndpoints = {
  listOwned: endpoint({
    method: 'GET',
    path: '/internal/projects',
    access: 'client',
    query: noQuery,
    response: listOf(adminProject),
    summary: 'List the projects that the signed-in user of `internal` owns',
    tag: 'Projects',
    errors: ['USER_AUTHENTICATION_REQUIRED', 'EXPECTED_INTERNAL_PROJECT'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/internal/projects',
    access: 'client',
    query: noQuery,
    largeBody: true,
    body: z.strictObject(newProject),
    response: adminProject,
    status: 201,
    summary: 'Create a project that the signed-in user of `internal` owns',
    tag: 'Projects',
    errors: [
      'USER_AUTHENTICATION_REQUIRED',
      'EXPECTED_INTERNAL_PROJECT',
      'PERMISSION_NOT_FOUND',
      'WRONG_PERMISSION_SCOPE',
    ],
  }),
  read: endpoint({
    method: 'GET',
    path: '/internal/projects/current',
    access: 'admin',
    query: noQuery,
    response: adminProject,
    summary: 'Read the project with its whole configuration',
    tag: 'Projects',
    errors: ['PROJECT_NOT_FOUND'],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/internal/projects/current',
    access: 'admin',
    query: noQuery,
    largeBody: true,
    body: z.strictObject(newProject).partial(),
    response: adminProject,
    recordsItsChange: true,
    summary: 'Change the project; arrays and objects in its configuration are replaced as a whole',
    tag: 'Projects',
    errors: ['PROJECT_NOT_FOUND', 'PERMISSION_NOT_FOUND', 'WRONG_PERMISSION_SCOPE'],
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/internal/projects/current',
    access: 'admin',
    role: 'owner',
    recentSignInWithinMs: ownerRecentSignInMs,
    query: noQuery,
    response: success,
    recordsItsChange: true,
    summary: 'Delete the project and all its data',
    tag: 'Projects',
    errors: ['PROJECT_NOT_FOUND'],
  }),
};
