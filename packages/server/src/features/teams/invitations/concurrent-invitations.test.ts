import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { oneAfterTheOther } from '../../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { as, asServer, type Person, type TeamFilled } from '../scene.fixtures.ts';
import {
  callback_url,
  email,
  type InvitationScene,
  joined,
  listed,
  type Options,
  openInvitationScene,
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

describe('concurrent calls of the invitation endpoints', () => {
  test('control 16: of 50 users who accept one code, one joins', async () => {
    const { code } = await scene.invite();
    const people = await Promise.all(Array.from({ length: 50 }, () => scene.person()));
    const before = await scene.memberIds();
    await scene.publishedEvents();
    const outcomes = await Promise.all(people.map(person => scene.accept(code, as(person))));
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(outcomes.filter(outcome => ![200, 400, 409].includes(outcome.status))).toEqual([]);
    expect(await scene.memberIds()).toHaveLength(before.length + 1);
    expect(await scene.publishedEvents()).toHaveLength(2);
  });

  test('control 16: of 50 calls of one user with one code, one succeeds, and the user joins once', async () => {
    const { code } = await scene.invite();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => scene.accept(code, as(stranger))));
    expect(outcomes.filter(({ status }) => status === 200)).toEqual([joined]);
    expect((await scene.memberIds()).filter(id => id === stranger.id)).toHaveLength(1);
    expect(await scene.publishedEvents()).toHaveLength(2);
  });

  test('a user who accepts three codes joins once, and all codes are used', async () => {
    const invitations = [await scene.invite(), await scene.invite(), await scene.invite()];
    const outcomes = await Promise.all(invitations.map(({ code }) => scene.accept(code, as(stranger))));
    expect(outcomes).toEqual([joined, joined, joined]);
    expect((await scene.memberIds()).filter(id => id === stranger.id)).toHaveLength(1);
    expect(await scene.publishedEvents()).toHaveLength(2);
    expect(await scene.list(asServer)).toEqual(listed([]));
  });

  test('a team that is deleted while users are invited and accept causes no 5xx', async () => {
    for (let round = 0; round < 5; round++) {
      const doomed = await scene.team();
      const guest = { team_id: doomed, email: `guest-${round}@example.com` };
      const invitations = [await scene.invite(guest), await scene.invite(guest)];
      const outcomes = await Promise.all([
        ...invitations.map(({ code }) => scene.accept(code, as(stranger))),
        scene.send(asServer, guest),
        scene.deleteTeam(doomed),
        ...invitations.map(({ id }) => scene.revoke(id, asServer, doomed)),
      ]);
      expect(outcomes.filter(({ status }) => status >= 500)).toEqual([]);
      expect(await scene.call('GET /teams', { ...asServer, query: { user_id: stranger.id } })).toEqual(listed([]));
      await scene.receivedEmails();
    }
  });

  test('a user who is deleted while accepting causes no 5xx', async () => {
    const { code } = await scene.invite();
    const params = { user_id: stranger.id };
    const outcomes = await Promise.all([
      scene.accept(code, as(stranger)),
      scene.call('DELETE /users/{user_id}', { ...asServer, params }),
    ]);
    expect(outcomes.filter(({ status }) => status >= 500)).toEqual([]);
    expect(await scene.memberIds()).not.toContain(stranger.id);
  });
});

test.each([
  ['the user', {}],
  ['a server with the access token', asServer],
])('control 91: a user who is suspended while %s accepts an invitation does not join', async (_, options) => {
  const { code } = await scene.invite();
  const params = { user_id: stranger.id };
  const suspend = () => scene.call('PUT /extensions/users/{user_id}/suspension', { ...asServer, params, body: {} });
  const accept = () => scene.accept(code, { ...as(stranger), ...options });
  const [, answer] = await oneAfterTheOther(server, stranger.id, { first: suspend, second: accept });
  expect(answer).toMatchObject({ status: 401, code: 'ACCESS_TOKEN_EXPIRED' });
  expect(await scene.memberIds()).not.toContain(stranger.id);
});

describe('an invitation that is under way', () => {
  /** Begins an invitation that waits for the team, runs `meanwhile`, and lets the invitation go on. */
  async function inviteDuring(meanwhile: () => Promise<unknown>, request: () => Promise<unknown>): Promise<unknown> {
    let inviting: Promise<unknown> | undefined;
    await transaction(server.deps.db, async tx => {
      await tx.query(sql`select id from teams where project_id = ${scene.project.id} and id = ${team.id} for update`);
      inviting = request();
      await waitUntilBlocked();
      await meanwhile();
    });
    return inviting;
  }

  /** Waits until this many transactions wait for a lock, or until `isOver`. */
  async function waitUntilBlocked(count = 1, isOver = () => false): Promise<void> {
    // Outside of the transaction: in one, pg_stat_activity keeps its first list of connections.
    const blocked = sql`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    `;
    while (!isOver() && (await server.deps.db.query(blocked)).length < count);
  }

  const memberOfTeam = () => ({ team_id: team.id, user_id: team.member.id });
  const remove = () =>
    scene.call('DELETE /team-memberships/{team_id}/{user_id}', { ...asServer, params: memberOfTeam() });
  const inviteWithRole = (options: Options = {}) =>
    scene.call('POST /extensions/teams/{team_id}/invitations', {
      ...options,
      ...as(team.member),
      params: { team_id: team.id },
      body: { email, callback_url },
    });

  test.each([
    ['an invitation', () => scene.send(as(team.member))],
    ['an invitation of the team roles', inviteWithRole],
    ['an invitation by a server with the access token', () => inviteWithRole(asServer)],
  ])('control 91: %s of a member who is removed concurrently is refused', async (_, request) => {
    const refused = { status: 404, code: 'TEAM_MEMBERSHIP_NOT_FOUND', details: memberOfTeam() };
    expect(await inviteDuring(remove, request)).toEqual(refused);
    expect(await scene.list(asServer)).toEqual(listed([]));
  });

  test.each([
    ['an invitation', () => scene.send(as(team.member))],
    ['an invitation by a server with the access token', () => inviteWithRole(asServer)],
  ])('control 91: %s of a user who is suspended concurrently does not stay open', async (_, request) => {
    const params = { user_id: team.member.id };
    const suspend = () => scene.call('PUT /extensions/users/{user_id}/suspension', { ...asServer, params, body: {} });
    let suspending: Promise<unknown> | undefined;
    await inviteDuring(async () => {
      let isOver = false;
      suspending = suspend().finally(() => {
        isOver = true;
      });
      // It ends now or, when it waits for the invitation, later.
      await waitUntilBlocked(2, () => isOver);
    }, request);
    expect(await suspending).toMatchObject({ status: 200 });
    expect(await scene.list(asServer)).toEqual(listed([]));
  });
});
