import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { as, asServer, type Person, type TeamFilled } from '../scene.fixtures.ts';
import {
  email,
  type InvitationScene,
  joined,
  listed,
  notFound,
  type Options,
  openInvitationScene,
  success,
  used,
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

describe('invitations after a membership ended', () => {
  const end = (id: string, options: Options) =>
    scene.call('DELETE /team-memberships/{team_id}/{user_id}', {
      ...options,
      params: { team_id: team.id, user_id: id },
    });

  test.each<[string, (guest: Person) => Options, (guest: Person) => string]>([
    ['by a member', () => as(team.creator), ({ id }) => id],
    ['by a server', () => asServer, ({ id }) => id],
    ['by leaving', as, () => 'me'],
  ])('control 91: %s, an older invitation to the person is unknown, and a new one works', async (_, by, whom) => {
    const guest = await scene.person({ primary_email: email, primary_email_verified: true });
    const [first, second] = [await scene.invite(), await scene.invite()];
    const other = await scene.invite({ email: 'other@example.com' });
    expect(await scene.accept(first.code, as(guest))).toEqual(joined);
    expect(await end(whom(guest), by(guest))).toEqual(success);
    expect(await scene.accept(second.code, as(guest))).toEqual(notFound);
    expect(await scene.accept(first.code, as(guest))).toEqual(used);
    expect(await scene.list(asServer)).toEqual(listed([scene.invitation('other@example.com', other.id)]));
    expect(await scene.memberIds()).not.toContain(guest.id);
    expect(await scene.accept((await scene.invite()).code, as(guest))).toEqual(joined);
    expect(await scene.memberIds()).toContain(guest.id);
  });

  test('control 91: an older invitation to the address by which a user without a verified address joined is unknown', async () => {
    const [first, second] = [await scene.invite(), await scene.invite()];
    await scene.accept(first.code, as(stranger));
    expect(await end(stranger.id, as(team.creator))).toEqual(success);
    expect(await scene.accept(second.code, as(stranger))).toEqual(notFound);
  });

  test('an invitation to an address that the person has not verified stays open', async () => {
    const { code } = await scene.invite();
    const pretender = await scene.person({ primary_email: email });
    await scene.join(team.id, pretender);
    expect(await end('me', as(pretender))).toEqual(success);
    expect(await scene.accept(code, as(stranger))).toEqual(joined);
  });

  test('an invitation of another team to the person stays open', async () => {
    const guest = await scene.person({ primary_email: email, primary_email_verified: true });
    const { code } = await scene.invite({ team_id: await scene.team() });
    await scene.join(team.id, guest);
    expect(await end(guest.id, asServer)).toEqual(success);
    expect(await scene.accept(code, as(guest))).toEqual(joined);
  });

  test('control 91: the invitations of a removed member are unknown, those of a member who left stay open', async () => {
    const codes: string[] = [];
    for (const [index, sender] of [team.member, team.creator].entries()) {
      await scene.send(as(sender), { email: `friend-${index}@example.com` });
      codes.push((await scene.receivedEmails())[0]?.code ?? '');
    }
    const [ofMember = '', ofCreator = ''] = codes;
    expect(await end(team.member.id, as(team.creator))).toEqual(success);
    expect(await end('me', as(team.creator))).toEqual(success);
    expect(await scene.accept(ofMember, as(stranger))).toEqual(notFound);
    expect(await scene.accept(ofCreator, as(stranger))).toEqual(joined);
  });
});

describe('invitations after an account was deleted', () => {
  const deleteUser = (user_id: string) => scene.call('DELETE /users/{user_id}', { ...asServer, params: { user_id } });

  async function codeOf(sender: Person): Promise<string> {
    await scene.send(as(sender));
    return (await scene.receivedEmails())[0]?.code ?? '';
  }

  test('control 91: the invitations that a deleted user sent are unknown', async () => {
    const code = await codeOf(team.member);
    expect(await deleteUser(team.member.id)).toEqual(success);
    expect(await scene.accept(code, as(stranger))).toEqual(notFound);
    expect(await scene.list(asServer)).toEqual(listed([]));
  });

  test('control 91: an older invitation to the address of the deleted user is unknown', async () => {
    const guest = { primary_email: email, primary_email_verified: true };
    const { id } = await scene.person(guest);
    const { code } = await scene.invite();
    await scene.join(team.id, { id, accessToken: '' });
    expect(await deleteUser(id)).toEqual(success);
    expect(await scene.accept(code, as(await scene.person(guest)))).toEqual(notFound);
  });

  test('the invitations of a user who deleted the own account stay open', async () => {
    await scene.call('PATCH /internal/projects/current', {
      level: 'admin',
      body: { config: { client_user_deletion_enabled: true } },
    });
    const code = await codeOf(team.creator);
    expect(await scene.call('DELETE /users/me', as(team.creator))).toEqual(success);
    expect(await scene.accept(code, as(stranger))).toEqual(joined);
  });
});
