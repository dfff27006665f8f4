import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProjectAccess } from '@tessera/testing/call';
import { Svix } from 'svix';
import * as z from 'zod';
import { sql } from '../../platform/database/sql.ts';
import { runDueJobs } from '../../test/due-jobs.ts';
import type { TestServer } from '../../test/harness.ts';

/** A request that the receiver got. */
export interface Received {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  close(): Promise<void>;
}

export interface ReceiverAnswer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

/** A local server that records requests. */
export async function openReceiver(
  answer: (request: Received) => ReceiverAnswer | Promise<ReceiverAnswer> = () => ({ status: 200 }),
): Promise<Receiver> {
  const received: Received[] = [];
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = request.headers as Record<string, string>;
    const seen = { path: request.url ?? '', headers, body: Buffer.concat(chunks).toString() };
    received.push(seen);
    const { status, body = '', headers: answered = {} } = await answer(seen);
    response.writeHead(status, answered).end(body);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const token = z.object({ token: z.string() });

export async function portalTokenOf(server: TestServer, project: ProjectAccess): Promise<string> {
  const { json } = await server.call('POST /webhooks/svix-token', { project, level: 'admin', body: {} });
  return token.parse(json).token;
}

/** The public Svix client, connected to the app without a socket. */
export function svixClient(server: TestServer, portalToken: string): Svix {
  return new Svix(portalToken, {
    serverUrl: 'http://localhost:4280',
    fetch: (input, init) => server.app(new Request(input, init)),
  });
}

/** Runs the jobs that are due. */
export async function deliver(server: TestServer): Promise<void> {
  await runDueJobs(server);
}

/** Runs the jobs that wait for a later time, too. The queue's run_at is changed instead of waiting. */
export async function deliverLater(server: TestServer): Promise<void> {
  await makeDue(server);
  await deliver(server);
}

export async function makeDue(server: TestServer): Promise<void> {
  await server.deps.db.query(sql`update graphile_worker._private_jobs set run_at = now()`);
}

/** The status and body of the exception that the Svix client throws. */
export async function refusal(promise: Promise<unknown>): Promise<unknown> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const { code, body } = error as { code: number; body: unknown };
  return [code, body];
}
