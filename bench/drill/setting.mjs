import { setTimeout as pause } from 'node:timers/promises';
import { ask } from './revocation.mjs';

const pollMs = 50;
const patienceMs = 10_000;

/**
 * Changes a setting of the project through one process.
 *
 * @returns seconds from the answer until the last process showed the new value
 */
export async function measureSetting({ servers, keys }) {
  const admin = { 'x-stack-access-type': 'admin', 'x-stack-super-secret-admin-key': keys.superSecretAdminKey };
  const client = { 'x-stack-access-type': 'client', 'x-stack-publishable-client-key': keys.publishableClientKey };
  const read = async server => {
    const answer = await ask(server, '/projects/current', { headers: client });
    return (await answer.json()).config.client_team_creation_enabled;
  };
  const [before] = await Promise.all(servers.map(read));
  const changed = await ask(servers[0], '/internal/projects/current', {
    method: 'PATCH',
    headers: admin,
    body: { config: { client_team_creation_enabled: !before } },
  });
  if (!changed.ok) throw new Error(`the setting could not be changed: ${changed.status} ${await changed.text()}`);
  const changedAt = performance.now();
  const seconds = servers.map(async server => {
    while ((await read(server)) === before) {
      if (performance.now() - changedAt > patienceMs) break;
      await pause(pollMs);
    }
    return (performance.now() - changedAt) / 1_000;
  });
  return Math.max(...(await Promise.all(seconds)));
}
