import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openAdmin } from '../../test/apps.ts';
import { list, sent, success } from '../../test/signed-in.ts';
import { soon } from '../../test/soon.ts';
import { json } from '../../test/stub-server.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const extensions = '/api/v1/internal/extensions';
const memberJson = {
  user_id: 'u1',
  display_name: 'Ada',
  primary_email: 'ada@example.com',
  profile_image_url: null,
  role: 'admin',
  joined_at_millis: 5,
  last_active_at_millis: 6,
};
const invitationJson = {
  id: 'i1',
  recipient_email: 'grace@example.com',
  role: 'viewer',
  created_at_millis: 7,
  expires_at_millis: 8,
};
const invitation = {
  id: 'i1',
  recipientEmail: 'grace@example.com',
  role: 'viewer',
  createdAt: new Date(7),
  expiresAt: new Date(8),
};

test('members have their role, and an owner has no time of joining', async () => {
  const items = [{ ...memberJson, user_id: 'u2', role: 'owner', joined_at_millis: null }, memberJson];
  const { app } = openAdmin({ [`GET ${extensions}/project-members`]: () => list(...items) });
  const members = await soon(app.listProjectMembers());
  expect(members.map(({ userId, role, joinedAt }) => ({ userId, role, joinedAt }))).toEqual([
    { userId: 'u2', role: 'owner', joinedAt: null },
    { userId: 'u1', role: 'admin', joinedAt: new Date(5) },
  ]);
  expect(members[1]).toMatchObject({
    displayName: 'Ada',
    primaryEmail: 'ada@example.com',
    profileImageUrl: null,
    lastActiveAt: new Date(6),
  });
});

test('changes of members and the transfer of a project send one request each', async () => {
  const { app, server } = openAdmin({
    [`PATCH ${extensions}/project-members/u1`]: success,
    [`DELETE ${extensions}/project-members/u1`]: success,
    [`POST ${extensions}/project-transfer`]: success,
  });
  await soon(app.updateProjectMember('u1', { role: 'viewer' }));
  await soon(app.removeProjectMember('u1'));
  await soon(app.transferProject({ userId: 'u1', displayName: 'Shop' }));
  expect(sent(server)).toEqual([
    'PATCH /internal/extensions/project-members/u1 {"role":"viewer"}',
    'DELETE /internal/extensions/project-members/u1',
    'POST /internal/extensions/project-transfer {"user_id":"u1","display_name":"Shop"}',
  ]);
});

test('an invitation is sent, listed and revoked', async () => {
  const { app, server } = openAdmin({
    [`POST ${extensions}/project-invitations`]: () => json(invitationJson, { status: 201 }),
    [`GET ${extensions}/project-invitations`]: () => list(invitationJson),
    [`DELETE ${extensions}/project-invitations/i1`]: success,
  });
  expect(await soon(app.inviteProjectMember({ email: 'grace@example.com', role: 'viewer' }))).toEqual(invitation);
  expect(await soon(app.listProjectInvitations())).toEqual([invitation]);
  await soon(app.revokeProjectInvitation('i1'));
  expect(sent(server)).toEqual([
    'POST /internal/extensions/project-invitations {"email":"grace@example.com","role":"viewer"}',
    'GET /internal/extensions/project-invitations',
    'DELETE /internal/extensions/project-invitations/i1',
  ]);
});
