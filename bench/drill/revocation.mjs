import { setTimeout as pause } from 'node:timers/promises';

const pollMs = 100;
const patienceMs = 6_000;
const keyLifetimeMs = 3_600_000;

/** A secret key that all processes have cached, to measure how long they accept it after the revocation. */
export async function openRevocation({ servers, keys }) {
  const admin = { 'x-stack-access-type': 'admin', 'x-stack-super-secret-admin-key': keys.superSecretAdminKey };
  const created = await ask(servers.at(-1), '/internal/api-keys', {
    method: 'POST',
    headers: admin,
    body: {
      description: 'drill',
      expires_at_millis: Date.now() + keyLifetimeMs,
      has_publishable_client_key: false,
      has_secret_server_key: true,
      has_super_secret_admin_key: false,
    },
  });
  const { id, secret_server_key: key } = await created.json();
  const accepted = [];
  let revokedAt;
  let isOver = false;

  async function poll(process) {
    const headers = { 'x-stack-access-type': 'server', 'x-stack-secret-server-key': key };
    while (!isOver) {
      const startedAt = performance.now();
      const answer = await ask(process, '/projects/current', { headers }).catch(() => undefined);
      if (answer?.status === 200) accepted.push(startedAt);
      await pause(pollMs);
    }
  }
  const polling = servers.map(poll);

  return {
    /** Revokes the key as soon as one of the processes can. */
    async revoke() {
      for (let turn = 1; revokedAt === undefined; turn++) {
        const answer = await ask(servers[turn % servers.length], `/internal/api-keys/${id}`, {
          method: 'PATCH',
          headers: admin,
          body: { revoked: true },
        }).catch(() => undefined);
        if (answer?.status === 200) revokedAt = performance.now();
        else await pause(pollMs);
      }
    },
    /** @returns seconds from the answer to the revocation until the last time that the key was accepted */
    async close() {
      isOver = true;
      await Promise.all(polling);
      return Math.max(0, ...accepted.map(at => (at - revokedAt) / 1_000));
    },
  };
}

/** Sends a request to one of the processes. */
export function ask({ server }, path, { method = 'GET', headers, body }) {
  return fetch(`http://127.0.0.1:${server.port}/api/v1${path}`, {
    method,
    headers: { 'x-stack-project-id': 'internal', 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(patienceMs),
  });
}
