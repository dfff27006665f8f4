import { createHash, randomBytes } from 'node:crypto';
import type { Row } from '../transfer/tables.ts';
import {
  type CompanyOptions,
  dayMs,
  isProvider,
  seed,
  teamCount,
  teamCreationTime,
  teamIdOf,
  teamNameOf,
  type User,
  usersOf,
} from './company.ts';
import { createRandom } from './random.ts';

/** The rows of all tables but `projects`, by table, in the order of the import. */
export function tablesOf(options: CompanyOptions): readonly { table: string; rows: () => Iterable<Row> }[] {
  const each = (rowOf: (user: User) => Row | undefined) =>
    function* rows(): Generator<Row> {
      for (const user of usersOf(options)) {
        const row = rowOf(user);
        if (row !== undefined) yield row;
      }
    };
  return [
    { table: 'permission_definitions', rows: permissionRows },
    { table: 'users', rows: each(userRow) },
    { table: 'contact_channels', rows: each(channelRow) },
    { table: 'oauth_accounts', rows: each(providerAccountRow) },
    { table: 'passkeys', rows: each(passkeyRow) },
    { table: 'teams', rows: () => teamRows(options) },
    { table: 'team_memberships', rows: each(user => membershipRow(user, options)) },
    { table: 'team_permissions', rows: () => teamPermissionRows(options) },
    { table: 'project_permissions', rows: each(projectPermissionRow) },
    { table: 'api_keys', rows: each(user => apiKeyRow(user, options)) },
    { table: 'webhook_endpoints', rows: () => webhookRows(options) },
  ];
}

function* permissionRows(): Generator<Row> {
  const define = (id: string, scope: string, description: string, contained: string[]) => ({
    id,
    scope,
    description,
    contained_permission_ids: contained,
  });
  yield define('team_admin', 'team', 'Manage the team and its members', [
    '$update_team',
    '$delete_team',
    '$read_members',
    '$remove_members',
    '$invite_members',
    '$manage_api_keys',
    'billing_manager',
  ]);
  yield define('team_member', 'team', 'See the members of the team and invite others', [
    '$invite_members',
    '$read_members',
  ]);
  yield define('billing_manager', 'team', 'See and pay the invoices of the team', ['invoice_reader']);
  yield define('invoice_reader', 'team', 'See the invoices of the team', []);
  yield define('beta_tester', 'project', 'Use features before their release', []);
  yield define('support_agent', 'project', 'Answer the questions of customers', ['beta_tester']);
}

function userRow(user: User): Row {
  return {
    id: user.id,
    display_name: user.isAnonymous ? null : user.name,
    password_hash: user.method === 'password' ? unmatchedHash() : null,
    otp_auth_enabled: user.method === 'otp',
    has_passkey: user.method === 'passkey',
    is_anonymous: user.isAnonymous,
    signed_up_at_millis: user.signedUpAtMillis,
    search: [user.isAnonymous ? null : user.name, user.address, user.id]
      .filter(line => line !== null)
      .join('\n')
      .toLowerCase(),
    primary_email: user.address,
    primary_email_verified: user.address !== null && user.isVerified,
    primary_email_used_for_auth: user.address !== null,
    last_active_at_millis: user.lastActiveAtMillis,
    may_have_oauth_accounts: isProvider(user.method),
    client_metadata: user.number % 5 === 0 ? { theme: user.number % 10 === 0 ? 'dark' : 'light' } : null,
    server_metadata: user.number % 7 === 0 ? { plan: user.number % 21 === 0 ? 'business' : 'pro' } : null,
  };
}

/** No password has it: the bytes are random. */
function unmatchedHash(): string {
  const [salt, hash] = [16, 32].map(length => randomBytes(length).toString('base64').replaceAll('=', ''));
  return `$argon2id$v=19$m=19456,t=2,p=1$${salt}$${hash}`;
}

function channelRow(user: User): Row | undefined {
  if (user.address === null) return undefined;
  return {
    id: idOf('channel', user),
    user_id: user.id,
    type: 'email',
    value: user.address,
    is_primary: true,
    is_verified: user.isVerified,
    used_for_auth: true,
    created_at_millis: user.signedUpAtMillis,
  };
}

function providerAccountRow(user: User): Row | undefined {
  if (!isProvider(user.method)) return undefined;
  return {
    provider_id: user.method,
    // Ids at providers are numbers or UUIDs, so no real account signs in as the user.
    account_id: `northwind-${user.number}`,
    user_id: user.id,
    email: user.address,
    created_at_millis: user.signedUpAtMillis,
  };
}

