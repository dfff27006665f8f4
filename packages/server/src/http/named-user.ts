import { fail } from '@tessera/protocol';

/** The user that a `user_id` means: the one of the access token for `me`; ids in their one spelling, lower case. */
export function namedUserId(userId: string, caller: { readonly user: { readonly id: string } | null }): string {
  if (userId !== 'me') return userId.toLowerCase();
  return caller.user?.id ?? fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
}
