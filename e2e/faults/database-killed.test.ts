import { until } from '@tessera/testing/until';
import { expect } from 'vitest';
import { call, register, signUp } from '../support/api.ts';
import { newPerson } from '../support/people.ts';
import { test as base } from '../support/test.ts';

const test = base.extend('database', { scope: 'file' }, undefined);

const readers = 12;

interface Seen {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly contentType: string | null;
}

test('control 102: during `kill -9` of the database requests get 503 with Retry-After, then the server recovers', async ({
  server,
}) => {
  const person = newPerson();
  const { accessToken } = await register(server, person);
  const seen: Seen[] = [];
  let isOver = false;

  async function keepAsking(ask: () => Promise<Response>): Promise<void> {
    while (!isOver) {
      const response = await ask();
      await response.arrayBuffer();
      const { status, headers } = response;
      seen.push({ status, retryAfter: headers.get('retry-after'), contentType: headers.get('content-type') });
    }
  }

  /** When the server itself died, its last log lines explain more than a broken connection. */
  function explain(cause: unknown): never {
    isOver = true;
    throw new Error(`no response; the log ends with:\n${server.log().split('\n').slice(-20).join('\n')}`, { cause });
  }

  const load = Promise.all([
    ...Array.from({ length: readers }, () => keepAsking(() => call(server, 'GET /users/me', { accessToken }))),
    keepAsking(() => signUp(server, newPerson())),
    keepAsking(() =>
      call(server, 'PATCH /users/me', { accessToken, body: { display_name: 'Ada', client_metadata: { n: 1 } } }),
    ),
  ]).catch(explain);
  load.catch(() => undefined);
  await until('answers', () => seen.length > 100);

  process.kill(await server.postmasterPid(), 'SIGKILL');
  await until('a refusal', () => isOver || seen.some(({ status }) => status === 503));
  if (isOver) await load;
  expect((await fetch(`${server.url}/health`)).status).toBe(200);

  const whenRefused = seen.length;
  await until(
    'the server works again',
    () => isOver || seen.slice(whenRefused).filter(({ status }) => status === 200).length > 200,
  );
  isOver = true;
  await load;

  const kinds = new Set(seen.map(answer => JSON.stringify(answer)));
  expect([...kinds].map(kind => JSON.parse(kind)).sort((a, b) => a.status - b.status)).toEqual([
    { status: 200, retryAfter: null, contentType: 'application/json; charset=utf-8' },
    { status: 503, retryAfter: '2', contentType: 'text/plain; charset=utf-8' },
  ]);
  expect((await fetch(`${server.url}/health?db=1`)).status).toBe(200);
  expect((await signUp(server, newPerson())).status).toBe(200);
});
