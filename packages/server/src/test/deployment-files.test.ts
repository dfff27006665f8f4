import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '@tessera/testing/server';
import { expect, onTestFinished, test, vi } from 'vitest';

const deployFolder = join(import.meta.dirname, '../../../../deploy');
const read = (file: string) => readFileSync(join(deployFolder, file), 'utf8');

/** What the operator gives, under the names of `compose.yaml` and of the Kubernetes secret. */
const given: Readonly<Record<string, string>> = {
  DOMAIN: 'auth.example.com',
  POSTGRES_PASSWORD: 'of the database',
  TESSERA_SECRET: 'a secret of 32 or more characters',
  TESSERA_INTERNAL_PUBLISHABLE_CLIENT_KEY: 'publishable',
  TESSERA_INTERNAL_SECRET_SERVER_KEY: 'secret',
  TESSERA_INTERNAL_SUPER_SECRET_ADMIN_KEY: 'super secret',
  'database-url': 'postgresql://db.example.com/tessera',
  secret: 'a secret of 32 or more characters',
  'publishable-client-key': 'publishable',
  'secret-server-key': 'secret',
  'super-secret-admin-key': 'super secret',
  TESSERA_SMTP_URL: '',
  TESSERA_MAIL_FROM: '',
  TESSERA_METRICS_TOKEN: '',
  'smtp-url': 'smtp://mail.example.com:587',
  'metrics-token': 'a token of 16 characters',
};

function find(name = ''): string {
  const value = given[name];
  if (value === undefined) throw new Error(`the test has no value for ${name}`);
  return value;
}

function composeEnvironment(): Record<string, string> {
  const block = /\n {2}tessera:\n.*?\n {4}environment:\n(.*?)\n {4}\w/s.exec(read('compose.yaml'))?.[1] ?? '';
  const lines = [...block.matchAll(/^ {6}(\w+): "?(.*?)"?$/gm)];
  const fill = (text = '') => text.replace(/\$\{(\w+)[^}]*\}/g, (_, name: string) => find(name));
  return Object.fromEntries(lines.map(([, name = '', value]) => [name, fill(value)]));
}

function kubernetesEnvironment(): Record<string, string> {
  const text = read('kubernetes/tessera.yaml');
  const literals = [...text.matchAll(/- \{ name: ([A-Z_]+), value: "?(.*?)"? \}/g)];
  const secrets = [
    ...text.matchAll(/- name: ([A-Z_]+)\n\s+valueFrom: \{ secretKeyRef: \{ name: tessera, key: ([\w-]+)/g),
  ];
  return Object.fromEntries([
    ...literals.map(([, name = '', value = '']) => [name, value]),
    ...secrets.map(([, name = '', key]) => [name, find(key)]),
  ]);
}

test.each([
  ['compose.yaml', composeEnvironment],
  ['kubernetes/tessera.yaml', kubernetesEnvironment],
])('a server with the environment of deploy/%s starts and writes no file', async (_, environmentOf) => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-deployment-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { DATABASE_URL, ...environment } = environmentOf();
  expect(DATABASE_URL).toMatch(/^postgresql:/);
  // It shows the link of the first owner.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  // The root of the container is read-only.
  const TESSERA_DATA_DIR = join(folder, 'data');
  const server = await startServer({ environment: { ...environment, TESSERA_MODE: 'production', TESSERA_DATA_DIR } });
  await server.stop();
  expect(existsSync(TESSERA_DATA_DIR)).toBe(false);
});

test('the image has the client programs of the PostgreSQL that compose.yaml runs, for backups', () => {
  const server = /image: postgres:(\d+)/.exec(read('compose.yaml'))?.[1];
  const client = /postgresql-client-(\d+)/.exec(read('Dockerfile'))?.[1];
  expect(server).toBeDefined();
  expect(client).toBe(server);
});

test('compose.yaml gives Caddy the name of each replica', () => {
  const text = read('compose.yaml');
  const replicas = Number(/replicas: (\d+)/.exec(text)?.[1]);
  const names = /UPSTREAM: (.*)/.exec(text)?.[1]?.split(' ');
  expect(names).toEqual(Array.from({ length: replicas }, (_, index) => `tessera-tessera-${index + 1}:4280`));
});
