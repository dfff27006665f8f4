import type { Args, Reply, Routes } from '@tessera/protocol';
import type { ProjectConfig } from '../projects/project.ts';

/** A permission in one of the sets that are granted by themselves. */
interface DefaultPermission {
  readonly id: string;
}

/** A provider with keys of the installation, meant for trying things out, or with the project's own. */
export type AdminOAuthProviderConfig =
  | { readonly id: ProviderId; readonly type: 'shared' }
  | {
      readonly id: ProviderId;
      readonly type: 'standard';
      readonly clientId: string;
      readonly clientSecret: string;
      readonly facebookConfigId?: string | undefined;
      readonly microsoftTenantId?: string | undefined;
    };

/** A mail server. */
export interface EmailConfig {
  /** Host name of the mail server. */
  readonly host: string;
  /** From 1 to 65535, e.g. 587. */
  readonly port: number;
  /** The account at the mail server. */
  readonly username: string;
  /** The password of that account. */
  readonly password: string;
  /** The name that mails come from. */
  readonly senderName: string;
  /** The address that mails come from. */
  readonly senderEmail: string;
}

/** The mail server of the installation, or one of the project's own. */
export type AdminEmailConfig = { readonly type: 'shared' } | ({ readonly type: 'standard' } & EmailConfig);

/** A site whose pages the project trusts. */
export interface AdminDomainConfig {
  /** With `https://` and without a path, e.g. `https://app.example.com`. */
  readonly domain: string;
  /** Where the handler's pages lie, e.g. `/handler`. */
  readonly handlerPath: string;
}

/** Everything that is set in a project. */
export interface AdminProjectConfig extends Omit<ProjectConfig, 'oauthProviders'> {
  /** Whether pages on this machine are trusted. */
  readonly allowLocalhost: boolean;
  /** Whether every user who signs up gets a team. */
  readonly createTeamOnSignUp: boolean;
  /** What a provider's account does whose address a user signs in with already. */
  readonly oauthAccountMergeStrategy: 'link_method' | 'raise_error' | 'allow_duplicates';
  /** What mails look like. */
  readonly emailTheme: 'default-light' | 'default-dark';
  /** Sites that people may be sent back to, and that mails may link to. */
  readonly domains: AdminDomainConfig[];
  /** Providers to sign in with, in the order of their buttons. */
  readonly oauthProviders: AdminOAuthProviderConfig[];
  /** Who delivers mails. */
  readonly emailConfig: AdminEmailConfig;
  /** Granted to the creator of a team, in that team. */
  readonly teamCreatorDefaultPermissions: DefaultPermission[];
  /** Granted to every member, in their team. */
  readonly teamMemberDefaultPermissions: DefaultPermission[];
  /** Granted to every user, in the whole project. */
  readonly userDefaultPermissions: DefaultPermission[];
}

/** Changes of settings; members left out stay as they are, arrays and objects are replaced as a whole. */
export type AdminProjectConfigUpdate = {
  readonly [Name in keyof AdminProjectConfig]?:
    | (AdminProjectConfig[Name] extends (infer Item)[] ? readonly Item[] : AdminProjectConfig[Name])
    | undefined;
};

type ConfigJson = Reply<Routes['GET /internal/projects/current'], 'admin'>['config'];
type ConfigBody = NonNullable<NonNullable<Args<Routes['PATCH /internal/projects/current'], 'admin'>['body']>['config']>;
type ProviderJson = ConfigJson['oauth_providers'][number];
type EmailBody = NonNullable<ConfigBody['email_config']>;

/** A provider that can be configured. */
export type ProviderId = ProviderJson['id'];

