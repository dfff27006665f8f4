import { systemPermissionIds } from '@tessera/protocol';
import * as z from 'zod';

const permissionIds = z.array(z.string());
const trustedDomain = z.object({ domain: z.string(), handlerPath: z.string() });

/**
 * An OAuth provider of a project: with the installation's keys, or with its own
 * (docs/contract/projects.md#oauth-providers).
 */
const oauthProvider = z.discriminatedUnion('type', [
  z.object({
    id: z.string(),
    type: z.literal('shared'),
    /** Without meaning here, but what was sent is answered. */
    clientId: z.string().optional(),
    sealedClientSecret: z.string().optional(),
    facebookConfigId: z.string().optional(),
    microsoftTenantId: z.string().optional(),
  }),
  z.object({
    id: z.string(),
    type: z.literal('standard'),
    clientId: z.string(),
    /** Encrypted under the installation's key, as base64. */
    sealedClientSecret: z.string(),
    facebookConfigId: z.string().optional(),
    microsoftTenantId: z.string().optional(),
  }),
]);

/**
 * The server that sends a project's mail: the installation's, or the project's own
 * (docs/contract/projects.md#email-configuration).
 */
const emailConfig = z.discriminatedUnion('type', [
  z.object({ type: z.literal('shared') }),
  z.object({
    type: z.literal('standard'),
    host: z.string(),
    port: z.number(),
    username: z.string(),
    /** Encrypted under the installation's key, as base64. */
    sealedPassword: z.string(),
    senderName: z.string(),
    senderEmail: z.string(),
  }),
]);

/** What is counted per project; the installation's figures of `limits.ts` hold where a project sets none. */
const ownLimits = z.object({
  failedSignInsPerAccount: z.number().optional(),
  failedSignInsPerAddress: z.number().optional(),
  mailsPerRecipient: z.number().optional(),
  mailsPerAddress: z.number().optional(),
  mailsPerProject: z.number().optional(),
  signUpsPerAddress: z.number().optional(),
});

/** What a project can be set to, with the values that an unset setting means (docs/contract/projects.md#admin-view). */
export const projectConfig = z.object({
  signUpEnabled: z.boolean().default(true),
  credentialEnabled: z.boolean().default(false),
  magicLinkEnabled: z.boolean().default(false),
  passkeyEnabled: z.boolean().default(false),
  clientTeamCreationEnabled: z.boolean().default(false),
  clientUserDeletionEnabled: z.boolean().default(false),
  allowUserApiKeys: z.boolean().default(false),
  allowTeamApiKeys: z.boolean().default(false),
  allowLocalhost: z.boolean().default(false),
  domains: z.array(trustedDomain).default([]),
  oauthProviders: z.array(oauthProvider).default([]),
  oauthAccountMergeStrategy: z.enum(['link_method', 'raise_error', 'allow_duplicates']).default('link_method'),
  emailConfig: emailConfig.default({ type: 'shared' }),
  emailTheme: z.enum(['default-light', 'default-dark']).default('default-light'),
  createTeamOnSignUp: z.boolean().default(false),
  /** Extensions, each with an endpoint of its own; unset means the installation's default. */
  refusesWeakPasswords: z.boolean().optional(),
  sessionLifetimeMs: z.number().optional(),
  sessionIdleLifetimeMs: z.number().optional(),
  /** Sensitive changes ask for a sign-in that is no older. */
  freshSignInWithinMs: z.number().optional(),
  rotatesRefreshTokens: z.boolean().default(false),
  auditRetentionDays: z.number().optional(),
  limits: ownLimits.default({}),
  /** An extension: whether people may come in without saying who they are. */
  anonymousUsersEnabled: z.boolean().default(false),
  /** An extension: only a user with the invited address, verified, can accept a team invitation. */
  invitationsBoundToAddress: z.boolean().default(false),
  /** Granted to whoever makes a team, joins one, or signs up (docs/contract/permissions.md#default-sets). */
  teamCreatorDefaultPermissions: permissionIds.default([]),
  teamMemberDefaultPermissions: permissionIds.default([]),
  userDefaultPermissions: permissionIds.default([]),
});

export type ProjectConfig = z.infer<typeof projectConfig>;

/** The settings of a project as they are stored, with what the unset ones mean. */
export function settingsOf({ config }: { readonly config: unknown }): ProjectConfig {
  return projectConfig.parse(config);
}

/** What project creation writes where nothing else is asked for (docs/contract/projects.md#admin-view). */
export const newProjectConfig = {
  credentialEnabled: true,
  allowLocalhost: true,
  teamCreatorDefaultPermissions: ['team_admin'],
  teamMemberDefaultPermissions: ['team_member'],
} as const satisfies Partial<ProjectConfig>;

/** The two team permissions that every project begins with (docs/contract/projects.md#project-lifecycle). */
export const newProjectTeamPermissions = [
  {
    id: 'team_admin',
    description: 'Manage the team and its members',
    containedPermissionIds: systemPermissionIds,
  },
  {
    id: 'team_member',
    description: 'See the members of the team and invite others',
    containedPermissionIds: ['$invite_members', '$read_members'],
  },
] as const;
