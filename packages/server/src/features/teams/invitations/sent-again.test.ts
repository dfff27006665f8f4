import { rateLimits } from '@tessera/protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { as, asServer, type Person, type TeamFilled } from '../scene.fixtures.ts';
import {
  callback_url,
  email,
  type InvitationScene,
  joined,
  listed,
  noTeam,
  notFound,
  openInvitationScene,
  sent,
  untrusted,
} from './invitation-scene.fixtures.ts';

let server: TestServer;
let scene: InvitationScene;
let team: TeamFilled;
let stranger: Person;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  ({ scene, team, stranger } = await openInvitationScene(server));
});

const sendAgain = (id: string, body: object = {}, team_id = team.id) =>
  scene.call('POST /internal/extensions/teams/{team_id}/invitations/{id}/send-again', {
    level: 'admin',
    params: { team_id, id },
    body: { callback_url, ...body },
  });

test('an invitation that an owner sends again has a new code, and the old code ends', async () => {
  const first = await scene.invite();
  const again = await sendAgain(first.id);
  expect(again).toEqual(sent);
  const { id } = (again as unknown as { body: { id: string } }).body;
  expect(id).not.toBe(first.id);
  expect(await scene.list(asServer)).toEqual(listed([scene.invitation(email, id)]));
  const [received] = await scene.receivedEmails();
  expect(await scene.accept(first.code, as(stranger))).toEqual(notFound);
  expect(await scene.accept(received?.code ?? '', as(stranger))).toEqual(joined);
});

test('an invitation that is sent again keeps its inviter and its role', async () => {
  const body = { email, callback_url, role_id: 'team_admin' };
  const params = { team_id: team.id };
  await scene.call('POST /extensions/teams/{team_id}/invitations', { ...as(team.creator), params, body });
  const list = () => scene.call('GET /extensions/teams/{team_id}/invitations', { ...as(team.creator), params });
  const before = (await list()) as unknown as { body: { items: { id: string }[] } };
  const [invitation] = before.body.items;
  await sendAgain(invitation?.id ?? '');
  expect(await list()).toEqual({
    ...before,
    body: { ...before.body, items: [{ ...invitation, id: expect.not.stringMatching(invitation?.id ?? '') }] },
  });
});

test('an invitation that is not open, of another team, or with a page that is not trusted is not sent again', async () => {
  const { id } = await scene.invite();
  const other = await scene.filledTeam();
  expect(await sendAgain(id, {}, other.id)).toEqual(notFound);
  expect(await sendAgain(id, { callback_url: 'https://evil.example/' })).toEqual(untrusted);
  await scene.revoke(id, asServer);
  expect(await sendAgain(id)).toEqual(notFound);
  expect(await sendAgain(id, {}, id)).toEqual(noTeam(id));
});

test('an invitation is sent to one address at most as often as the limit of emails allows', async () => {
  let { id } = await scene.invite();
  for (let count = 1; count < rateLimits.mailsPerRecipient.points; count++) {
    ({ id } = ((await sendAgain(id)) as unknown as { body: { id: string } }).body);
  }
  expect(await sendAgain(id)).toMatchObject({ status: 429 });
  expect(await scene.list(asServer)).toEqual(listed([scene.invitation(email, id)]));
});
