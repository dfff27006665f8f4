import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { adminApp, machine } from '../../test/apps.ts';
import { sent } from '../../test/signed-in.ts';
import { soon } from '../../test/soon.ts';
import { createStubServer, json } from '../../test/stub-server.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const team = {
  id: 't1',
  display_name: 'North',
  profile_image_url: null,
  client_metadata: null,
  client_read_only_metadata: null,
  server_metadata: null,
  created_at_millis: 5,
};

test('a page of teams has teams and the cursor of the next page', async () => {
  const server = createStubServer({
    'GET /api/v1/internal/extensions/teams': () =>
      json({ items: [team], is_paginated: true, pagination: { next_cursor: 't2' } }),
  });
  const app = adminApp(machine(server.fetch));
  const page = await soon(app.findTeams({ query: 'nor', order: 'name', limit: 1, cursor: 't1' }));
  expect(page.map(({ id, displayName }) => [id, displayName])).toEqual([['t1', 'North']]);
  expect(page.nextCursor).toBe('t2');
  expect(typeof page[0]?.delete).toBe('function');
  expect(sent(server)).toEqual(['GET /internal/extensions/teams?query=nor&order=name&limit=1&cursor=t1']);
});

test('an invitation of a team is sent again', async () => {
  const path = '/api/v1/internal/extensions/teams/t1/invitations/i1/send-again';
  const server = createStubServer({ [`POST ${path}`]: () => json({ success: true, id: 'i2' }) });
  const app = adminApp(machine(server.fetch));
  const callbackUrl = 'https://app.example/join';
  await soon(app.sendTeamInvitationAgain({ teamId: 't1', invitationId: 'i1', callbackUrl }));
  expect(sent(server)).toEqual([
    'POST /internal/extensions/teams/t1/invitations/i1/send-again {"callback_url":"https://app.example/join"}',
  ]);
});
