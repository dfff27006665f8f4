import { systemPermissionIds } from '@tessera/protocol';
import * as z from 'zod';

const permissionIds = z.array(z.string());
const trustedDomain = z.object({ domain: z.string(), handlerPath: z.string() });

/**
 * An OAuth provider of a project, with shared credentials of the installation or with its own
 * (docs/contract/projects.md#oauth-providers).
 */
const oauthProvider = z.discriminatedUnion('type', [
  z.object({
    id: z.string(),
    type: z.literal('shared'),
    /** Unused, but returned as it was sent. */
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
 * The mail server of a project: the server of the installation, or its own
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

/** Limits of the project; without a value the limit in `limits.ts` holds. */
const ownLimits = z.object({
  failedSignInsPerAccount: z.number().optional(),
  failedSignInsPerAddress: z.number().optional(),
  mailsPerRecipient: z.number().optional(),
  mailsPerAddress: z.number().optional(),
  mailsPerProject: z.number().optional(),
  signUpsPerAddress: z.number().optional(),
});

/** The settings of a project, with the defaults of unset ones (docs/contract/projects.md#admin-view). */
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
  /** Extensions, each with its own endpoint; unset means the default of the installation. */
  refusesWeakPasswords: z.boolean().optional(),
  sessionLifetimeMs: z.number().optional(),
  sessionIdleLifetimeMs: z.number().optional(),
  /** The maximum age of the sign-in for sensitive changes. */
  freshSignInWithinMs: z.number().optional(),
  rotatesRefreshTokens: z.boolean().default(false),
  auditRetentionDays: z.number().optional(),
  limits: ownLimits.default({}),
  /** An extension: anonymous sign-up is on. */
  anonymousUsersEnabled: z.boolean().default(false),
  /** An extension: only a user with the invited address, verified, can accept a team invitation. */
  invitationsBoundToAddress: z.boolean().default(false),
  /** Granted to team creators, new members and new users (docs/contract/permissions.md#default-sets). */
  teamCreatorDefaultPermissions: permissionIds.default([]),
  teamMemberDefaultPermissions: permissionIds.default([]),
  userDefaultPermissions: permissionIds.default([]),
});

export type ProjectConfig = z.infer<typeof projectConfig>;

/** The settings of a stored project; unset ones have their defaults. */
export function settingsOf({ config }: { readonly config: unknown }): ProjectConfig {
  return projectConfig.parse(config);
}

/** The settings that a new project gets by default (docs/contract/projects.md#admin-view). */
export const newProjectConfig = {
  credentialEnabled: true,
  allowLocalhost: true,
  teamCreatorDefaultPermissions: ['team_admin'],
  teamMemberDefaultPermissions: ['team_member'],
} as const satisfies Partial<ProjectConfig>;

/** The two team permissions of every new project (docs/contract/projects.md#project-lifecycle). */
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
