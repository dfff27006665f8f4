import { type AccessLevel, fail } from '@tessera/protocol';
import type { CallUser } from '../../../core/user.ts';
import { refuse } from '../../../http/refusal.ts';
import { ownership } from './rules.ts';

/** @throws the refusal of a client that names the channels of another user */
export function assertOwn(level: AccessLevel, user: CallUser | null, userId: string | undefined): void {
  const whose = ownership(level, user?.id, userId);
  if (whose === 'noUser') fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
  if (whose === 'foreign') refuse(403, 'Clients can only see and change their own contact channels.');
}

/** The user whose channels the request names. */
export function requireOwnUserId({
  level,
  user,
  targetUserId,
}: {
  level: AccessLevel;
  user: CallUser | null;
  targetUserId: string;
}): string {
  assertOwn(level, user, targetUserId);
  return targetUserId;
}
