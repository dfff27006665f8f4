import type { Sentences } from './catalogue.ts';

/**
 * Codes that the client raises itself (column C of docs/contract/errors.md). Their sentences are part of the client
 * bundle.
 */
export type ClientCode = keyof typeof clientSentences;

/** The default messages of these errors. Those that docs/contract/errors.md quotes are literal. */
export const clientSentences = {
  UNSUPPORTED_ERROR: ({ originalErrorCode }) =>
    `This version of the SDK does not know the error code ${originalErrorCode}. Updating the SDK may help.`,
  PASSWORD_TOO_SHORT: ({ min_length }) => `Password too short. Minimum length is ${min_length}.`,
  PASSWORD_TOO_LONG: ({ maxLength }) => `Password too long. Maximum length is ${maxLength}.`,
  PASSKEY_REGISTRATION_FAILED: 'The passkey could not be registered.',
  PASSKEY_WEBAUTHN_ERROR: ({ message }) => message,
  PASSKEY_AUTHENTICATION_FAILED: 'Sign-in with this passkey failed.',
  CLI_AUTH_ERROR: 'The command line could not be signed in.',
  CLI_AUTH_EXPIRED_ERROR: 'CLI authentication request expired. Please try again.',
  CLI_AUTH_USED_ERROR: 'This authentication token has already been used.',
} satisfies Partial<Sentences>;
