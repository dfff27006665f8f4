import { type ClientTimeouts, createLog, type RunningServer, readSettings, run } from '@tessera/server';
import { makeDataFolder, removeDataFolder } from './data-folder.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { freePort } from './network/free-port.ts';

/** A server inside the process of the test: on a real socket, with the real clock, on its own database. */
export interface ListeningServer extends RunningServer {
  /** `http://localhost:{port}`. */
  readonly url: string;
  readonly dataDir: string;
  readonly database: TestDatabase;
  /** The installation's secret. */
  readonly secret: string;
  /** The whole log. */
  readonly logged: () => string;
}

const defaultSecret = 'a secret for tests that has enough characters';

/**
 * Starts a development server as `npm start` does, with the keys of its key file. `stop` also deletes its database and data folder.
 */
export async function startServer(
  options: { environment?: Readonly<Record<string, string>>; timeouts?: ClientTimeouts } = {},
): Promise<ListeningServer> {
  const database = await createTestDatabase();
  const dataDir = await makeDataFolder();
  const port = await freePort();
  const environment = {
    PORT: String(port),
    TESSERA_MODE: 'development',
    DATABASE_URL: database.url,
    TESSERA_DATA_DIR: dataDir,
    TESSERA_DATABASE_POOL: '4',
    TESSERA_SECRET: defaultSecret,
    ...options.environment,
  };
  const remove = async () => {
    await database.drop();
    await removeDataFolder(dataDir);
  };
  const lines: string[] = [];
  const log = createLog({ level: 'debug', destination: { write: line => void lines.push(line) } });
  try {
    const server = await run(
      readSettings(environment),
      log,
      options.timeouts === undefined ? {} : { timeouts: options.timeouts },
    );
    return {
      port: server.port,
      url: `http://localhost:${server.port}`,
      dataDir,
      database,
      secret: environment.TESSERA_SECRET,
      logged: () => lines.join(''),
      stop: () => server.stop().finally(remove),
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
