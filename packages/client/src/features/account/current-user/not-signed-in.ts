import { SdkError } from '../../../errors/sdk-error.ts';

/** The error of `getUser` and `useUser` in the mode `throw` when no user is signed in. */
export function notSignedIn(caller: 'getUser' | 'useUser'): SdkError {
  return new SdkError('NOT_SIGNED_IN', `User is not signed in, but ${caller}({ or: 'throw' }) was called.`);
}
