import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clientApp, machine, userJson } from '../../test/apps.ts';
import { list, sent, signedIn } from '../../test/signed-in.ts';
import { soon } from '../../test/soon.ts';
import { createStubServer, json, knownError } from '../../test/stub-server.ts';
import { accessToken } from '../../test/tokens.ts';
import type { InternalUserPart } from './owned-projects.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const invitations = '/api/v1/extensions/project-invitations';

test('an invitation to a project is read without a session', async () => {
  const details = {
    project_display_name: 'Shop',
    role: 'admin',
    recipient_email: 'grace@example.com',
    has_account: false,
  };
  const server = createStubServer({ [`POST ${invitations}/details`]: () => json(details) });
  const app = clientApp(machine(server.fetch), { projectId: 'internal' });
  expect(await soon(app.getProjectInvitationDetails('c0de'))).toEqual({
    projectDisplayName: 'Shop',
    role: 'admin',
    recipientEmail: 'grace@example.com',
    hasAccount: false,
  });
  expect(sent(server)).toEqual(['POST /extensions/project-invitations/details {"code":"c0de"}']);
});

test('an invitation to a project is accepted with the session of the user', async () => {
  const { app, server } = await signedIn(
    { [`POST ${invitations}/accept`]: () => json({ project_id: 'p7' }) },
    { projectId: 'internal' },
  );
  expect(await soon(app.acceptProjectInvitation('c0de'))).toEqual({ projectId: 'p7' });
  expect(server.seen[0]?.headers.has('x-stack-access-token')).toBe(true);
});

test('a used invitation to a project is refused with its known error', async () => {
  const { app } = await signedIn(
    { [`POST ${invitations}/accept`]: () => knownError('VERIFICATION_CODE_ALREADY_USED', 409) },
    { projectId: 'internal' },
  );
  await expect(soon(app.acceptProjectInvitation('c0de'))).rejects.toMatchObject({
    errorCode: 'VERIFICATION_CODE_ALREADY_USED',
  });
});

test('a sign-up with an invitation to a project opens a session', async () => {
  const tokens = { access_token: accessToken(), refresh_token: 'r', user_id: userJson.id, is_new_user: true };
  const server = createStubServer({
    [`POST ${invitations}/sign-up`]: () => json(tokens),
    'GET /api/v1/users/me': () => json(userJson),
  });
  const app = clientApp(machine(server.fetch), { projectId: 'internal' });
  await soon(app.signUpWithProjectInvitation({ code: 'c0de', password: 'long enough', noRedirect: true }));
  expect(sent(server)).toEqual([
    'POST /extensions/project-invitations/sign-up {"code":"c0de","password":"long enough"}',
  ]);
  expect((await soon(app.getUser()))?.id).toBe(userJson.id);
});

test('the roles of the signed-in user are read by project', async () => {
  const { user } = await signedIn(
    { 'GET /api/v1/internal/extensions/project-roles': () => list({ project_id: 'p7', role: 'viewer' }) },
    { projectId: 'internal' },
  );
  const owner = user as typeof user & InternalUserPart;
  expect(await soon(owner.listProjectRoles())).toEqual([{ projectId: 'p7', role: 'viewer' }]);
});