export function projectConfigFromWire(wire: ConfigJson): AdminProjectConfig {
  return Object.freeze({
    signUpEnabled: wire.sign_up_enabled,
    credentialEnabled: wire.credential_enabled,
    magicLinkEnabled: wire.magic_link_enabled,
    passkeyEnabled: wire.passkey_enabled,
    clientTeamCreationEnabled: wire.client_team_creation_enabled,
    clientUserDeletionEnabled: wire.client_user_deletion_enabled,
    allowUserApiKeys: wire.allow_user_api_keys,
    allowTeamApiKeys: wire.allow_team_api_keys,
    allowLocalhost: wire.allow_localhost,
    createTeamOnSignUp: wire.create_team_on_sign_up,
    oauthAccountMergeStrategy: wire.oauth_account_merge_strategy,
    emailTheme: wire.email_theme,
    domains: wire.domains.map(({ domain, handler_path }) => ({ domain, handlerPath: handler_path })),
    oauthProviders: wire.oauth_providers.map(providerFromWire),
    emailConfig: emailConfigFromWire(wire.email_config),
    teamCreatorDefaultPermissions: wire.team_creator_default_permissions,
    teamMemberDefaultPermissions: wire.team_member_default_permissions,
    userDefaultPermissions: wire.user_default_permissions,
  });
}

/** Undefined members are not sent: JSON leaves them out. */
export function projectConfigToWire(config: AdminProjectConfigUpdate): ConfigBody {
  return {
    sign_up_enabled: config.signUpEnabled,
    credential_enabled: config.credentialEnabled,
    magic_link_enabled: config.magicLinkEnabled,
    passkey_enabled: config.passkeyEnabled,
    client_team_creation_enabled: config.clientTeamCreationEnabled,
    client_user_deletion_enabled: config.clientUserDeletionEnabled,
    allow_user_api_keys: config.allowUserApiKeys,
    allow_team_api_keys: config.allowTeamApiKeys,
    allow_localhost: config.allowLocalhost,
    create_team_on_sign_up: config.createTeamOnSignUp,
    oauth_account_merge_strategy: config.oauthAccountMergeStrategy,
    email_theme: config.emailTheme,
    domains: config.domains?.map(({ domain, handlerPath }) => ({ domain, handler_path: handlerPath })),
    oauth_providers: config.oauthProviders?.map(providerToWire),
    email_config: config.emailConfig && emailConfigToWire(config.emailConfig),
    team_creator_default_permissions: config.teamCreatorDefaultPermissions?.map(idOnly),
    team_member_default_permissions: config.teamMemberDefaultPermissions?.map(idOnly),
    user_default_permissions: config.userDefaultPermissions?.map(idOnly),
  };
}

function providerFromWire(wire: ProviderJson): AdminOAuthProviderConfig {
  if (wire.type === 'shared') return { id: wire.id, type: 'shared' };
  return {
    id: wire.id,
    type: 'standard',
    // A standard provider always has both; the schema is one for both types.
    clientId: wire.client_id ?? '',
    clientSecret: wire.client_secret ?? '',
    ...(wire.facebook_config_id !== undefined && { facebookConfigId: wire.facebook_config_id }),
    ...(wire.microsoft_tenant_id !== undefined && { microsoftTenantId: wire.microsoft_tenant_id }),
  };
}

function providerToWire(provider: AdminOAuthProviderConfig): ProviderJson {
  if (provider.type === 'shared') return { id: provider.id, type: 'shared' };
  return {
    id: provider.id,
    type: 'standard',
    client_id: provider.clientId,
    client_secret: provider.clientSecret,
    facebook_config_id: provider.facebookConfigId,
    microsoft_tenant_id: provider.microsoftTenantId,
  };
}

function emailConfigFromWire(wire: ConfigJson['email_config']): AdminEmailConfig {
  if (wire.type === 'shared') return { type: 'shared' };
  const { host, port, username, password } = wire;
  const sender = { senderName: wire.sender_name, senderEmail: wire.sender_email };
  return { type: 'standard', host, port, username, password, ...sender };
}

function emailConfigToWire(config: AdminEmailConfig): EmailBody {
  return config.type === 'shared' ? { type: 'shared' } : { type: 'standard', ...mailServerToWire(config) };
}

export function mailServerToWire({ host, port, username, password, senderName, senderEmail }: EmailConfig) {
  return { host, port, username, password, sender_name: senderName, sender_email: senderEmail };
}

function idOnly({ id }: DefaultPermission): DefaultPermission {
  return { id };
}
