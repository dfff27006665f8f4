import type { Family } from './row.ts';

/** docs/contract/errors.md#code-and-email-errors: verification codes and email. */
export const codesAndEmail = {
  VERIFICATION_ERROR: { name: 'VerificationCodeError' },
  VERIFICATION_CODE_NOT_FOUND: { status: 404, parent: 'VERIFICATION_ERROR' },
  VERIFICATION_CODE_EXPIRED: { status: 400, parent: 'VERIFICATION_ERROR' },
  VERIFICATION_CODE_ALREADY_USED: { status: 409, parent: 'VERIFICATION_ERROR' },
  VERIFICATION_CODE_MAX_ATTEMPTS_REACHED: { status: 400, parent: 'VERIFICATION_ERROR' },

  EMAIL_ALREADY_VERIFIED: { status: 409 },
  EMAIL_NOT_ASSOCIATED_WITH_USER: { status: 400 },
  EMAIL_IS_NOT_PRIMARY_EMAIL: { status: 400, args: ['email: string', 'primary_email: string|null'] },
  CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE: {
    status: 409,
    args: ['type: email', 'contact_channel_value: string|null'],
  },
  EMAIL_TEMPLATE_ALREADY_EXISTS: { status: 409 },
  EMAIL_RENDERING_ERROR: { status: 400, args: ['error: string'] },
} as const satisfies Family;
