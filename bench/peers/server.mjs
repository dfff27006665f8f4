import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Better Auth as its documentation sets it up: email and password, PostgreSQL, sessions in cookies. Limits are off, as for
 * Tessera, and the session is read from the database at each request, as Tessera does.
 */
const { database, poolSize, folder } = JSON.parse(process.env.BENCH_PEER);
const resolve = createRequire(join(folder, 'package.json')).resolve;
const load = name => import(pathToFileURL(resolve(name)).href);

const [{ betterAuth }, { getMigrations }, { toNodeHandler }, { default: pg }] = await Promise.all(
  ['better-auth', 'better-auth/db/migration', 'better-auth/node', 'pg'].map(load),
);

const options = {
  secret: 'the secret of a bench, which is long enough',
  baseURL: 'http://localhost',
  trustedOrigins: ['http://localhost'],
  database: new pg.Pool({ ...database, max: poolSize }),
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  session: { cookieCache: { enabled: false } },
  telemetry: { enabled: false },
  logger: { disabled: true },
};
await (await getMigrations(options)).runMigrations();

const server = createServer(toNodeHandler(betterAuth(options)));
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('SIGTERM', () => process.exit(0));
