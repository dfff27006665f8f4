import { contactChannelsMax } from '@tessera/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { plainPasswords, refused } from '../../sign-in/scene.fixtures.ts';
import {
  as,
  asServer,
  bodyOf,
  type Channel,
  type ChannelScene,
  openChannelScene,
  taken,
} from './channel-scene.fixtures.ts';

let server: TestServer;
let scene: ChannelScene['scene'];
let ada: ChannelScene['ada'];
let create: ChannelScene['create'];
let list: ChannelScene['list'];
let update: ChannelScene['update'];
let channel: ChannelScene['channel'];
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  ({ scene, ada, create, list, update, channel } = await openChannelScene(server));
});

describe('concurrent writers', () => {
  const primaries = async () =>
    bodyOf<{ items: Channel[] }>(await list(as(ada), { user_id: 'me' })).items.filter(item => item.is_primary);

  test('of the channels of one user leave one primary channel', async () => {
    const channels = [await channel({ is_primary: true }), await channel(), await channel()];
    const answers = await Promise.all([
      ...channels.flatMap(one => Array.from({ length: 5 }, () => update(one, as(ada), { is_primary: true }))),
      ...Array.from({ length: contactChannelsMax - channels.length }, () => create(as(ada), { is_primary: true })),
      ...Array.from({ length: 5 }, () =>
        scene.call('PATCH /users/{user_id}', {
          ...asServer,
          params: { user_id: ada.id },
          body: { primary_email: scene.address() },
        }),
      ),
    ]);
    expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
    expect(await primaries()).toHaveLength(1);
  });

  test('of one address for several users create one sign-in address', async () => {
    const value = scene.address();
    const people = await Promise.all(Array.from({ length: 10 }, () => scene.person()));
    const answers = await Promise.all(
      people.map(person => create(as(person), { user_id: 'me', value, used_for_auth: true })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 201)).toEqual(Array(9).fill(taken(value)));
  });

  test('of one address for one user create one channel', async () => {
    const value = scene.address();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(as(ada), { value })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 201)).toEqual(Array(9).fill(refused(400)));
  });

  test('of several addresses for one user leave every address in the search column', async () => {
    const values = Array.from({ length: 10 }, () => scene.address());
    await Promise.all(values.map(value => create(as(ada), { value })));
    const [row] = await server.deps.db.query<{ search: string }>(sql`select search from users where id = ${ada.id}`);
    for (const value of values) expect(row?.search).toContain(value);
  });
});
