import { fail } from '@tessera/protocol';

/** The id of the user that `user_id` names: `me` is the user of the access token; ids are lower-cased. */
export function namedUserId(userId: string, caller: { readonly user: { readonly id: string } | null }): string {
  if (userId !== 'me') return userId.toLowerCase();
  return caller.user?.id ?? fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
}
