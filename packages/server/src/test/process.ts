import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../env.ts';
import { createLog } from '../platform/observability/log.ts';
import { type ClientTimeouts, type RunningServer, run } from '../server.ts';
import { internalKeys } from './call.ts';
import { createTestDatabase, type TestPostgres } from './database.ts';

export interface TestProcess extends RunningServer {
  readonly connection: TestPostgres;
  readonly logged: () => string;
}

/** The server as `npm start` runs it: on a real socket, with the real clock, on its own database. */
export async function startTestProcess(
  environment: Record<string, string> = {},
  timeouts?: ClientTimeouts,
): Promise<TestProcess> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'tessera-process-'));
  const settings = readSettings({
    PORT: '0',
    TESSERA_MODE: 'development',
    TESSERA_PUBLIC_URL: 'http://localhost:4280',
    DATABASE_URL: connectionString(database.connection),
    TESSERA_DATA_DIR: dataDir,
    TESSERA_DATABASE_POOL: '4',
    TESSERA_INTERNAL_PUBLISHABLE_CLIENT_KEY: internalKeys.publishableClientKey,
    TESSERA_INTERNAL_SECRET_SERVER_KEY: internalKeys.secretServerKey,
    TESSERA_INTERNAL_SUPER_SECRET_ADMIN_KEY: internalKeys.superSecretAdminKey,
    ...environment,
  });
  const lines: string[] = [];
  const server = await run(
    settings,
    createLog({ level: 'debug', destination: { write: line => void lines.push(line) } }),
    timeouts,
  );
  return {
    port: server.port,
    connection: database.connection,
    logged: () => lines.join(''),
    stop: async () => {
      await server.stop();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export function connectionString({ host, port, user, password = '', database }: TestPostgres): string {
  return `postgresql://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}

/** Writes bytes to a connection and reads until the server closes it. */
export async function exchange(port: number, ...bytes: (string | Uint8Array)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const answer = readAll(socket);
  for (const part of bytes) {
    if (socket.destroyed) break;
    const isTaken = socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
    if (!isTaken) await waitForDrain(socket);
  }
  return answer;
}

function readAll(socket: Socket): Promise<string> {
  return new Promise(resolve => {
    let text = '';
    socket.on('data', chunk => {
      text += chunk.toString('latin1');
    });
    // A server that refuses a body closes the connection while the client still writes it.
    socket.on('error', () => resolve(text));
    socket.on('close', () => resolve(text));
  });
}

function waitForDrain(socket: Socket): Promise<void> {
  return new Promise(resolve => {
    socket.once('drain', resolve);
    socket.once('close', () => resolve());
  });
}
