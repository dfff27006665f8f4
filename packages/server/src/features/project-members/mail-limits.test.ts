import { rateLimits } from '@tessera/protocol';
import type { ProjectAccess } from '@tessera/testing/call';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import type { SignedUp } from '../../test/make.ts';
import { plainPasswords } from '../sign-in/scene.fixtures.ts';

let server: TestServer;
let project: ProjectAccess;
let owner: SignedUp;
beforeAll(async () => {
  server = await openTestServer({
    passwords: plainPasswords(),
    environment: { TESSERA_MODE: 'production', TESSERA_INTERNAL_SIGN_UP: 'on' },
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  project = await server.make.project({ magicLinkEnabled: true });
  owner = await server.make.user();
  const server_metadata = { managedProjectIds: [project.id] };
  await server.call('PATCH /users/me', { level: 'server', accessToken: owner.accessToken, body: { server_metadata } });
  const body = { mails_per_recipient: 1_000, mails_per_project: 1_000_000 };
  await server.call('PATCH /internal/extensions/limits', { project, level: 'admin', body });
});

function invite(email: string) {
  const headers = {
    'x-stack-publishable-client-key': '',
    'x-stack-super-secret-admin-key': '',
    'x-stack-admin-access-token': owner.accessToken,
  };
  const body = { email, role: 'viewer' };
  return server.call('POST /internal/extensions/project-invitations', { project, level: 'admin', headers, body });
}

const callback_url = 'http://localhost:3000/sign-in';
const sendCode = (email: string) =>
  server.call('POST /auth/otp/send-sign-in-code', { project, body: { email, callback_url } });

async function statusesOf(calls: readonly (() => Promise<{ status: number }>)[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const call of calls) statuses.push((await call()).status);
  return statuses;
}

test('control 72: the sixth invitation to one address is refused, whatever limits the project sets', async () => {
  const sixTimes = Array.from({ length: 6 }, () => () => invite('stranger@example.com'));
  expect(await statusesOf(sixTimes)).toEqual([201, 201, 201, 201, 201, 429]);
  expect((await invite('another@example.com')).status).toBe(201);
});

test('control 72: where sign-up is open, a project on the mail server of the installation cannot raise its mail limits', async () => {
  const sixTimes = Array.from({ length: 6 }, () => () => sendCode('stranger@example.com'));
  expect(await statusesOf(sixTimes)).toEqual([200, 200, 200, 200, 200, 429]);
});

test('control 72: where sign-up is open, many projects on the mail server of the installation have one limit for an address', async () => {
  const sendFrom = (sender: ProjectAccess, email: string) =>
    server.call('POST /auth/otp/send-sign-in-code', { project: sender, body: { email, callback_url } });
  const projects: ProjectAccess[] = [];
  while (projects.length < 5) projects.push(await server.make.project({ magicLinkEnabled: true }));
  const fiveEach = projects.flatMap(one => Array.from({ length: 5 }, () => () => sendFrom(one, 'bombed@example.com')));
  const accepted = (await statusesOf(fiveEach)).filter(status => status === 200);
  expect(accepted).toHaveLength(rateLimits.sharedMailsPerRecipient.points);
  expect((await sendFrom(project, 'bombed@example.com')).status).toBe(429);
  expect((await sendFrom(project, 'not-bombed@example.com')).status).toBe(200);
});

test('control 72: where sign-up is open, test emails through the server of the installation count for their address', async () => {
  const sendTest = () =>
    server.call('POST /internal/extensions/email-templates/{type}/test', {
      project,
      level: 'admin',
      params: { type: 'sign_in_invitation' },
      body: { recipient_email: 'tested@example.com' },
    });
  const sixTimes = Array.from({ length: 6 }, () => sendTest);
  expect(await statusesOf(sixTimes)).toEqual([200, 200, 200, 200, 200, 429]);
});

test('a project with a mail server of its own sets its mail limits', async () => {
  const email_config = {
    ...{ type: 'standard', host: 'mail.example.com', port: 587, username: 'shop', password: 'secret' },
    ...{ sender_name: 'Shop', sender_email: 'shop@example.com' },
  };
  const body = { config: { email_config } };
  await server.call('PATCH /internal/projects/current', { project, level: 'admin', body });
  const sixTimes = Array.from({ length: 6 }, () => () => sendCode('customer@example.com'));
  expect(await statusesOf(sixTimes)).toEqual([200, 200, 200, 200, 200, 200]);
});
