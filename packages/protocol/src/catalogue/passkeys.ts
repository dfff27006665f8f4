import type { Family } from './row.ts';

/** docs/contract/errors.md#passkey-errors. */
export const passkeys = {
  PASSKEY_REGISTRATION_FAILED: { status: 400, args: 'message' },
  PASSKEY_WEBAUTHN_ERROR: { status: 400, args: ['message: string', 'code: string'] },
  PASSKEY_AUTHENTICATION_FAILED: { status: 400, args: 'message' },
} as const satisfies Family;
