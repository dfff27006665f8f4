import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Route } from '@tessera/protocol';
import { type Answered, type CallOptions, callApp, internalKeySettings } from '@tessera/testing/call';
import { createTestDatabase, type TestPostgres } from '@tessera/testing/database';
import { createApp } from '../compose.ts';
import { type Deps, openDeps } from '../deps.ts';
import { readSettings } from '../env.ts';
import { prepareInstallation } from '../features/installation/index.ts';
import type { App } from '../http/fetch-adapter.ts';
import { createPasswords, type Passwords } from '../platform/crypto/passwords.ts';
import type { DatabaseTimings } from '../platform/database/connections/timings.ts';
import { createLog } from '../platform/observability/log.ts';
import { createMailbox, type Mailbox, type ReceivedEmail } from './mailbox.ts';
import { createMaker, type Maker } from './make.ts';

export interface TestClock {
  now(): number;
  advance(byMs: number): void;
}

export interface TestServer {
  readonly app: App;
  readonly deps: Deps;
  readonly clock: TestClock;
  readonly make: Maker;
  /** Delivers queued emails, and returns all delivered ones: newest first, to one address or to all. */
  readonly mailbox: Mailbox;
  /** The emails that are already delivered. */
  readonly received: ReceivedEmail[];
  readonly connection: TestPostgres;
  /** The whole log. */
  readonly logged: () => string;
  /** Calls an endpoint by its route; by default as project `internal` at level client. */
  call(route: Route, options?: CallOptions): Promise<Answered>;
  close(): Promise<void>;
}

export interface TestServerOptions {
  readonly environment?: Record<string, string>;
  readonly passwords?: Passwords;
  /** Responds to the outbound requests of the server; by default the network does. */
  readonly fetch?: typeof fetch;
  /** Another process on the same database. */
  readonly beside?: TestServer;
  /** The installation's secret and the other accepted one; default: `testSecret` alone. */
  readonly secrets?: { readonly secret: string; readonly acceptedSecret?: string };
  /** Time limits of the database; tests of faults set short ones. */
  readonly timings?: Partial<DatabaseTimings>;
  /** A migrated database that the test manages; otherwise one is created and dropped. */
  readonly connection?: TestPostgres;
  /** A read replica of `connection`. */
  readonly replica?: TestPostgres;
}

/** The hashing threads of a test process. The lowest cost of argon2id: tests that assert the cost pass `createPasswords()`. */
const sharedPasswords = createPasswords({ cost: { memoryCost: 8, timeCost: 1 } });

/** Longer than in production: test machines are busy, and some tests insert many rows with one statement. */
const patientTimings: Partial<DatabaseTimings> = { requestMs: 25_000, connectMs: 10_000, hearingMs: 25_000 };

/** The installation's secret in tests. */
export const testSecret = 'a secret for tests that has enough characters';

const startOfTime = Date.UTC(2026, 0, 15, 12);

/** The server as a function, on its own database, with a clock that only the test moves. */
export async function openTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const given = options.connection ?? options.beside?.connection;
  const database = given === undefined ? await createTestDatabase() : undefined;
  const connection = given ?? database?.connection;
  if (connection === undefined) throw new Error('a test server needs a database');
  const dataDir = await mkdtemp(join(tmpdir(), 'tessera-data-'));
  const settings = readSettings({
    TESSERA_MODE: 'development',
    TESSERA_PUBLIC_URL: 'http://localhost:4280',
    TESSERA_DATA_DIR: dataDir,
    TESSERA_DATABASE_POOL: '4',
    ...internalKeySettings,
    ...options.environment,
  });
  const lines: string[] = [];
  const log = createLog({ level: 'debug', destination: { write: line => void lines.push(line) } });
  const clock = options.beside?.clock ?? createTestClock(startOfTime);
  const deps = await openDeps({
    settings,
    secret: testSecret,
    ...options.secrets,
    connection,
    ...(options.replica === undefined ? {} : { replica: options.replica }),
    log,
    clock,
    timings: options.timings ?? patientTimings,
    passwords: options.passwords ?? sharedPasswords,
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
  const close = async () => {
    await deps.close();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  // A test of a wrong secret gets the error instead of a server that it could close.
  await prepareInstallation(deps).catch(async error => {
    await close();
    throw error;
  });
  const app = createApp(deps);
  const received = options.beside?.received ?? [];
  // Waits for writes after the response, so that the test sees them.
  const call = async (route: Route, callOptions?: CallOptions) => {
    const answer = await callApp(app, route, callOptions);
    await Promise.all([deps.activity.flush(), deps.audit.flush(), deps.keySetUses.flush()]);
    return answer;
  };
  return {
    app,
    deps,
    clock,
    connection,
    call,
    make: createMaker({ deps, call }),
    mailbox: createMailbox({ deps, connection, received }),
    received,
    logged: () => lines.join(''),
    close,
  };
}

function createTestClock(startMillis: number): TestClock {
  let nowMillis = startMillis;
  return {
    now: () => nowMillis,
    advance: byMs => {
      nowMillis += byMs;
    },
  };
}
