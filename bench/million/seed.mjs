import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { copyInto } from './copy.mjs';
import { people } from './people.mjs';

/** To be raised when other data is wanted: what was made before is then made anew. */
export const seedVersion = 4;

export const crowd = {
  projectId: '00000000-0000-4000-8000-000001000000',
  count: 1_000_000,
  firstMillis: Date.UTC(2023, 0, 1),
  lastMillis: Date.UTC(2026, 0, 1),
};
export const definitionCount = 1_000;

const usersPerActivity = 10;
const usersPerTeam = 500;
const usersPerMember = 10;
const activitiesPerUser = 10;
/** What the job has not added up yet: a few minutes of it. */
const freshEvents = 5_000;

/**
 * Fills the project with users, their addresses, some teams with members, activity, and permission definitions, as the
 * server would have written them.
 *
 * @param {pg.ClientConfig} database
 * @param {{ secretServerKey: string, superSecretAdminKey: string }} keys
 */
export async function seed(database, keys) {
  const client = new pg.Client(database);
  await client.connect();
  try {
    await client.query('begin');
    // What is copied fits together, so nothing has to be looked up for it.
    await client.query(`set local session_replication_role = replica; set local maintenance_work_mem = '512MB'`);
    await insertProject(client, keys);
    const indexes = await dropIndexes(client, [
      'users',
      'contact_channels',
      'team_memberships',
      'events',
      'metric_users',
    ]);
    const everyone = [...people(crowd)];
    for (const [target, rowOf] of tables) await copyInto(client, target, rowsOf(everyone, rowOf));
    await insertActivity(client);
    for (const definition of indexes) await client.query(definition);
    await client.query('commit');
    await client.query('vacuum analyze');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

/** The settings of `internal`, with user API keys, and a tree of permissions: number i contains 2i + 1 and 2i + 2. */
async function insertProject(client, { secretServerKey, superSecretAdminKey }) {
  const { projectId, firstMillis, lastMillis } = crowd;
  await client.query(
    `insert into projects (id, display_name, config, created_at_millis)
     select $1, 'A million users', config::jsonb || '{"allowUserApiKeys": true}', $2 from projects where id = 'internal'`,
    [projectId, firstMillis],
  );
  await client.query(
    `insert into api_key_sets (
       project_id, id, description, secret_server_key_hash, super_secret_admin_key_hash, source, created_at_millis,
       expires_at_millis
     ) values ($1, $2, 'bench', $3, $4, 'project', $5, $6)`,
    [projectId, randomUUID(), sha256(secretServerKey), sha256(superSecretAdminKey), firstMillis, lastMillis * 2],
  );
  await client.query(
    `insert into permission_definitions (project_id, id, scope, contained_permission_ids)
     select $1, 'permission_' || i, 'team',
       array(select 'permission_' || inside from unnest(array[2 * i + 1, 2 * i + 2]) inside where inside < $2)
     from generate_series(0, $2 - 1) i`,
    [projectId, definitionCount],
  );
}

function sha256(text) {
  return createHash('sha256').update(text).digest();
}

/** Ten activities of every user within the last 25 days, and the sums that the server's job would have stored. */
async function insertActivity(client) {
  const { projectId } = crowd;
  await client.query(
    `insert into events (project_id, kind, user_id, at_millis, data)
     select project_id, 'activity', id, $2::bigint - (hashtextextended(id::text, n) & 2147483647),
       json_build_object('countryCode', (array['DE', 'US', 'FR', 'JP'])[1 + n % 4])
     from users cross join generate_series(1, $3) n where project_id = $1`,
    [projectId, Date.now(), activitiesPerUser],
  );
  const { rows } = await client.query('select max(id) - $1 as id from events', [freshEvents]);
  await client.query('update metric_progress set added_up_id = $1, safe_id = $1', [rows[0].id]);
  await client.query(
    `create temp table added_up on commit drop as
       select user_id, at_millis, (at_millis / 86400000)::integer as day, data ->> 'countryCode' as country
       from events where project_id = $1 and id <= (select added_up_id from metric_progress)`,
    [projectId],
  );
  await client.query(
    `insert into metric_active_days (project_id, day, user_id)
     select distinct $1, day, user_id from added_up where day >= $2`,
    [projectId, Math.floor(Date.now() / 86_400_000) - 1],
  );
  await client.query(
    `insert into metric_users (project_id, user_id, last_active_at_millis, country, country_at_millis)
     select distinct on (user_id) $1, user_id, at_millis, country, at_millis from added_up
     order by user_id, at_millis desc`,
    [projectId],
  );
  await client.query(
    `insert into metric_counts (project_id, kind, key, value)
     select $1, 'users', '', count(*) from users where project_id = $1
     union all
     select $1, 'sign_ups', (signed_up_at_millis / 86400000)::text, count(*) from users where project_id = $1 group by 3
     union all
     select $1, 'active', day::text, count(distinct user_id) from added_up group by day
     union all
     select $1, 'country', country, count(*) from metric_users where project_id = $1 and country is not null group by country`,
    [projectId],
  );
}

/** Building an index over everything is several times faster than keeping it up to date. @returns how to make them again */
async function dropIndexes(client, names) {
  const { rows } = await client.query(
    `select indexname as name, indexdef as definition from pg_indexes
     where schemaname = current_schema() and tablename = any($1)
       and indexname not in (select conname from pg_constraint)`,
    [names],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(row => row.definition);
}

const { projectId } = crowd;

/** What each table has of a person; most have nothing of most. */
const tables = [
  [
    `users (
      project_id, id, display_name, signed_up_at_millis, search, primary_email, primary_email_verified,
      primary_email_used_for_auth, selected_team_id, last_active_at_millis
    )`,
    (person, number) => [
      projectId,
      person.id,
      person.displayName,
      person.signedUpAtMillis,
      searchOf(person),
      person.address,
      person.address !== null,
      person.address !== null,
      isMember(number) ? teamId(number) : null,
      isActive(number) ? crowd.lastMillis + number : null,
    ],
  ],
  [
    'contact_channels (project_id, id, user_id, type, value, is_primary, is_verified, used_for_auth, created_at_millis)',
    ({ id, channelId, address, signedUpAtMillis }) =>
      address !== null && [projectId, channelId, id, 'email', address, true, true, true, signedUpAtMillis],
  ],
  [
    'teams (project_id, id, display_name, created_at_millis)',
    ({ signedUpAtMillis }, number) =>
      number % usersPerTeam === 0 && [projectId, teamId(number), `Team ${number / usersPerTeam}`, signedUpAtMillis],
  ],
  [
    'team_memberships (project_id, team_id, user_id, created_at_millis)',
    ({ id, signedUpAtMillis }, number) => isMember(number) && [projectId, teamId(number), id, signedUpAtMillis],
  ],
  [
    'team_permissions (project_id, team_id, user_id, permission_id)',
    ({ id }, number) => isMember(number) && [projectId, teamId(number), id, 'permission_0'],
  ],
  [
    'events (project_id, kind, user_id, at_millis)',
    ({ id }, number) => isActive(number) && [projectId, 'activity', id, crowd.lastMillis + number],
  ],
];

function* rowsOf(everyone, rowOf) {
  for (const [number, person] of everyone.entries()) {
    const row = rowOf(person, number);
    if (row) yield row;
  }
}

function isMember(number) {
  return number % usersPerMember === 0;
}

function isActive(number) {
  return number % usersPerActivity === 1;
}

function teamId(number) {
  return `00000000-0000-4000-9000-${String(Math.floor(number / usersPerTeam)).padStart(12, '0')}`;
}

/** As the server writes it. */
function searchOf({ displayName, address, id }) {
  const text = [displayName, address, '']
    .filter(line => line !== null)
    .join('\n')
    .toLowerCase();
  const folded = text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll('ø', 'o');
  return folded === text ? text + id : `${folded}\n${text}${id}`;
}
