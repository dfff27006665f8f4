import { refuse } from '../../../../http/refusal.ts';
import { assertImportableHash } from '../imported-hash/rules.ts';
import type { PlannedChange, UpdateContext, UserPatch } from '../user-update.ts';

const signInFields = [
  'otpAuthEnabled',
  'passkeyAuthEnabled',
  'totpSecret',
  'password',
  'passwordHash',
  'primaryEmail',
  'primaryEmailVerified',
  'primaryEmailAuthEnabled',
] as const satisfies readonly (keyof UserPatch)[];

/** True for an update of sign-in methods: what it sets can open the account. */
export function changesSignIn(patch: UserPatch): boolean {
  return signInFields.some(field => patch[field] !== undefined);
}

/** @throws a text 400 for a password together with a hash, and for a hash that cannot be imported */
export function assertStorablePassword({ password, passwordHash }: Pick<UserPatch, 'password' | 'passwordHash'>): void {
  if (password !== undefined && passwordHash !== undefined)
    refuse(400, 'Send a password or a password hash, not both.');
  if (passwordHash !== undefined) assertImportableHash(passwordHash);
}

/** @throws a text 400 in a project without sign-in by password */
export function assertPasswordsAllowed({ credentialEnabled }: UpdateContext['config']): void {
  if (!credentialEnabled) refuse(400, 'Sign-in with a password is switched off for this project.');
}

/** @throws a text 400 in a project without sign-in by email code */
export function assertEmailCodesAllowed({ magicLinkEnabled }: UpdateContext['config']): void {
  if (!magicLinkEnabled) refuse(400, 'Sign-in by email code is switched off for this project.');
}

// Control 11: a server can set a password but never read one.
export function planPassword(patch: UserPatch, { user, config }: UpdateContext): PlannedChange[] {
  const { password, passwordHash, primaryEmail = user.primaryEmail } = patch;
  if (password === undefined && passwordHash === undefined) return [];
  assertStorablePassword(patch);
  if (password === null) return [{ kind: 'passwordHash', value: null }, { kind: 'endAllSessions' }];
  if (!user.hasPassword) assertPasswordsAllowed(config);
  if (!user.hasPassword && primaryEmail === null) refuse(400, 'A user needs a primary email before a first password.');
  const stored: PlannedChange =
    password === undefined
      ? { kind: 'passwordHash', value: passwordHash ?? null }
      : { kind: 'password', value: password };
  return [stored, { kind: 'endAllSessions' }];
}

export function planSwitches(patch: UserPatch, { user, config }: UpdateContext): PlannedChange[] {
  const { otpAuthEnabled, passkeyAuthEnabled, totpSecret, isAnonymous } = patch;
  if (otpAuthEnabled === true && !user.otpAuthEnabled) assertEmailCodesAllowed(config);
  if (passkeyAuthEnabled === true) refuse(400, 'A passkey comes from its registration, it cannot be switched on.');
  return [
    ...(otpAuthEnabled === undefined ? [] : [{ kind: 'otpAuthEnabled', value: otpAuthEnabled } as const]),
    ...(passkeyAuthEnabled === undefined ? [] : [{ kind: 'deletePasskeys' } as const]),
    ...(totpSecret === undefined ? [] : [{ kind: 'totpSecret', value: totpSecret } as const]),
    ...(isAnonymous === undefined ? [] : [{ kind: 'isAnonymous', value: isAnonymous } as const]),
  ];
}