/** The public key is the one of no authenticator, so the passkey cannot be used; it is there to be listed. */
function passkeyRow(user: User): Row | undefined {
  if (user.method !== 'passkey') return undefined;
  const hash = createHash('sha256').update(`passkey ${user.id}`).digest();
  return {
    credential_id: hash.toString('base64url'),
    user_id: user.id,
    public_key: `\\x${hash.toString('hex')}`,
    counter: 0,
    transports: ['internal', 'hybrid'],
    device_type: 'multiDevice',
    is_backed_up: true,
    is_user_verified: true,
    created_at_millis: user.signedUpAtMillis,
    last_used_at_millis: user.lastActiveAtMillis,
  };
}

function* teamRows(options: CompanyOptions): Generator<Row> {
  for (let team = 0; team < teamCount(options); team++) {
    yield {
      id: teamIdOf(team),
      display_name: teamNameOf(team),
      server_metadata: team % 3 === 0 ? { plan: 'business', seats: 25 } : null,
      created_at_millis: teamCreationTime(team, options),
    };
  }
}

function membershipRow(user: User, options: CompanyOptions): Row | undefined {
  const { id, team } = user;
  if (team === undefined) return undefined;
  return { team_id: teamIdOf(team), user_id: id, created_at_millis: joinTime(user, options) };
}

/** When a user joined the team; without a team, when the user signed up. */
function joinTime({ team, signedUpAtMillis }: User, options: CompanyOptions): number {
  return team === undefined ? signedUpAtMillis : Math.max(signedUpAtMillis, teamCreationTime(team, options));
}

function* teamPermissionRows(options: CompanyOptions): Generator<Row> {
  const withAdmin = new Set<number>();
  for (const { id, team, number } of usersOf(options)) {
    if (team === undefined) continue;
    const isAdmin = !withAdmin.has(team) || number % 9 === 0;
    if (isAdmin) withAdmin.add(team);
    yield { team_id: teamIdOf(team), user_id: id, permission_id: isAdmin ? 'team_admin' : 'team_member' };
  }
}

function projectPermissionRow({ id, number, isAnonymous }: User): Row | undefined {
  if (isAnonymous || number % 40 !== 0) return undefined;
  return { user_id: id, permission_id: number % 120 === 0 ? 'support_agent' : 'beta_tester' };
}

/** The hash is of random bytes, so the key cannot be used; it is there to be listed. Every database has it once. */
function apiKeyRow(user: User, options: CompanyOptions): Row | undefined {
  if (user.isAnonymous || user.number % 25 !== 0) return undefined;
  const { nowMillis } = options;
  const random = createRandom(seed + 3, user.number);
  const beginsAt = joinTime(user, options);
  const createdAtMillis = beginsAt + Math.floor((nowMillis - beginsAt) * random.next());
  const isTeamKey = user.team !== undefined && random.chance(0.3);
  const expiresAtMillis = random.chance(0.5) ? createdAtMillis + 365 * dayMs : null;
  const revokedAtMillis = random.chance(0.15) ? Math.min(nowMillis, createdAtMillis + 40 * dayMs) : null;
  const usableUntil = Math.min(nowMillis, expiresAtMillis ?? nowMillis, revokedAtMillis ?? nowMillis);
  return {
    id: random.uuid(),
    user_id: isTeamKey ? null : user.id,
    team_id: isTeamKey ? teamIdOf(user.team ?? 0) : null,
    description: random.pick(['CI pipeline', 'Nightly export', 'Zapier', 'My scripts', 'Grafana']),
    secret_hash: `\\x${randomBytes(32).toString('hex')}`,
    last_four: random
      .below(2 ** 20)
      .toString(36)
      .padStart(4, 'x')
      .slice(-4),
    is_public: false,
    created_at_millis: createdAtMillis,
    expires_at_millis: expiresAtMillis,
    manually_revoked_at_millis: revokedAtMillis,
    last_used_at_millis: random.chance(0.7) ? Math.max(createdAtMillis, usableUntil - random.below(10 * dayMs)) : null,
  };
}

function* webhookRows({ nowMillis }: CompanyOptions): Generator<Row> {
  const endpoint = (number: number, url: string, description: string, types: string[] | null) => ({
    id: createRandom(seed + 4, number).uuid(),
    url,
    description,
    filter_types: types,
    // Off: the receivers do not exist, and a delivery to them would fail for days.
    is_disabled: true,
    metadata: {},
    version: 1,
    created_at_millis: nowMillis - 200 * dayMs,
    updated_at_millis: nowMillis - 30 * dayMs,
  });
  yield endpoint(0, 'https://crm.northwind.example/hooks/users', 'CRM', ['user.created', 'user.deleted']);
  yield endpoint(1, 'https://data.northwind.example/ingest', 'Data warehouse', null);
}

function idOf(purpose: string, { id }: User): string {
  const hash = createHash('sha256').update(`${purpose} ${id}`).digest();
  return createRandom(hash.readInt32LE(0), hash.readInt32LE(4)).uuid();
}
