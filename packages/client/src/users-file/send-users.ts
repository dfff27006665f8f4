import type { ImportedUser, ImportedUserResult } from '../features/admin/user-administration.ts';

type Results = readonly ImportedUserResult[];

/**
 * Sends users in one request. The server refuses a request as a whole for a text that it cannot store, for nesting and for
 * its size. Then the users are sent in smaller requests, so that only those at fault fail.
 */
export async function sendUsers<User extends ImportedUser>(
  users: readonly User[],
  send: (users: readonly User[]) => Promise<Results>,
): Promise<Results> {
  try {
    return await send(users);
  } catch (error) {
    if (!isRefusedBody(error)) throw error;
    if (users.length === 1) return [{ status: 'failed', userId: null, reason: error.message }];
  }
  const half = Math.ceil(users.length / 2);
  return [...(await sendUsers(users.slice(0, half), send)), ...(await sendUsers(users.slice(half), send))];
}

const payloadTooLarge = 413;

function isRefusedBody(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if ('status' in error && error.status === payloadTooLarge) return true;
  return 'errorCode' in error && error.errorCode === 'BODY_PARSING_ERROR';
}
