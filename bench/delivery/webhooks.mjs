import { createServer } from 'node:http';
import { embeddedConnection, makeDataFolder, removeDataFolder } from '@tessera/testing/data-folder';
import { ask } from '../load.mjs';
import { keys, startServer, withDatabase } from '../processes.mjs';
import { createArrivals } from './arrivals.mjs';

const secret = 'the secret of a bench, which is long enough';

/**
 * The server with a receiver for the webhook events of new users of `internal`.
 *
 * @typedef {Awaited<ReturnType<typeof openReceiver>>} Receiver
 */

/** @param {{ main: string }} options */
export async function openReceiver({ main }) {
  const sink = await openSink();
  const dataDir = await makeDataFolder();
  const environment = { TESSERA_SECRET: secret, TESSERA_OUTBOUND_ALLOW: '127.0.0.0/8' };
  const start = () => startServer({ main, dataDir, environment });
  const receiver = {
    sink,
    server: await start(),
    restart,
    startReplica,
    withDatabase: work => withDatabase(dataDir, work),
    close,
  };
  await listenTo(receiver.server.port, sink.url);

  /** Kills the server as a power failure would, and restarts it. */
  async function restart() {
    await receiver.server.kill();
    receiver.server = await start();
  }

  /** A second process on the same database. */
  async function startReplica() {
    const { host, port, user, database } = await embeddedConnection(dataDir);
    const DATABASE_URL = `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
    const folder = await makeDataFolder();
    const replica = await startServer({
      main,
      dataDir: folder,
      environment: { ...environment, DATABASE_URL, TESSERA_PUBLIC_URL: 'http://localhost:4280' },
    });
    return { ...replica, stop: () => replica.stop().then(() => removeDataFolder(folder)) };
  }

  async function close() {
    await receiver.server.stop();
    await sink.close();
    await removeDataFolder(dataDir);
  }
  return receiver;
}

/** A request of the owner of `internal`. */
export function adminRequest({ method = 'POST', path, body }) {
  const headers = {
    'x-stack-access-type': 'admin',
    'x-stack-project-id': 'internal',
    'x-stack-super-secret-admin-key': keys.superSecretAdminKey,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  return { method, path: `/api/v1${path}`, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
}

async function listenTo(port, url) {
  const { token } = await ask(port, adminRequest({ path: '/webhooks/svix-token', body: {} }), 201);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ url, filterTypes: ['user.created'] });
  await ask(port, { method: 'POST', path: '/api/v1/app/internal/endpoint', headers, body }, 201);
}

async function openSink() {
  const arrivals = createArrivals();
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(204).end();
      arrivals.note(request.headers['svix-id']);
    });
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    arrivals,
    close: () =>
      new Promise(resolve => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
