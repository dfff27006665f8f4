import { ClientApp } from '@tessera/client';
import { readKeyFile } from '@tessera/testing/data-folder';
import { type ListeningServer, startServer as startListening } from '@tessera/testing/server';
import type { ProjectKeys } from '../key-file.ts';

export interface TestServer extends ListeningServer {
  /** The id of the project `Demo`. */
  readonly demo: string;
  /** The keys of the two projects of a new development server, by id. */
  readonly keys: Readonly<Record<string, ProjectKeys>>;
  /** Signs up a new user in a project. */
  person(projectId: string, name?: string): Promise<Person>;
}

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly refreshToken: string;
}

/** Starts a development server on a real socket with its own database. */
export async function startServer(options?: Parameters<typeof startListening>[0]): Promise<TestServer> {
  const server = await startListening(options);
  const { demo, projects: keys } = await readKeyFile(server.dataDir);
  const person = (projectId: string, name?: string) => {
    const { publishableClientKey = '' } = keys[projectId] ?? {};
    return signUp({ url: server.url, projectId, publishableClientKey, name });
  };
  return { ...server, demo, keys, person };
}

let people = 0;

async function signUp(at: {
  url: string;
  projectId: string;
  publishableClientKey: string;
  name: string | undefined;
}): Promise<Person> {
  const { projectId, publishableClientKey, url: baseUrl } = at;
  const app = new ClientApp({ tokenStore: 'memory', projectId, publishableClientKey, baseUrl });
  people += 1;
  const person = { email: `${at.name ?? 'person'}${people}@example.com`, password: 'correct horse battery staple' };
  await app.signUpWithCredential({ ...person, noRedirect: true, verificationCallbackUrl: 'http://localhost/verify' });
  const user = await app.getUser({ or: 'throw' });
  const { refreshToken } = await user.currentSession.getTokens();
  return { ...person, id: user.id, refreshToken: refreshToken ?? '' };
}
