import type { ServerUserCreateOptions } from '@tessera/client';
import { isEmail } from '@tessera/ui';
import type { FieldErrors } from '../../../components/form/use-form.ts';
import { words as common } from '../../../words.ts';
import { createWords } from './create-words.ts';

/** The fields of the form that creates a user. */
export interface NewUser {
  readonly email: string;
  readonly isVerified: boolean;
  readonly displayName: string;
  readonly password: string;
}

/** Verified: the person who types an address here vouches for it, and without it no code can be sent to the user. */
export const initialUser: NewUser = { email: '', isVerified: true, displayName: '', password: '' };

/** The problem of each field that has one. A password without an address could not be used. */
export function newUserProblems({ email, displayName, password }: NewUser): FieldErrors<NewUser> {
  if (email.trim() !== '') return isEmail(email) ? {} : { email: common.form.emailWrong };
  if (password !== '') return { email: createWords.passwordNeedsEmail };
  return displayName.trim() === '' ? { email: createWords.needsOne } : {};
}

/** The user for the SDK. The address signs in, by email code once it is verified; without one there is nothing to verify. */
export function newUserOptions(
  { email, isVerified, displayName, password }: NewUser,
  { magicLinkEnabled }: { readonly magicLinkEnabled: boolean },
): ServerUserCreateOptions {
  const address = email.trim();
  const name = displayName.trim();
  return {
    ...(name ? { displayName: name } : {}),
    ...(address ? { primaryEmail: address, primaryEmailVerified: isVerified, primaryEmailAuthEnabled: true } : {}),
    ...(address && isVerified && magicLinkEnabled ? { otpAuthEnabled: true } : {}),
    ...(password ? { password } : {}),
  };
}
