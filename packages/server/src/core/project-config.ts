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

/** The look of the project's emails; without a value the installation's. */
const branding = z.object({
  logoUrl: z.string().optional(),
  color: z.string().optional(),
  postalAddress: z.string().optional(),
});

/** Normalized entries (docs/contract/sign-in-methods.md#sign-up-restrictions). */
const signUpRestrictions = z.object({ allowed: z.array(z.string()), blocked: z.array(z.string()) });

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
  /** The Demo project of a development server sends to users through the mail catcher. No endpoint changes it. */
  sharedServerSendsToUsers: z.boolean().default(false),
  emailTheme: z.enum(['default-light', 'default-dark']).default('default-light'),
  createTeamOnSignUp: z.boolean().default(false),
  /** An extension: the addresses with which a person can create an account. */
  signUpRestrictions: signUpRestrictions.default({ allowed: [], blocked: [] }),
  /** Extensions, each with its own endpoint; unset means the default of the installation. */
  refusesWeakPasswords: z.boolean().optional(),
  sessionLifetimeMs: z.number().optional(),
  sessionIdleLifetimeMs: z.number().optional(),
  /** The maximum age of the sign-in for sensitive changes. */
  freshSignInWithinMs: z.number().optional(),
  rotatesRefreshTokens: z.boolean().default(false),
  /** An extension: a passkey that verified its user needs no second factor. */
  passkeyCountsAsBothFactors: z.boolean().default(false),
  /** An extension: the verification email of a sign-up with a password has a code to type, too. */
  asksForVerificationCode: z.boolean().default(false),
  /** An extension: the days in which users can keep an account that they have deleted; 0 deletes it at once. */
  deletionCoolingOffDays: z.number().default(0),
  auditRetentionDays: z.number().optional(),
  limits: ownLimits.default({}),
  /** An extension. */
  branding: branding.default({}),
  /** An extension: users get an email about a sign-in from a new device. */
  signInNoticesEnabled: z.boolean().default(false),
  /** An extension: anonymous sign-up is on. */
  anonymousUsersEnabled: z.boolean().default(false),
  /** An extension: only a user with the invited address, verified, can accept a team invitation. */
  invitationsBoundToAddress: z.boolean().default(false),
  /** An extension: the team permissions that are roles, the highest first; unset means `defaultTeamRoles`. */
  teamRoles: permissionIds.optional(),
  /** Granted to team creators, new members and new users (docs/contract/permissions.md#default-sets). */
  teamCreatorDefaultPermissions: permissionIds.default([]),
  teamMemberDefaultPermissions: permissionIds.default([]),
  userDefaultPermissions: permissionIds.default([]),
});

export type ProjectConfig = z.infer<typeof projectConfig>;
