import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openAdmin } from '../../test/apps.ts';
import { sent } from '../../test/signed-in.ts';
import { soon } from '../../test/soon.ts';
import { json, knownError } from '../../test/stub-server.ts';
import type { AuditEvent } from './audit-log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const extension = '/api/v1/internal/extensions';

const event = {
  id: 'e1',
  at_millis: 5,
  action: 'sign_in.failed',
  actor: { type: 'client', id: null },
  user_id: 'u1',
  subject: { type: 'session', id: 's1' },
  address: '192.0.2.1',
  user_agent: 'curl',
  details: { method: 'password' },
  before: null,
  after: null,
};

test('a page is read with its filter and cursor', async () => {
  const { app, server } = openAdmin({
    [`GET ${extension}/audit-log`]: () =>
      json({
        items: [event],
        users: [{ id: 'u1', display_name: null, primary_email: 'ada@example.com' }],
        is_paginated: true,
        pagination: { next_cursor: '4.x' },
      }),
  });
  const page = await soon(
    app.listAuditEvents({
      action: 'sign_in.failed',
      userId: 'u1',
      address: '192.0.2.1',
      from: new Date(1),
      to: new Date(9),
      limit: 2,
    }),
  );
  expect([...page]).toEqual([
    {
      id: 'e1',
      at: new Date(5),
      action: 'sign_in.failed',
      actor: { type: 'client', id: null, user: null },
      userId: 'u1',
      user: { displayName: null, primaryEmail: 'ada@example.com' },
      subject: { type: 'session', id: 's1' },
      address: '192.0.2.1',
      userAgent: 'curl',
      details: { method: 'password' },
      before: null,
      after: null,
    },
  ]);
  expect(page.nextCursor).toBe('4.x');
  expect(sent(server)).toEqual([
    'GET /internal/extensions/audit-log?action=sign_in.failed&user_id=u1&address=192.0.2.1&from_millis=1&to_millis=9&limit=2',
  ]);
});

test('an invalid date in a filter is sent, so that the server refuses it', async () => {
  const route = `GET ${extension}/audit-log`;
  const { app, server } = openAdmin({ [route]: () => knownError('SCHEMA_ERROR', 400, { message: 'from_millis' }) });
  const refused = { errorCode: 'SCHEMA_ERROR' };
  await expect(soon(app.listAuditEvents({ from: new Date(Number.NaN) }))).rejects.toMatchObject(refused);
  expect(sent(server)).toEqual(['GET /internal/extensions/audit-log?from_millis=null']);
});

test('the export is read line by line, also where a chunk ends within a line', async () => {
  const lines = `${JSON.stringify(event)}\n${JSON.stringify({ ...event, id: 'e2', user_agent: 'ü' })}\n`;
  const bytes = new TextEncoder().encode(lines);
  const body = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7));
        controller.close();
      },
    });
  const { app } = openAdmin({ [`GET ${extension}/audit-log/export`]: () => new Response(body()) });
  const events: AuditEvent[] = [];
  for await (const one of app.exportAuditLog({ actorId: 'a1' })) events.push(one);
  expect(events.map(({ id, userAgent }) => [id, userAgent])).toEqual([
    ['e1', 'curl'],
    ['e2', 'ü'],
  ]);
});

test('an export whose connection breaks between two lines ends with a RequestError', async () => {
  let chunks = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (chunks++ === 0) controller.enqueue(new TextEncoder().encode(`${JSON.stringify(event)}\n{"id`));
      else controller.error(new TypeError('terminated'));
    },
  });
  const { app } = openAdmin({ [`GET ${extension}/audit-log/export`]: () => new Response(body) });
  const events: AuditEvent[] = [];
  const read = async () => {
    for await (const one of app.exportAuditLog()) events.push(one);
  };
  await expect(read()).rejects.toMatchObject({ name: 'RequestError', reason: 'unreachable' });
  expect(events).toHaveLength(1);
});

test('leaving the loop over an export cancels the response body', async () => {
  const cancelled = vi.fn();
  const body = new ReadableStream<Uint8Array>({
    start: controller => controller.enqueue(new TextEncoder().encode(`${JSON.stringify(event)}\n{"id`)),
    cancel: cancelled,
  });
  const { app } = openAdmin({ [`GET ${extension}/audit-log/export`]: () => new Response(body) });
  for await (const _ of app.exportAuditLog()) break;
  expect(cancelled).toHaveBeenCalledOnce();
});
