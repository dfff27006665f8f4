import {
  codeMaxAttempts,
  emailVerificationLifetimeMs,
  firstOwnerLinkLifetimeMs,
  invitationLifetimeMs,
  invitedRoles,
  mfaAttemptLifetimeMs,
  mfaMaxAttempts,
  passkeyChallengeLifetimeMs,
  passwordResetLifetimeMs,
  signInCodeLifetimeMs,
} from '@tessera/protocol';
import * as z from 'zod';

const nothing = z.object({});
/** `makerId`: the person who made the link in the dashboard; undefined for an email and for a caller with a key. */
const link = z.object({ makerId: z.string().optional() });
const challenge = z.object({ challenge: z.string() });

/** A provider account that is linked when the second factor has been verified. */
const pendingLink = z.object({ providerId: z.string(), providerSignIn: z.base64() });

export type PendingLink = z.infer<typeof pendingLink>;

/**
 * The kinds of one-time codes, as data (docs/contract/sign-in-methods.md#code-kinds). A code is valid only for endpoints
 * of its kind.
 */
export const codeKinds = {
  email_verification: { lifetimeMs: emailVerificationLifetimeMs, maxAttempts: codeMaxAttempts, data: nothing },
  password_reset: { lifetimeMs: passwordResetLifetimeMs, maxAttempts: codeMaxAttempts, data: link },
  sign_in: { lifetimeMs: signInCodeLifetimeMs, maxAttempts: codeMaxAttempts, data: link },
  reauthentication: { lifetimeMs: signInCodeLifetimeMs, maxAttempts: codeMaxAttempts, data: nothing },
  mfa_attempt: {
    lifetimeMs: mfaAttemptLifetimeMs,
    maxAttempts: mfaMaxAttempts,
    /**
     * `method`: the first factor; undefined in an attempt of an older version. `codeAddress`: the address of an email
     * code. `sessionId`: what the attempt has opened.
     */
    data: z.object({
      isNewUser: z.boolean(),
      method: z.string().optional(),
      codeAddress: z.string().optional(),
      pendingLink: pendingLink.optional(),
      sessionId: z.string().optional(),
    }),
  },
  passkey_registration: { lifetimeMs: passkeyChallengeLifetimeMs, maxAttempts: codeMaxAttempts, data: challenge },
  passkey_authentication: { lifetimeMs: passkeyChallengeLifetimeMs, maxAttempts: codeMaxAttempts, data: challenge },
  team_invitation: {
    lifetimeMs: invitationLifetimeMs,
    maxAttempts: codeMaxAttempts,
    /** Inviter and role are of the extension (docs/contract/decisions.md#team-roles). */
    data: z.object({ teamId: z.string(), inviterId: z.string().optional(), roleId: z.string().optional() }),
  },
  project_invitation: {
    lifetimeMs: invitationLifetimeMs,
    maxAttempts: codeMaxAttempts,
    data: z.object({ projectId: z.string(), role: z.enum(invitedRoles), inviterId: z.string().optional() }),
  },
  first_owner: { lifetimeMs: firstOwnerLinkLifetimeMs, maxAttempts: codeMaxAttempts, data: nothing },
  unsubscribe: {
    lifetimeMs: invitationLifetimeMs,
    maxAttempts: codeMaxAttempts,
    data: z.object({ categoryId: z.string() }),
  },
} as const;

export type CodeKind = keyof typeof codeKinds;

/** The data of a code of each kind, besides its user and address. */
export type CodeData<K extends CodeKind> = z.infer<(typeof codeKinds)[K]['data']>;
