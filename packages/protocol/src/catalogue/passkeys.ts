import type { Family } from './row.ts';

/** Section 3.6 of errors.md. */
export const passkeys = {
  PASSKEY_REGISTRATION_FAILED: { status: 400, args: 'message' },
  PASSKEY_WEBAUTHN_ERROR: { status: 400, args: ['message: string', 'code: string'] },
  PASSKEY_AUTHENTICATION_FAILED: { status: 400, args: 'message' },
} as const satisfies Family;
