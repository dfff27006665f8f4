import { callApp } from '@tessera/testing/call';
import { asAdministrator } from '@tessera/testing/database';
import { afterEach, expect, test } from 'vitest';
import { createApp } from '../../../compose.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { transaction } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const endpoint = 'http://collector.example:4318';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A collector that keeps what it receives. */
function openCollector(status = 200): { sent: Sent[]; fetch: typeof fetch } {
  const sent: Sent[] = [];
  return {
    sent,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      sent.push({ url: request.url, headers: request.headers, body: await request.json() });
      return new Response('{}', { status });
    },
  };
}

async function serve(
  collector: { fetch: typeof fetch },
  environment: Record<string, string> = {},
): Promise<TestServer> {
  server = await openTestServer({
    fetch: collector.fetch,
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, TESSERA_LOG_LEVEL: 'debug', ...environment },
  });
  return server;
}

async function stop(): Promise<void> {
  await server?.close();
  server = undefined;
}

const get = (headers: Record<string, string> = {}) =>
  server?.app(new Request('http://localhost:4280/api/v1/users/me?secret=1', { headers }));

test('a request with a sampled parent is a span of its trace, without query and ids', async () => {
  const collector = openCollector();
  const { clock } = await serve(collector, { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20token,x-tenant=a' });
  await get({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
  await stop();
  const traces = collector.sent.filter(({ url }) => url === `${endpoint}/v1/traces`);
  expect(traces.map(({ body }) => body)).toEqual([
    {
      resourceSpans: [
        {
          resource: {
            attributes: [
              { key: 'service.name', value: { stringValue: 'tessera' } },
              { key: 'service.instance.id', value: { stringValue: expect.stringMatching(/^[0-9a-f]{16}$/) } },
            ],
          },
          scopeSpans: [
            {
              scope: { name: 'tessera' },
              spans: [
                {
                  traceId,
                  spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
                  parentSpanId: '00f067aa0ba902b7',
                  name: 'GET /users/me',
                  kind: 2,
                  startTimeUnixNano: expect.stringMatching(/^\d{19}$/),
                  endTimeUnixNano: `${clock.now()}000000`,
                  attributes: [
                    { key: 'http.request.method', value: { stringValue: 'GET' } },
                    { key: 'http.route', value: { stringValue: '/users/me' } },
                    { key: 'http.response.status_code', value: { intValue: '400' } },
                    { key: 'tessera.request_id', value: { stringValue: expect.any(String) } },
                  ],
                  status: {},
                },
              ],
            },
          ],
        },
      ],
    },
  ]);
  expect(traces.map(({ headers }) => [headers.get('authorization'), headers.get('x-tenant')])).toEqual([
    ['Bearer token', 'a'],
  ]);
});

test('a request of the Svix client is a span, too', async () => {
  const collector = openCollector();
  await serve(collector);
  await server?.app(new Request('http://localhost:4280/api/v1/app/internal/endpoint'));
  await stop();
  const [traces] = collector.sent.filter(({ url }) => url.endsWith('/v1/traces'));
  expect(JSON.stringify(traces?.body)).toContain('"name":"GET /app/{app_id}/endpoint"');
});

test('a request without a parent begins a trace, which its log line names', async () => {
  const collector = openCollector();
  const { logged } = await serve(collector);
  await get();
  await stop();
  const [traces] = collector.sent.filter(({ url }) => url.endsWith('/v1/traces'));
  const id = /"traceId":"([0-9a-f]{32})"/.exec(JSON.stringify(traces?.body))?.[1];
  expect(logged()).toContain(`"traceId":"${id}"`);
});

test('the error line of a failed request names the trace of its span', async () => {
  const collector = openCollector();
  const { deps, logged, make } = await serve(collector, { TESSERA_LOG_LEVEL: 'error' });
  const mail = { send: () => Promise.reject(new Error('the queue is down')) };
  const body = { email: 'ada@example.com', password: 'correct horse', verification_callback_url: 'http://localhost/' };
  const project = await make.project();
  const answer = await callApp(createApp({ ...deps, mail }), 'POST /auth/password/sign-up', { project, body });
  expect(answer.status).toBe(500);
  await stop();
  const [traces] = collector.sent.filter(({ url }) => url.endsWith('/v1/traces'));
  const id = /"traceId":"([0-9a-f]{32})"/.exec(JSON.stringify(traces?.body))?.[1];
  const line = logged()
    .split('\n')
    .find(one => one.includes('a request failed'));
  expect(line).toContain(`"traceId":"${id}"`);
});

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['whose parent is not sampled', {}, { traceparent: `00-${traceId}-00f067aa0ba902b7-00` }],
  ['outside the sampled share', { OTEL_TRACES_SAMPLER_ARG: '0' }, {}],
])('a request %s sends no span', async (_, environment, headers) => {
  const collector = openCollector();
  await serve(collector, environment);
  await get(headers);
  await stop();
  expect(collector.sent.map(({ url }) => url)).toEqual([`${endpoint}/v1/metrics`]);
});

test('the metrics of /metrics are sent, histograms without cumulated buckets', async () => {
  const collector = openCollector();
  await serve(collector);
  await get();
  await get();
  await stop();
  const [sent] = collector.sent.filter(({ url }) => url.endsWith('/v1/metrics'));
  const body = sent?.body as { resourceMetrics: { scopeMetrics: { metrics: { name: string }[] }[] }[] } | undefined;
  const metrics = body?.resourceMetrics[0]?.scopeMetrics[0]?.metrics ?? [];
  const named = (name: string) => metrics.find(metric => metric.name === name);
  expect(named('tessera_http_requests_total')).toMatchObject({
    sum: {
      aggregationTemporality: 2,
      isMonotonic: true,
      dataPoints: [
        {
          attributes: [
            { key: 'route', value: { stringValue: 'GET /users/me' } },
            { key: 'status', value: { stringValue: '400' } },
          ],
          asDouble: 2,
        },
      ],
    },
  });
  const histogram = named('tessera_http_request_seconds') as unknown as {
    histogram: { dataPoints: { count: string; bucketCounts: string[]; explicitBounds: number[] }[] };
  };
  const [point] = histogram.histogram.dataPoints;
  expect(point?.count).toBe('2');
  expect(point?.bucketCounts).toHaveLength((point?.explicitBounds.length ?? 0) + 1);
  expect(point?.bucketCounts.reduce((sum, count) => sum + Number(count), 0)).toBe(2);
});

test('a collector that refuses costs a line in the log, and no request', async () => {
  const { logged } = await serve(openCollector(503));
  expect((await get())?.status).toBe(400);
  await stop();
  expect(logged()).toContain('the OpenTelemetry collector refuses the data');
});

test('without a collector nothing is sent', async () => {
  const collector = openCollector();
  server = await openTestServer({ fetch: collector.fetch });
  expect(server.deps.telemetry).toBeUndefined();
  await get({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
  await stop();
  expect(collector.sent).toEqual([]);
});

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
  readonly status: object;
}

/** The spans that the collector has received of the trace of the requests here. */
function spansOf(collector: { sent: readonly Sent[] }): SentSpan[] {
  return allSpansOf(collector).filter(span => span.traceId === traceId);
}

function allSpansOf({ sent }: { sent: readonly Sent[] }): SentSpan[] {
  const bodies = sent.filter(({ url }) => url.endsWith('/v1/traces')).map(({ body }) => body) as {
    resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[];
  }[];
  const all = bodies.flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans));
  return all.flatMap(({ spans }) => spans);
}

test('each statement of a sampled request is a span in the span of the request, with its text and without values', async () => {
  const collector = openCollector();
  const { call } = await serve(collector);
  const body = { display_name: 'Ada of the trace' };
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  const { status } = await call('POST /users', { level: 'server', headers, body });
  expect(status).toBe(201);
  await stop();
  const spans = spansOf(collector);
  const request = spans.find(({ kind }) => kind === 2);
  const statements = spans.filter(({ kind }) => kind === 3);
  expect(new Set(statements.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([request?.spanId]));
  expect(statements.map(({ name }) => name)).toContain('insert users');
  const insert = statements.find(({ name }) => name === 'insert users');
  expect(insert?.attributes).toEqual([
    { key: 'db.system.name', value: { stringValue: 'postgresql' } },
    { key: 'db.operation.name', value: { stringValue: 'insert' } },
    { key: 'db.collection.name', value: { stringValue: 'users' } },
    { key: 'db.query.text', value: { stringValue: expect.stringMatching(/insert into users[\s\S]*\$1/) } },
  ]);
  expect(JSON.stringify(spans)).not.toContain('Ada of the trace');
});

test('the statements of a request that is not sampled have no spans', async () => {
  const collector = openCollector();
  const { call } = await serve(collector, { OTEL_TRACES_SAMPLER_ARG: '0' });
  await call('POST /users', { level: 'server', body: {} });
  await stop();
  expect(collector.sent.map(({ url }) => url)).toEqual([`${endpoint}/v1/metrics`]);
});

test('a failed statement is a failed span, and the caller gets the error', async () => {
  const collector = openCollector();
  const { deps } = await serve(collector);
  const span = deps.telemetry?.begin({ traceId, spanId: '00f067aa0ba902b7', isSampled: true });
  const failing = span?.run(() =>
    transaction(deps.db, tx => tx.query(sql`select 1 / ${0}::integer as one from users`)),
  );
  await expect(failing).rejects.toThrow();
  await stop();
  expect(spansOf(collector)).toMatchObject([{ name: 'select users', status: { code: 2 } }]);
});

test('a job is a trace of its own with a span for each statement, and without its payload', async () => {
  const collector = openCollector();
  const { make, mailbox } = await serve(collector);
  const { email } = await make.user();
  expect(await mailbox(email)).toHaveLength(1);
  await stop();
  const spans = allSpansOf(collector);
  const job = spans.find(({ kind }) => kind === 5);
  expect(job).toMatchObject({ name: 'process mail', status: {} });
  expect(job).not.toHaveProperty('parentSpanId');
  const statements = spans.filter(({ traceId: id, kind }) => id === job?.traceId && kind === 3);
  expect(statements.map(({ name }) => name)).toContain('insert sent_mails');
  expect(new Set(statements.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([job?.spanId]));
  expect(JSON.stringify(job)).not.toContain(email);
});

test('jobs have no spans when nothing is sampled', async () => {
  const collector = openCollector();
  const { make, mailbox } = await serve(collector, { OTEL_TRACES_SAMPLER_ARG: '0' });
  const { email } = await make.user();
  expect(await mailbox(email)).toHaveLength(1);
  await stop();
  expect(allSpansOf(collector)).toEqual([]);
});

test('a collector that does not answer does not keep a stop from writing the counts of failures', async () => {
  let answer: (response: Response) => void = () => undefined;
  const answered = new Promise<Response>(resolve => {
    answer = resolve;
  });
  const { connection, deps } = await serve({ fetch: () => answered });
  const signIn = () =>
    callApp(createApp(deps), 'POST /auth/password/sign-in', { body: { email: 'ada@example.com', password: 'wrong' } });
  for (let count = 0; count < 25; count++) await signIn();
  const stopped = stop();
  const counts = () =>
    asAdministrator(connection, async client => {
      const { rows } = await client.query(
        `select (details ->> 'count')::integer as count from audit_events where details ->> 'count' is not null`,
      );
      return rows;
    });
  await expect.poll(counts, { timeout: 20_000 }).toEqual([{ count: 5 }]);
  answer(new Response('{}'));
  await stopped;
});
