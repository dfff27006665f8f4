import type { Route } from '@tessera/protocol';
import type { CallOptions, ProjectAccess } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Statement, sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../harness.ts';
import type { SignedUp } from '../make.ts';

let server: TestServer;
let project: ProjectAccess;
let user: SignedUp;
let teamId: string;
beforeAll(async () => {
  server = await openTestServer();
  project = await server.make.project({ allowUserApiKeys: true });
  user = await server.make.user({ project });
  teamId = await team();
  await insert(sql`
    insert into users (project_id, id, search, signed_up_at_millis, client_metadata)
    select ${project.id}, gen_random_uuid(), '', number, ${JSON.stringify('x'.repeat(255 * 1024))}
    from generate_series(1, 300) number
  `);
  await insert(sql`
    insert into team_memberships (project_id, team_id, user_id, created_at_millis)
    select project_id, ${teamId}, id, 0 from users where project_id = ${project.id}
  `);
});
afterAll(() => server.close());

const withId = z.object({ id: z.string() });

async function team(fields: object = {}): Promise<string> {
  const body = { display_name: 'A team', ...fields };
  return withId.parse((await server.call('POST /teams', { project, level: 'server', body })).json).id;
}

function insert(rows: Statement): Promise<unknown> {
  return server.deps.db.query(rows);
}

const tooLarge = 'The answer would be too large. Ask for fewer entries.';

async function listed(route: Route, options: CallOptions) {
  const answer = await server.call(route, { project, level: 'server', ...options });
  return { ...outcome(answer), text: answer.text.slice(0, tooLarge.length) };
}

const refused = { status: 400, says: 'a sentence', text: tooLarge };

describe('control 80: a list without pages is refused when its rows are larger than 32 MB', () => {
  test('the profiles of the members of a team, with their users', async () => {
    expect(await listed('GET /team-member-profiles', { query: { team_id: teamId } })).toEqual(refused);
  });

  test('the API keys of a user', async () => {
    await insert(sql`
      insert into api_keys (
        project_id, id, user_id, description, secret_hash, last_four, is_public, created_at_millis, scopes
      )
      select ${project.id}, gen_random_uuid(), ${user.userId}::uuid, repeat('d', 1000), sha256(number::text::bytea), '',
        false, number, array_fill(repeat('s', 100), array[50])
      from generate_series(1, 6000) number
    `);
    expect(await listed('GET /user-api-keys', { query: { user_id: user.userId } })).toEqual(refused);
  });

  test('the invitations to a team, each with the name of the inviter', async () => {
    const small = await team({ creator_user_id: user.userId });
    await insert(sql`update team_memberships set display_name = repeat('n', 10000) where team_id = ${small}`);
    await insert(sql`
      insert into one_time_codes (
        project_id, id, kind, code_hash, nonce_hash, address, data, created_at_millis, expires_at_millis
      )
      select ${project.id}, gen_random_uuid(), 'team_invitation', sha256(number::text::bytea),
        sha256(number::text::bytea), number || '@example.com',
        json_build_object('teamId', ${small}::text, 'inviterId', ${user.userId}::text), number, 9e15
      from generate_series(1, 3500) number
    `);
    expect(await listed('GET /team-invitations', { query: { team_id: small } })).toEqual(refused);
    const asUser = { level: 'client', accessToken: user.accessToken } as const;
    const params = { team_id: small };
    expect(await listed('GET /extensions/teams/{team_id}/invitations', { ...asUser, params })).toEqual(refused);
  });

  test('the provider accounts of a user', async () => {
    await insert(sql`
      insert into oauth_accounts (project_id, provider_id, account_id, user_id, display_name, created_at_millis)
      select ${project.id}, 'github', number, ${user.userId}::uuid, repeat('n', 10000), 0
      from generate_series(1, 3500) number
    `);
    const asUser = { level: 'client', accessToken: user.accessToken } as const;
    expect(await listed('GET /extensions/connected-accounts', asUser)).toEqual(refused);
  });

  test('the members of a project, with their images', async () => {
    const metadata = JSON.stringify({ managedProjectIds: [project.id] });
    await insert(sql`
      insert into users (project_id, id, search, signed_up_at_millis, profile_image_url, server_metadata)
      select 'internal', gen_random_uuid(), '', 0, 'https://example.com/' || repeat('x', 900000), ${metadata}
      from generate_series(1, 40)
    `);
    expect(await listed('GET /internal/extensions/project-members', { level: 'admin' })).toEqual(refused);
  });

  test('the contact channels of all users', async () => {
    await insert(sql`
      insert into contact_channels (project_id, id, user_id, type, value, created_at_millis)
      select ${project.id}, gen_random_uuid(), id, 'email', repeat('x', 120000) || signed_up_at_millis, 0
      from users where project_id = ${project.id}
    `);
    expect(await listed('GET /contact-channels', {})).toEqual(refused);
  });
});

describe('control 80: a list of permissions is refused when it would have more than 32 MB of entries', () => {
  /** A permission that contains 999 others, which every user has. */
  beforeAll(async () => {
    await insert(sql`
      insert into permission_definitions (project_id, id, scope, contained_permission_ids)
      select ${project.id}, scope || number, scope,
        case number when 0 then (select array_agg(scope || n) from generate_series(1, 999) n) else '{}' end
      from generate_series(0, 999) number, unnest(array['team', 'project']) scope
    `);
    await insert(sql`update projects set permission_generation = permission_generation + 1 where id = ${project.id}`);
    await insert(sql`
      insert into team_permissions (project_id, team_id, user_id, permission_id)
      select project_id, team_id, user_id, 'team0' from team_memberships where project_id = ${project.id}
    `);
    await insert(sql`
      insert into project_permissions (project_id, user_id, permission_id)
      select project_id, id, 'project0' from users where project_id = ${project.id}
    `);
  });

  test.each(['GET /team-permissions', 'GET /project-permissions'] as const)('%s', async route => {
    expect(await listed(route, { query: { recursive: 'true' } })).toEqual(refused);
    const few = await listed(route, { query: { recursive: 'true', user_id: user.userId } });
    expect(few.status).toBe(200);
  });
});
