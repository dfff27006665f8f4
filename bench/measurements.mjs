import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeDataFolder, removeDataFolder } from '@tessera/testing/data-folder';
import { encodeRequest, load, openConnection } from './load.mjs';
import { metricsToken, root, startServer } from './processes.mjs';
import { latencyRow, rateRow } from './rows.mjs';
import { interleave, median } from './statistics.mjs';
import { requestsOf } from './world.mjs';

const connections = 10;
const floodConnections = 40;
const probePauseMs = 10;
const timingSamples = 200;
const laterStarts = 5;

/**
 * Each measures one thing in a running world and returns rows of the table: what, the value, its budget
 * (docs/architecture.md#budgets), and whether it was kept.
 *
 * @type {Record<string, (world: import('./world.mjs').World) => Promise<import('./table.mjs').Row[]>>}
 */
export const measurements = {
  async me({ server, floor, accounts }) {
    const requests = accounts.map(account => requestsOf(account).me);
    const results = await interleave(
      {
        floor: seconds => load({ port: floor.port, requests, connections, seconds }),
        me: seconds => load({ port: server.port, requests, connections, seconds }),
      },
      { rounds: 7, seconds: 1.5, warmUpSeconds: 3 },
    );
    return [rateRow('floor', results.floor), rateRow('GET /users/me', results.me, 0.8)];
  },

  async refresh({ server, floor, accounts }) {
    const to = (port, kind) => seconds =>
      load({ port, requests: accounts.map(account => requestsOf(account)[kind]), connections, seconds });
    const results = await interleave(
      { floor: to(floor.port, 'me'), token: to(server.port, 'token'), refresh: to(server.port, 'refresh') },
      { rounds: 5, seconds: 1.5, warmUpSeconds: 2 },
    );
    return [
      rateRow('floor', results.floor),
      rateRow('POST /auth/oauth/token', results.token, 0.5),
      rateRow('POST /auth/sessions/current/refresh', results.refresh, 0.5),
    ];
  },

  async signIn({ server, hashing, visitors }) {
    const requests = visitors.map(account => requestsOf(account).signIn);
    const results = await interleave(
      {
        argon2id: seconds => hashing.request({ seconds }),
        signIn: seconds => load({ port: server.port, requests, connections, seconds }),
      },
      { rounds: 5, seconds: 2, warmUpSeconds: 3 },
    );
    return [rateRow('argon2id alone', results.argon2id), rateRow('POST /auth/password/sign-in', results.signIn, 0.9)];
  },

  /** Control 9: password hashing must not delay other requests. */
  async saturation({ server, accounts, visitors }) {
    const seconds = 10;
    const { port } = server;
    const signIns = visitors.map(account => requestsOf(account).signIn);
    const mine = accounts.map(account => requestsOf(account).me);
    const health = [encodeRequest({ path: '/health' })];
    const [, me, alive] = await Promise.all([
      load({ port, requests: signIns, connections: floodConnections, seconds }),
      load({ port, requests: mine, connections, seconds, pauseMs: probePauseMs }),
      load({ port, requests: health, connections: 1, seconds, pauseMs: probePauseMs }),
    ]);
    return [
      latencyRow(`GET /users/me during ${floodConnections} sign-ins`, me.latenciesMs, { p99Ms: 20 }),
      latencyRow(`GET /health during ${floodConnections} sign-ins (control 9)`, alive.latenciesMs, { p99Ms: 50 }),
    ];
  },

  /** Control 1: how long a refused sign-in takes does not tell whether the address is known. */
  async timing({ server, accounts }) {
    const connection = await openConnection(server.port);
    const timesMs = { unknown: [], wrong: [] };
    for (let index = 0; index < timingSamples; index++) {
      const known = accounts[index % accounts.length].email;
      const attempts = { unknown: `unknown-${index}@example.com`, wrong: known };
      for (const [kind, email] of Object.entries(attempts)) {
        const request = requestsOf({ email }, 'a wrong password').signIn;
        const startedAt = performance.now();
        const { status } = await connection.send(request);
        timesMs[kind].push(performance.now() - startedAt);
        if (status !== 400) throw new Error(`a refused sign-in answered ${status}`);
      }
    }
    connection.close();
    const [unknown, wrong] = [median(timesMs.unknown), median(timesMs.wrong)];
    const percent = (Math.abs(unknown - wrong) / wrong) * 100;
    return [
      {
        what: 'refused sign-in, unknown address against wrong password (control 1)',
        value: { unknownMs: unknown, wrongMs: wrong, differencePercent: percent },
        text: `${unknown.toFixed(2)} ms against ${wrong.toFixed(2)} ms: ${percent.toFixed(1)} %`,
        budget: '< 5 %',
        isKept: percent < 5,
      },
    ];
  },

  async start({ main }) {
    const dataDir = await makeDataFolder();
    try {
      const [first, ...later] = await startTimes({ main, dataDir }, 1 + laterStarts);
      return [startRow('first start, making the database', first, 2_000), startRow('later start', median(later), 600)];
    } finally {
      await removeDataFolder(dataDir);
    }
  },

  /** Runs last: what the process holds once everything else has been asked of it. */
  async memory({ server, accounts }) {
    const requests = accounts.map(account => requestsOf(account).me);
    await load({ port: server.port, requests, connections, seconds: 2 });
    const megabytes = (await residentBytes(server.port)) / 1e6;
    return [
      {
        what: 'memory of the server process after load',
        value: { megabytes },
        text: `${megabytes.toFixed(0)} MB`,
        budget: '<= 120 MB',
        isKept: megabytes <= 120,
      },
    ];
  },

  async size() {
    const bundles = await sizes();
    return bundles.map(({ name, size, sizeLimit, passed }) => ({
      what: `${name}, compressed`,
      value: { bytes: size },
      text: `${(size / 1000).toFixed(1)} KB`,
      budget: sizeLimit === undefined ? '' : `<= ${(sizeLimit / 1000).toFixed(0)} KB`,
      isKept: passed,
    }));
  },
};

async function startTimes(options, count) {
  const times = [];
  for (let index = 0; index < count; index++) {
    const server = await startServer(options);
    times.push(server.startMs);
    await server.stop();
  }
  return times;
}

async function residentBytes(port) {
  const connection = await openConnection(port);
  const { text } = await connection.send(
    encodeRequest({ path: '/metrics', headers: { authorization: `Bearer ${metricsToken}` } }),
  );
  connection.close();
  return Number(/^tessera_process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
}

/** The bundles of `npm run size`, held against the same limits. */
async function sizes() {
  const run = promisify(execFile);
  // Exit code 1 means that a limit is passed; the report comes all the same.
  const quiet = error => error;
  await run(process.execPath, [join(root, 'scripts/size.mjs')], { cwd: root }).catch(quiet);
  const sizeLimit = [join(root, 'node_modules/size-limit/bin.js'), '--json', '--config', 'scripts/size-limit.json'];
  const { stdout } = await run(process.execPath, sizeLimit, { cwd: root }).catch(quiet);
  return JSON.parse(stdout);
}

function startRow(what, ms, budgetMs) {
  return { what, value: { ms }, text: `${ms.toFixed(0)} ms`, budget: `<= ${budgetMs} ms`, isKept: ms <= budgetMs };
}
