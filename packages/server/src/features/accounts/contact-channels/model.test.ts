import { randomUUID } from 'node:crypto';
import type { CallOptions } from '@tessera/testing/call';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { sql } from '../../../platform/database/sql.ts';
import { whileHolding } from '../../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { openScene, plainPasswords, type Scene, success } from '../../sign-in/scene.fixtures.ts';
import { type Channel, lineOf, Model, places, type Step, steps } from './model.fixtures.ts';

let server: TestServer;
let scene: Scene;
beforeAll(async () => {
  const environment = { TESSERA_DATABASE_POOL: '8', TESSERA_RATE_LIMITS: 'off' };
  server = await openTestServer({ passwords: plainPasswords(), environment });
});
afterAll(() => server.close());

const asServer = { level: 'server' } as const;

interface World {
  readonly people: readonly string[];
  readonly addresses: readonly string[];
}

/** Three users without an address, and four unused addresses. */
async function world(): Promise<World> {
  const people = await Promise.all(places.map(async () => (await scene.person()).id));
  const name = randomUUID().slice(0, 8);
  return { people, addresses: ['a', 'b', 'c', 'd'].map(letter => `${letter}-${name}@example.com`) };
}

const listed = z.object({ items: z.array(z.object({ id: z.string() })) });

/** Sends the step as a request. @returns the status */
async function act(step: Step, { people, addresses }: World): Promise<number> {
  const user_id = 'person' in step ? (people[step.person] ?? '') : '';
  const status = async (route: Parameters<Scene['call']>[0], options: CallOptions = {}) =>
    (await scene.call(route, { ...asServer, ...options })).status;
  const channelParams = async (place: number) => {
    const answer = await server.call('GET /contact-channels', {
      ...asServer,
      project: scene.project,
      query: { user_id },
    });
    return { user_id, contact_channel_id: listed.parse(answer.json).items[place]?.id ?? randomUUID() };
  };
  switch (step.act) {
    case 'create': {
      const flags = { used_for_auth: step.usedForAuth, is_primary: step.isPrimary, is_verified: step.isVerified };
      const body = { user_id, type: 'email', value: addresses[step.value], ...flags };
      return status('POST /contact-channels', { body });
    }
    case 'change': {
      const { value: place, ...flags } = step.changes;
      const body = { ...flags, ...(place === undefined ? {} : { value: addresses[place] }) };
      const params = await channelParams(step.channel);
      return status('PATCH /contact-channels/{user_id}/{contact_channel_id}', { params, body });
    }
    case 'delete':
      return status('DELETE /contact-channels/{user_id}/{contact_channel_id}', {
        params: await channelParams(step.channel),
      });
    case 'update': {
      const { email, verified, auth } = step;
      const body = {
        primary_email: email == null ? email : addresses[email],
        primary_email_verified: verified,
        primary_email_auth_enabled: auth,
      };
      return status('PATCH /users/{user_id}', { params: { user_id }, body });
    }
    case 'verify': {
      if ((await status('GET /users/{user_id}', { params: { user_id } })) === 404) return 404;
      const request = { userId: user_id, address: addresses[step.value] ?? '', data: {} };
      const code = await scene.code('email_verification', request).catch((error: unknown) => {
        // The user was deleted between the read and the new code.
        if (String(error).includes('one_time_codes_user')) return undefined;
        throw error;
      });
      return code === undefined ? 404 : status('POST /contact-channels/verify', { body: { code } });
    }
    case 'signUp': {
      const body = { email: addresses[step.value], password: 'a good password', verification_callback_url: callback };
      return status('POST /auth/password/sign-up', { level: 'client', body });
    }
    case 'deleteUser':
      return status('DELETE /users/{user_id}', { params: { user_id } });
  }
}

const callback = 'http://localhost:3000/verify';

interface StoredUser {
  readonly id: string;
  readonly primary: unknown;
  readonly search: string;
  readonly channels: readonly (Omit<Channel, 'value' | 'owner'> & { readonly value: string })[];
}

/** The users of the project with their channels, as stored. */
function storedUsers(): Promise<StoredUser[]> {
  return server.deps.db.query<StoredUser>(sql`
    select u.id, u.search,
      json_build_array(u.primary_email, u.primary_email_verified, u.primary_email_used_for_auth) as primary,
      array(
        select json_build_object(
          'value', c.value, 'isPrimary', c.is_primary, 'isVerified', c.is_verified, 'usedForAuth', c.used_for_auth
        )
        from contact_channels c where c.project_id = u.project_id and c.user_id = u.id order by c.created_at_millis, c.id
      ) as channels
    from users u where u.project_id = ${scene.project.id}
  `);
}

async function stored({ people, addresses }: World): Promise<string[]> {
  const nameOf = (id: string) => (people.includes(id) ? String(people.indexOf(id)) : 'new');
  const lines = (await storedUsers()).flatMap(({ id, channels }) =>
    channels.map(channel => lineOf({ ...channel, owner: nameOf(id), value: addresses.indexOf(channel.value) })),
  );
  return lines.sort();
}

/** Checks the invariants of stored users and channels. */
async function assertSound(): Promise<void> {
  const users = await storedUsers();
  for (const { id, primary, search, channels } of users) {
    const primaries = channels.filter(({ isPrimary }) => isPrimary);
    const [first] = primaries;
    expect(primaries.length).toBeLessThanOrEqual(1);
    expect(primary).toEqual(
      first === undefined ? [null, false, false] : [first.value, first.isVerified, first.usedForAuth],
    );
    expect(search).toBe([...channels.map(channel => channel.value), id].join('\n'));
  }
  const signingIn = users.flatMap(({ channels }) => channels).filter(({ usedForAuth }) => usedForAuth);
  expect(new Set(signingIn.map(channel => channel.value)).size).toBe(signingIn.length);
}

beforeEach(async () => {
  scene = await openScene(server);
});

test('after each step of a random sequence, the stored channels equal those of the model', async () => {
  await fc.assert(
    fc.asyncProperty(steps(20), async given => {
      scene = await openScene(server);
      const [real, model] = [await world(), new Model()];
      for (const step of given) {
        // Lists are ordered by creation time.
        server.clock.advance(1);
        expect([step, await act(step, real)]).toEqual([step, model.act(step)]);
        await assertSound();
      }
      expect(await stored(real)).toEqual(model.state());
    }),
    { numRuns: 40 },
  );
});

test('concurrent random steps answer expected statuses, and user rows match their channels', async () => {
  await fc.assert(
    fc.asyncProperty(steps(24), async given => {
      scene = await openScene(server);
      const real = await world();
      const statuses = await Promise.all(given.map(step => act(step, real)));
      expect(statuses.filter(status => ![200, 201, 400, 404, 409].includes(status))).toEqual([]);
      await assertSound();
    }),
    { numRuns: 30 },
  );
});

test('a verification waits for a concurrent change of the same user, and both succeed', async () => {
  const { people, addresses } = await world();
  const [userId = '', address = ''] = [people[0], addresses[0]];
  const body = { user_id: userId, type: 'email', value: address, used_for_auth: true, is_primary: true };
  await scene.call('POST /contact-channels', { ...asServer, body });
  const code = await scene.code('email_verification', { userId, address, data: {} });
  const verified = await whileHolding(server, userId, {
    work: () => scene.call('POST /contact-channels/verify', { body: { code } }),
    meanwhile: tx =>
      tx.query(sql`
        update contact_channels set used_for_auth = false where project_id = ${scene.project.id} and user_id = ${userId}
      `),
  });
  expect(verified).toEqual(success);
  await assertSound();
});
