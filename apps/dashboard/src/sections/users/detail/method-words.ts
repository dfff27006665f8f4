import type { EmailCodeState } from '@tessera/client';

/** The words of the sign-in methods of a user. Only the page of the user loads them. */
export const methodWords = {
  title: 'Sign-in methods',
  on: 'on',
  off: 'off',
  setPassword: 'Set a password',
  changePassword: 'Change the password',
  passwordText:
    'All sessions of the user end, and the new password signs in at once. Tell it to the user over a safe channel, or send a reset link instead.',
  passwordShort: 'Use at least 8 characters.',
  passwordNeedsAddress: 'Add an email address first: a password needs one to sign in with.',
  passwordSaved: 'The password was set',
  removePassword: 'Remove the password',
  removePasswordTitle: 'Remove the password?',
  removePasswordText: 'All sessions of the user end. The user needs another method, such as an email code, to sign in.',
  passwordRemoved: 'The password was removed',
  allowCode: 'Allow email codes',
  refuseCode: 'Refuse email codes',
  refuseCodeTitle: 'Refuse email codes?',
  refuseCodeText: 'The user can no longer sign in with a code or link from an email, and needs another method.',
  codeAllowed: 'The user can sign in by email code',
  codeRefused: 'Email codes are refused',
  removePasskeys: 'Remove the passkeys',
  removePasskeysTitle: 'Remove all passkeys of this user?',
  removePasskeysText: 'The user needs another method to sign in, and can register a passkey again.',
  passkeysRemoved: 'The passkeys were removed',
  factorOff: 'Turn two-step verification off',
  factorOffTitle: 'Turn two-step verification off?',
  factorOffText:
    'The user signs in without a code of the authenticator app until they set it up again. Make sure that the request comes from this user.',
  factorIsOff: 'Two-step verification is off',
  code: {
    on: undefined,
    first_use: 'No code was used yet. The first request for one is sent.',
    unverified: 'No code is sent: no address that signs in is verified. Mark one as verified under Email addresses.',
    refused: 'No code is sent: codes were refused for this user.',
    no_address: 'No code is sent: no address of this user signs in.',
  } satisfies Record<EmailCodeState, string | undefined>,
  codeIsOff: 'No code is sent: sign-in by email code is off in this project.',
  providersHint: 'Only the user can disconnect a provider, in the settings of the account.',
};
