import type { ProjectAccess } from '@tessera/testing/call';
import * as z from 'zod';
import type { TestServer } from './harness.ts';

const created = z.object({ id: z.string(), secret_server_key: z.string(), super_secret_admin_key: z.string() });

/** Creates another key set of a project. `leaked` is the access with its keys, `revoke` ends them. */
export async function makeRevocableKeys(
  server: TestServer,
  project: ProjectAccess,
): Promise<{ leaked: ProjectAccess; revoke: () => Promise<{ readonly status: number }> }> {
  const body = {
    description: 'Leaked',
    expires_at_millis: server.clock.now() + 3_600_000,
    has_publishable_client_key: false,
    has_secret_server_key: true,
    has_super_secret_admin_key: true,
  };
  const { json } = await server.call('POST /internal/api-keys', { project, level: 'admin', body });
  const keys = created.parse(json);
  const change = { project, level: 'admin', params: { id: keys.id }, body: { revoked: true } } as const;
  return {
    leaked: {
      ...project,
      secretServerKey: keys.secret_server_key,
      superSecretAdminKey: keys.super_secret_admin_key,
    },
    revoke: () => server.call('PATCH /internal/api-keys/{id}', change),
  };
}
