import { userAccessRecentSignInMs } from '@tessera/protocol';
import * as z from 'zod';
import type { TestServer } from '../../test/harness.ts';

/** A person who owns a project, with the headers of the dashboard: the session of that person instead of a key. */
export async function signInOwner(server: TestServer, projectId: string) {
  const owner = await server.make.user();
  await server.call('PATCH /users/{user_id}', {
    level: 'server',
    params: { user_id: owner.userId },
    body: { server_metadata: { managedProjectIds: [projectId] } },
  });
  const headers = { 'x-stack-super-secret-admin-key': '', 'x-stack-admin-access-token': owner.accessToken };
  /** Ten minutes later by default, with another access token of the same sign-in. */
  const olderHeaders = async (ageMs = userAccessRecentSignInMs) => {
    server.clock.advance(ageMs);
    const refreshed = await server.call('POST /auth/sessions/current/refresh', { refreshToken: owner.refreshToken });
    const { access_token } = z.object({ access_token: z.string() }).parse(refreshed.json);
    return { ...headers, 'x-stack-admin-access-token': access_token };
  };
  return { owner, headers, olderHeaders };
}
