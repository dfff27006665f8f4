import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ClientApp } from '@tessera/client';
import { createLog, readSettings, run } from '@tessera/server';
import type { ProjectKeys } from '../key-file.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { temporaryFolder } from './folders.ts';

export interface TestServer {
  readonly url: string;
  readonly dataDir: string;
  readonly database: TestDatabase;
  readonly secret: string;
  /** Ids of the two projects of a new development server. */
  readonly demo: string;
  readonly keys: Readonly<Record<string, ProjectKeys>>;
  /** Signs up a new user in a project. */
  person(projectId: string, name?: string): Promise<Person>;
  stop(): Promise<void>;
}

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly refreshToken: string;
}

const secret = 'a secret for tests that has enough characters';

/** Starts a development server on a real socket with its own database. */
export async function startServer(
  options: { database?: TestDatabase; environment?: Record<string, string> } = {},
): Promise<TestServer> {
  const database = options.database ?? (await createDatabase());
  const dataDir = temporaryFolder();
  const port = await freePort();
  const settings = readSettings({
    PORT: String(port),
    TESSERA_MODE: 'development',
    DATABASE_URL: database.url,
    TESSERA_DATA_DIR: dataDir,
    TESSERA_DATABASE_POOL: '4',
    TESSERA_SECRET: secret,
    ...options.environment,
  });
  const server = await run(settings, createLog({ level: 'silent' }));
  const { demo, projects } = JSON.parse(await readFile(join(dataDir, 'keys.json'), 'utf8'));
  const url = `http://localhost:${port}`;
  return {
    url,
    dataDir,
    database,
    secret: options.environment?.TESSERA_SECRET ?? secret,
    demo,
    keys: projects,
    person: (projectId, name) => signUp({ url, projectId, keys: projects[projectId], name }),
    stop: async () => {
      await server.stop();
      await database.drop();
    },
  };
}

let people = 0;

async function signUp(at: {
  url: string;
  projectId: string;
  keys: ProjectKeys;
  name: string | undefined;
}): Promise<Person> {
  const { publishableClientKey } = at.keys;
  const app = new ClientApp({ tokenStore: 'memory', projectId: at.projectId, publishableClientKey, baseUrl: at.url });
  people += 1;
  const person = { email: `${at.name ?? 'person'}${people}@example.com`, password: 'correct horse battery staple' };
  await app.signUpWithCredential({ ...person, noRedirect: true, verificationCallbackUrl: 'http://localhost/verify' });
  const user = await app.getUser({ or: 'throw' });
  const { refreshToken } = await user.currentSession.getTokens();
  return { ...person, id: user.id, refreshToken: refreshToken ?? '' };
}

/** Finds a free port. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
