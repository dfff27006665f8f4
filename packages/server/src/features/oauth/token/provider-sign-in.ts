import * as z from 'zod';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { flowPurpose } from '../authorize/flow.ts';

/** The encryption purpose of provider profiles and tokens that wait for the code exchange. */
export const providerSignInPurpose = 'provider sign-in';

const providerSignIn = z.object({
  purpose: flowPurpose,
  profile: z.object({
    accountId: z.string(),
    displayName: z.string().nullable(),
    imageUrl: z.string().nullable(),
    email: z.string().nullable(),
    isEmailVerified: z.boolean(),
  }),
  tokens: z
    .object({ accessToken: z.string(), refreshToken: z.string().optional(), expiresAtMillis: z.number() })
    .transform(({ refreshToken, ...tokens }) => ({ ...tokens, refreshToken }))
    .optional(),
  /** The scopes of the tokens. */
  scopes: z.array(z.string()),
});

/** A sign-in at a provider that the app has not completed yet. */
export type ProviderSignIn = z.infer<typeof providerSignIn>;

export function encryptProviderSignIn(signIn: ProviderSignIn, secrets: Secrets): Buffer {
  return secrets.encrypt(providerSignInPurpose, JSON.stringify(signIn));
}

export function decryptProviderSignIn(encrypted: Buffer, secrets: Secrets): ProviderSignIn {
  return providerSignIn.parse(JSON.parse(secrets.decrypt(providerSignInPurpose, encrypted).toString()));
}
