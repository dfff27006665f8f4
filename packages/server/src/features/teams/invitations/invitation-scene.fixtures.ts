import { invitationLifetimeMs } from '@tessera/protocol';
import { anId } from '@tessera/testing/outcome';
import * as z from 'zod';
import type { TestServer } from '../../../test/harness.ts';
import { asServer, openScene, type Person, type Scene, type TeamFilled } from '../scene.fixtures.ts';

export type Options = Parameters<Scene['call']>[1];

export const callback_url = 'http://localhost:3000/join?from=mail';
export const email = 'guest@example.com';
export const unknownCode = '0'.repeat(45);

export const sent = { status: 200, body: { success: true, id: anId } };
export const success = { status: 200, body: { success: true } };
export const joined = { status: 200, body: {} };
export const good = { status: 200, body: { is_code_valid: true } };
export const signedOut = { status: 401, code: 'USER_AUTHENTICATION_REQUIRED' };
export const noUser = { status: 400, code: 'CANNOT_GET_OWN_USER_WITHOUT_USER' };
export const notFound = { status: 404, code: 'VERIFICATION_CODE_NOT_FOUND' };
export const used = { status: 409, code: 'VERIFICATION_CODE_ALREADY_USED' };
export const expired = { status: 400, code: 'VERIFICATION_CODE_EXPIRED' };
export const tooMany = { status: 400, code: 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED' };
export const untrusted = { status: 400, code: 'REDIRECT_URL_NOT_WHITELISTED' };
export const noTeam = (team_id: string) => ({ status: 404, code: 'TEAM_NOT_FOUND', details: { team_id } });
export const notIn = (team_id: string, { id: user_id }: Person) => ({
  status: 404,
  code: 'TEAM_MEMBERSHIP_NOT_FOUND',
  details: { team_id, user_id },
});
export const listed = (items: unknown[]) => ({ status: 200, body: { items, is_paginated: false } });

/** A project with a team, and a user who is not a member of it. */
export async function openInvitationScene(server: TestServer) {
  // Removes emails of the previous test.
  await server.mailbox();
  const scene = await openScene(server, { allowLocalhost: true });
  const team = await scene.filledTeam();
  const stranger = await scene.person();
  await scene.publishedEvents();
  const calls = callsFor(scene, team);
  return { scene: { ...scene, ...calls, ...expectedOf(server, team) }, team, stranger };
}

export type InvitationScene = Awaited<ReturnType<typeof openInvitationScene>>['scene'];

const withId = z.object({ body: z.object({ id: z.string() }) });
const withUserIds = z.object({ body: z.object({ items: z.array(z.object({ user_id: z.string() })) }) });

/** The calls of the invitation endpoints. They are for the team, unless the test names another one. */
function callsFor(scene: Scene, team: TeamFilled) {
  const send = (options: Options, body: object = {}) =>
    scene.call('POST /team-invitations/send-code', {
      ...options,
      body: { team_id: team.id, email, callback_url, ...body },
    });
  return {
    send,
    list: (options: Options, team_id = team.id) =>
      scene.call('GET /team-invitations', { ...options, query: { team_id } }),
    revoke: (id: string, options: Options, team_id = team.id) =>
      scene.call('DELETE /team-invitations/{id}', { ...options, params: { id }, query: { team_id } }),
    accept: (code: string, options: Options) =>
      scene.call('POST /team-invitations/accept', { ...options, body: { code } }),
    check: (code: string, options: Options = {}) =>
      scene.call('POST /team-invitations/accept/check-code', { ...options, body: { code } }),
    details: (code: string, options: Options) =>
      scene.call('POST /team-invitations/accept/details', { ...options, body: { code } }),

    /** Sends an invitation, and returns its id and the code of the emailed link. */
    invite: async (body: object = {}) => {
      const { id } = withId.parse(await send(asServer, body)).body;
      const [receivedEmail] = await scene.receivedEmails();
      return { id, code: receivedEmail?.code ?? '' };
    },
    memberIds: async () => {
      const outcome = await scene.call('GET /team-member-profiles', { ...asServer, query: { team_id: team.id } });
      return withUserIds.parse(outcome).body.items.map(({ user_id }) => user_id);
    },
    deleteTeam: (team_id: string) => scene.call('DELETE /teams/{team_id}', { ...asServer, params: { team_id } }),
  };
}

/** Expected outcomes that name the team or the time. */
function expectedOf(server: TestServer, team: TeamFilled) {
  return {
    mayNot: ({ id: user_id }: Person, permission_id: string) => ({
      status: 401,
      code: 'TEAM_PERMISSION_REQUIRED',
      details: { team_id: team.id, user_id, permission_id },
    }),
    invitation: (recipient_email = email, id: unknown = anId) => ({
      id,
      team_id: team.id,
      expires_at_millis: server.clock.now() + invitationLifetimeMs,
      recipient_email,
    }),
  };
}
