import { type Answer, type Args, comparePermissionIds, type projectAdminEndpoints } from '@tessera/protocol';
import type { ProjectConfig } from '../../../core/project-config.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { ProjectChanges, SettingChanges } from '../rules.ts';
import type { ProjectRecord } from '../store.ts';
import { clientConfig } from '../wire.ts';
import { settingsOf } from './config.ts';
import { decryptClientSecret, decryptSmtpPassword, encryptClientSecret, encryptSmtpPassword } from './encrypted.ts';

type AdminProject = Answer<typeof projectAdminEndpoints.read>;
type Body = NonNullable<Args<typeof projectAdminEndpoints.update, 'admin'>['body']>;
type ConfigBody = NonNullable<Body['config']>;
type StoredProvider = ProjectConfig['oauthProviders'][number];
type StoredEmailConfig = ProjectConfig['emailConfig'];

/**
 * docs/contract/projects.md#admin-view: a project as its owners see it, with secrets in clear.
 *
 * @param secrets null for a viewer, who sees that a secret is set, as an empty text
 */
export function toAdminProject(project: ProjectRecord, secrets: Secrets | null): AdminProject {
  const config = settingsOf(project);
  return {
    id: project.id,
    display_name: project.displayName,
    description: project.description,
    created_at_millis: project.createdAtMillis,
    is_production_mode: project.isProductionMode,
    config: {
      ...clientConfig(config),
      allow_localhost: config.allowLocalhost,
      oauth_account_merge_strategy: config.oauthAccountMergeStrategy,
      oauth_providers: sortedBy(config.oauthProviders, ({ id }) => id).map(one => providerView(one, secrets)),
      domains: sortedBy(config.domains, ({ domain }) => domain).map(({ domain, handlerPath }) => ({
        domain,
        handler_path: handlerPath,
      })),
      email_config: emailConfigView(config.emailConfig, secrets),
      email_theme: config.emailTheme,
      create_team_on_sign_up: config.createTeamOnSignUp,
      team_creator_default_permissions: permissionSet(config.teamCreatorDefaultPermissions),
      team_member_default_permissions: permissionSet(config.teamMemberDefaultPermissions),
      user_default_permissions: permissionSet(config.userDefaultPermissions),
    },
  };
}

/** Maps the body of a creation or update to changes, and encrypts the secrets. */
export function toProjectChanges(body: Body, secrets: Secrets): ProjectChanges {
  return {
    displayName: body.display_name,
    description: body.description === null ? '' : body.description,
    isProductionMode: body.is_production_mode,
    config: body.config === undefined ? {} : configChanges(body.config, secrets),
  };
}

/** Leaves out settings that were not sent: a named setting with the value undefined would be unset. */
function configChanges(config: ConfigBody, secrets: Secrets): Partial<ProjectConfig> {
  const changes: SettingChanges = {
    signUpEnabled: config.sign_up_enabled,
    credentialEnabled: config.credential_enabled,
    magicLinkEnabled: config.magic_link_enabled,
    passkeyEnabled: config.passkey_enabled,
    clientTeamCreationEnabled: config.client_team_creation_enabled,
    clientUserDeletionEnabled: config.client_user_deletion_enabled,
    allowUserApiKeys: config.allow_user_api_keys,
    allowTeamApiKeys: config.allow_team_api_keys,
    allowLocalhost: config.allow_localhost,
    oauthAccountMergeStrategy: config.oauth_account_merge_strategy,
    oauthProviders: config.oauth_providers && storedProviders(config.oauth_providers, secrets),
    domains: config.domains?.map(({ domain, handler_path }) => ({ domain, handlerPath: handler_path })),
    emailConfig: config.email_config && storedEmailConfig(config.email_config, secrets),
    emailTheme: config.email_theme,
    createTeamOnSignUp: config.create_team_on_sign_up,
    teamCreatorDefaultPermissions:
      config.team_creator_default_permissions && ids(config.team_creator_default_permissions),
    teamMemberDefaultPermissions: config.team_member_default_permissions && ids(config.team_member_default_permissions),
    userDefaultPermissions: config.user_default_permissions && ids(config.user_default_permissions),
  };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

function providerView(
  provider: StoredProvider,
  secrets: Secrets | null,
): AdminProject['config']['oauth_providers'][number] {
  const { id, type, clientId, sealedClientSecret, facebookConfigId, microsoftTenantId } = provider;
  return {
    id: id as AdminProject['config']['oauth_providers'][number]['id'],
    type,
    ...(clientId === undefined ? undefined : { client_id: clientId }),
    ...(sealedClientSecret === undefined
      ? undefined
      : { client_secret: secrets === null ? '' : decryptClientSecret(sealedClientSecret, secrets) }),
    ...(facebookConfigId === undefined ? undefined : { facebook_config_id: facebookConfigId }),
    ...(microsoftTenantId === undefined ? undefined : { microsoft_tenant_id: microsoftTenantId }),
  };
}

/** The last entry of several with one id is kept (docs/contract/projects.md#oauth-providers). */
function storedProviders(providers: NonNullable<ConfigBody['oauth_providers']>, secrets: Secrets): StoredProvider[] {
  return [...new Map(providers.map(provider => [provider.id, provider])).values()].map(provider => {
    const { id, type, client_id, client_secret, facebook_config_id, microsoft_tenant_id } = provider;
    const encrypted = client_secret === undefined ? undefined : encryptClientSecret(client_secret, secrets);
    const optional = {
      ...(facebook_config_id === undefined ? undefined : { facebookConfigId: facebook_config_id }),
      ...(microsoft_tenant_id === undefined ? undefined : { microsoftTenantId: microsoft_tenant_id }),
    };
    // The schema requires both for a standard provider.
    if (type === 'standard') {
      return { id, type, clientId: client_id ?? '', sealedClientSecret: encrypted ?? '', ...optional };
    }
    return {
      id,
      type,
      ...(client_id === undefined ? undefined : { clientId: client_id }),
      ...(encrypted === undefined ? undefined : { sealedClientSecret: encrypted }),
      ...optional,
    };
  });
}

function emailConfigView(config: StoredEmailConfig, secrets: Secrets | null): AdminProject['config']['email_config'] {
  if (config.type === 'shared') return { type: 'shared' };
  return {
    type: 'standard',
    host: config.host,
    port: config.port,
    username: config.username,
    password: secrets === null ? '' : decryptSmtpPassword(config.sealedPassword, secrets),
    sender_name: config.senderName,
    sender_email: config.senderEmail,
  };
}

/** A shared configuration keeps no other field (docs/contract/projects.md#email-configuration). */
function storedEmailConfig(config: NonNullable<ConfigBody['email_config']>, secrets: Secrets): StoredEmailConfig {
  if (config.type === 'shared') return { type: 'shared' };
  // The schema requires all of them for a standard configuration.
  const { host = '', port = 0, username = '', password = '', sender_name = '', sender_email = '' } = config;
  return {
    type: 'standard',
    host,
    port,
    username,
    sealedPassword: encryptSmtpPassword(password, secrets),
    senderName: sender_name,
    senderEmail: sender_email,
  };
}

function permissionSet(permissionIds: readonly string[]): { id: string }[] {
  return [...permissionIds].sort(comparePermissionIds).map(id => ({ id }));
}

function ids(set: readonly { readonly id: string }[]): string[] {
  return [...new Set(set.map(({ id }) => id))];
}

/** Sorts items as all lists of a project are sorted (docs/contract/projects.md). */
function sortedBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return [...items].sort((one, other) => comparePermissionIds(keyOf(one), keyOf(other)));
}
