import type { Family } from './row.ts';

/** docs/contract/errors.md#sign-in-errors: users, projects, sign-in. */
export const signIn = {
  USER_EMAIL_ALREADY_EXISTS: { status: 409, name: 'UserWithEmailAlreadyExists', args: ['email: string'] },
  EMAIL_NOT_VERIFIED: { status: 400 },
  CANNOT_GET_OWN_USER_WITHOUT_USER: { status: 400 },
  USER_ID_DOES_NOT_EXIST: { status: 400, args: ['user_id: string'] },
  USER_NOT_FOUND: { status: 404 },
  USER_AUTHENTICATION_REQUIRED: { status: 401 },
  PROJECT_NOT_FOUND: { status: 404, args: ['project_id: string'] },
  BRANCH_DOES_NOT_EXIST: { status: 400, args: ['branch_id: string'] },
  SIGN_UP_NOT_ENABLED: { status: 400 },
  PASSWORD_AUTHENTICATION_NOT_ENABLED: { status: 400 },
  PASSKEY_AUTHENTICATION_NOT_ENABLED: { status: 400 },
  ANONYMOUS_ACCOUNTS_NOT_ENABLED: { status: 400 },
  EMAIL_PASSWORD_MISMATCH: { status: 400 },
  REDIRECT_URL_NOT_WHITELISTED: { status: 400 },
  // A parent with a status: it refuses common and contextual passwords (controls 6, 7;
  // docs/contract/decisions.md#controls-and-the-contract).
  PASSWORD_REQUIREMENTS_NOT_MET: { status: 400 },
  PASSWORD_TOO_SHORT: { status: 400, parent: 'PASSWORD_REQUIREMENTS_NOT_MET', args: ['min_length: number'] },
  PASSWORD_TOO_LONG: { status: 400, parent: 'PASSWORD_REQUIREMENTS_NOT_MET', args: ['maxLength: number'] },
  USER_DOES_NOT_HAVE_PASSWORD: { status: 400 },
  PASSWORD_CONFIRMATION_MISMATCH: { status: 400 },
  MULTI_FACTOR_AUTHENTICATION_REQUIRED: { status: 400, args: ['attempt_code: string'] },
  INVALID_TOTP_CODE: { status: 400 },
} as const satisfies Family;
