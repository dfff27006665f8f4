import { randomUUID } from 'node:crypto';
import type { ErrorCode, Route } from '@tessera/protocol';
import { createAuthenticator } from '@tessera/testing/authenticator';
import type { CallOptions, ProjectAccess } from '@tessera/testing/call';
import { Secret, TOTP } from 'otpauth';
import * as z from 'zod';
import type { Owner } from '../../features/api-keys/rules.ts';
import { makeSecret } from '../../features/api-keys/secret.ts';
import { insertKey } from '../../features/api-keys/store.ts';
import { encryptOutcome, expiredOutcome } from '../../features/oauth/provider-tests/outcome.ts';
import { insertProviderTest } from '../../features/oauth/provider-tests/store.ts';
import { createCode } from '../../features/verification-codes/index.ts';
import type { CodeData, CodeKind } from '../../features/verification-codes/kinds.ts';
import { randomSecret } from '../../platform/crypto/random.ts';
import { sha256 } from '../../platform/crypto/secrets.ts';
import { transaction } from '../../platform/database/database.ts';
import type { TestServer } from '../harness.ts';
import type { SignedUp } from '../make.ts';

/** The outcome of a request: success, a known error, or an error of this status. */
export type Outcome = 'answers' | ErrorCode | number;

/** The data that a request can use. */
export interface World {
  /** For rows whose request needs additional data. */
  readonly server: TestServer;
  readonly project: ProjectAccess;
  /** The user that the request is about. */
  readonly ada: SignedUp;
}

type Requested = Pick<CallOptions, 'params' | 'query' | 'body' | 'refreshToken'>;

/**
 * The outcomes at one endpoint for a request that is valid in every other respect. Callers with a level that is too low
 * are refused by rule; the row has the outcomes of the others.
 */
export interface Row {
  readonly request?: (world: World) => Requested | Promise<Requested>;
  /** Without any header; only when the endpoint needs no access type. */
  readonly noCredentials?: Outcome;
  /** With a publishable key. */
  readonly client?: Outcome;
  /** With a publishable key, signed in as the user that the request is about. */
  readonly user?: Outcome;
  /** With a publishable key, signed in as another user. */
  readonly otherUser?: Outcome;
  /** With a server key, an admin key, or an owner's admin token. */
  readonly server?: Outcome;
  /** With an admin key or an owner's admin token, when that differs from `server`. */
  readonly admin?: Outcome;
  /** With an owner's admin token, when that differs from an admin key. */
  readonly owner?: Outcome;
  /** With the admin token of a viewer, when that differs from an owner. Endpoints for higher roles are refused by rule. */
  readonly viewer?: Outcome;
}

/** Project settings under which every row can be tested. */
export const rowsConfig = {
  clientUserDeletionEnabled: true,
  clientTeamCreationEnabled: true,
  allowUserApiKeys: true,
  allowTeamApiKeys: true,
  magicLinkEnabled: true,
  passkeyEnabled: true,
  anonymousUsersEnabled: true,
  oauthProviders: [{ id: 'github', type: 'shared' as const }],
};

/** Every caller with a key of the project, signed in or not. */
const forKeys = { client: 'answers', user: 'answers', otherUser: 'answers', server: 'answers' } as const;

const forAllCallers = { ...forKeys, noCredentials: 'answers' } as const;

const allAlike = (outcome: Outcome) => ({
  noCredentials: outcome,
  client: outcome,
  user: outcome,
  otherUser: outcome,
  server: outcome,
});

const authorizeQuery = ({ id, publishableClientKey }: ProjectAccess) => ({
  client_id: id,
  client_secret: publishableClientKey,
  redirect_uri: callback,
  scope: 'legacy',
  state: 'state',
  grant_type: 'authorization_code',
  code_challenge: 'challenge',
  code_challenge_method: 'S256',
  response_type: 'code',
});

/** Servers and admins; the rule refuses clients. */
const forServers = { server: 'answers' } as const;

/** Any signed-in user, about their own account. */
const aboutOwnAccount = {
  client: 'CANNOT_GET_OWN_USER_WITHOUT_USER',
  user: 'answers',
  otherUser: 'answers',
  server: 'CANNOT_GET_OWN_USER_WITHOUT_USER',
} as const;

const userId = ({ ada }: World) => ({ params: { user_id: ada.userId } });
const callback = 'http://localhost:3000/verify';

/** Members of the team that ada created; for others the team does not exist. */
const forMembers = { user: 'answers', otherUser: 'TEAM_MEMBERSHIP_NOT_FOUND', server: 'answers' } as const;
const membersSignedIn = { ...forMembers, client: 'USER_AUTHENTICATION_REQUIRED' } as const;
const membersOwn = { ...forMembers, client: 'CANNOT_GET_OWN_USER_WITHOUT_USER' } as const;

const made = z.object({ id: z.string() });

/** A team created by ada. */
async function team({ server, project, ada }: World): Promise<{ team_id: string }> {
  const body = { display_name: 'Engines', creator_user_id: ada.userId };
  const { json } = await server.call('POST /teams', { project, level: 'server', body });
  return { team_id: made.parse(json).id };
}

async function member(world: World): Promise<{ team_id: string; user_id: string }> {
  return { ...(await team(world)), user_id: world.ada.userId };
}

async function signUpOtherUser({ server, project }: World): Promise<{ user_id: string }> {
  const { json } = await server.call('POST /users', { project, level: 'server', body: {} });
  return { user_id: made.parse(json).id };
}

async function invitation(world: World): Promise<{ id: string; code: string; team_id: string }> {
  const { deps } = world.server;
  const { team_id } = await team(world);
  const request = { projectId: world.project.id, kind: 'team_invitation', userId: null, address: null } as const;
  const { id, code } = await transaction(deps.db, tx =>
    createCode(tx, { ...request, data: { teamId: team_id } }, deps),
  );
  return { id, code, team_id };
}

const invitationCode = async (world: World) => ({ body: { code: (await invitation(world)).code } });

/** A permission definition in the project scope. */
async function createProjectPermission({ server, project }: World): Promise<string> {
  const body = { id: 'reader' };
  await server.call('POST /project-permission-definitions', { project, level: 'admin', body });
  return body.id;
}

/** A permission of ada in the project. */
async function createProjectGrant(world: World): Promise<{ user_id: string; permission_id: string }> {
  const { server, project, ada } = world;
  const params = { user_id: ada.userId, permission_id: await createProjectPermission(world) };
  const route = 'POST /project-permissions/{user_id}/{permission_id}';
  await server.call(route, { project, level: 'server', params, body: {} });
  return params;
}

const newKey = { description: 'A key', expires_at_millis: null };
/** Inserts a key into the database: it also exists where the project does not allow keys. */
async function key({ server, project }: World, owner: Owner): Promise<{ id: string; value: string }> {
  const { db, clock } = server.deps;
  const id = randomUUID();
  const value = makeSecret({ secret: randomSecret(), id, kind: owner.kind, isPublic: false });
  await insertKey(db, project.id, {
    id,
    owner,
    description: 'A key',
    secretHash: sha256(value),
    lastFour: value.slice(-4),
    isPublic: false,
    createdAtMillis: clock.now(),
    expiresAtMillis: null,
    scopes: null,
  });
  return { id, value };
}

/** An API key of ada. */
function createUserKey(world: World): Promise<{ id: string; value: string }> {
  return key(world, { kind: 'user', id: world.ada.userId });
}

/** An API key of a team that ada created. */
async function createTeamKey(world: World): Promise<{ id: string; value: string; team_id: string }> {
  const { team_id } = await team(world);
  return { ...(await key(world, { kind: 'team', id: team_id })), team_id };
}

const emailText = { subject: 'News', content: { root: { type: 'EmailLayout', data: { childrenIds: [] } } } };
const noId = '11111111-1111-4111-8111-111111111111';

/** The owners of the project. */
const forAdmins = { admin: 'answers' } as const;

/** Users of `internal` own projects, and rows are tested on another project. */
const forOwnersToBe = {
  client: 'USER_AUTHENTICATION_REQUIRED',
  user: 'EXPECTED_INTERNAL_PROJECT',
  otherUser: 'EXPECTED_INTERNAL_PROJECT',
  server: 'USER_AUTHENTICATION_REQUIRED',
} as const;

const onlyInternal = {
  client: 'EXPECTED_INTERNAL_PROJECT',
  user: 'EXPECTED_INTERNAL_PROJECT',
  otherUser: 'EXPECTED_INTERNAL_PROJECT',
  server: 'EXPECTED_INTERNAL_PROJECT',
} as const;

const newKeySet = {
  description: 'A set',
  expires_at_millis: 4_000_000_000_000,
  has_publishable_client_key: true,
  has_secret_server_key: false,
  has_super_secret_admin_key: false,
};

async function createKeySet({ server, project }: World): Promise<{ id: string }> {
  return made.parse((await server.call('POST /internal/api-keys', { project, level: 'admin', body: newKeySet })).json);
}
const ownKeys = { client: 'USER_AUTHENTICATION_REQUIRED', user: 'answers', otherUser: 403, server: 'answers' } as const;
/** Team keys do not exist for users who may not manage them. */
const managedKeys = { ...ownKeys, otherUser: 'API_KEY_NOT_FOUND' } as const;

/** A code that was sent to ada or returned for her. */
async function createCodeFor<K extends CodeKind>(world: World, kind: K, data: CodeData<K>): Promise<{ code: string }> {
  const { deps } = world.server;
  const { userId, email: address } = world.ada;
  const request = { projectId: world.project.id, kind, userId, address, data };
  const { code } = await transaction(deps.db, tx => createCode(tx, request, deps));
  return { code };
}

/** A code that creates an account. */
async function createSignInCode({ server, project, ada }: World): Promise<{ code: string }> {
  const request = { projectId: project.id, kind: 'sign_in', userId: null, data: {} } as const;
  return transaction(server.deps.db, tx => createCode(tx, { ...request, address: `new-${ada.email}` }, server.deps));
}

const totpSecret = '12345678901234567890';

/** A sign-in attempt of ada, who has a second factor, with its current TOTP code. */
async function attempt(world: World): Promise<{ code: string; type: string; totp: string }> {
  const { server, project, ada } = world;
  const body = { totp_secret_base64: Buffer.from(totpSecret).toString('base64') };
  await server.call('PATCH /users/me', { project, accessToken: ada.accessToken, body });
  const totp = new TOTP({ secret: Secret.fromUTF8(totpSecret) }).generate({ timestamp: server.clock.now() });
  return { ...(await createCodeFor(world, 'mfa_attempt', { isNewUser: false })), type: 'totp', totp };
}

/** The primary address of ada becomes a verified one; other users keep theirs unverified. */
async function verifyAddress({ server, project, ada }: World): Promise<Requested> {
  const options = { project, level: 'server', params: { user_id: ada.userId } } as const;
  await server.call('PATCH /users/{user_id}', { ...options, body: { primary_email_verified: true } });
  return {};
}

/** A sign-in attempt of ada, who has a second factor, with one of her recovery codes. */
async function recoveryAttempt(world: World): Promise<{ code: string; recovery_code: string }> {
  const { code } = await attempt(world);
  const { project, ada } = world;
  const made = await world.server.call('POST /extensions/recovery-codes', { project, accessToken: ada.accessToken });
  const [recovery_code = ''] = z.object({ codes: z.array(z.string()) }).parse(made.json).codes;
  return { code, recovery_code };
}

const begun = z.object({
  code: z.string(),
  options_json: z.object({ challenge: z.string(), user: z.object({ id: z.string() }).optional() }),
});

/** A started passkey registration of ada. */
async function startPasskeyRegistration({ server, project, ada }: World) {
  const route = 'POST /auth/passkey/initiate-passkey-registration';
  const { json } = await server.call(route, { project, accessToken: ada.accessToken });
  const { code, options_json: options } = begun.parse(json);
  const authenticator = createAuthenticator();
  const { challenge, user = { id: '' } } = options;
  return { authenticator, body: { code, credential: authenticator.register({ challenge, user }) } };
}

/** A passkey of ada. */
async function registeredPasskey(world: World): Promise<{ params: { passkey_id: string } }> {
  const { server, project, ada } = world;
  const { authenticator, body } = await startPasskeyRegistration(world);
  await server.call('POST /auth/passkey/register', { project, accessToken: ada.accessToken, body });
  return { params: { passkey_id: authenticator.credentialId } };
}

/** An authentication with a passkey of ada. */
async function createPasskeySignIn(world: World): Promise<Requested> {
  const { server, project, ada } = world;
  const { authenticator, body } = await startPasskeyRegistration(world);
  await server.call('POST /auth/passkey/register', { project, accessToken: ada.accessToken, body });
  const { json } = await server.call('POST /auth/passkey/initiate-passkey-authentication', { project });
  const { code, options_json: options } = begun.parse(json);
  return { body: { code, authentication_response: authenticator.signIn(options) } };
}

const login = z.object({ polling_code: z.string(), login_code: z.string() });

async function insertTestResult({ server, project }: World): Promise<string> {
  const id = randomUUID();
  const outcome = encryptOutcome(expiredOutcome, server.deps.secrets);
  const createdAtMillis = server.clock.now();
  await insertProviderTest(server.deps.db, project.id, {
    id,
    providerId: 'github',
    testerId: null,
    outcome,
    createdAtMillis,
  });
  return id;
}

async function startCliLogin({ server, project }: World): Promise<z.infer<typeof login>> {
  const { json } = await server.call('POST /auth/cli', { project });
  return login.parse(json);
}

const listedIds = z.object({ items: z.array(made) });

/** A second session of ada. */
async function createSecondSession({ server, project, ada }: World): Promise<{ id: string }> {
  const { email, password } = ada;
  server.clock.advance(1);
  await server.call('POST /auth/password/sign-in', { project, body: { email, password } });
  const query = { user_id: ada.userId };
  const { json } = await server.call('GET /auth/sessions', { project, level: 'server', query });
  return { id: listedIds.parse(json).items[0]?.id ?? '' };
}

/** The channel of ada's primary address. */
async function channel({ server, project, ada }: World): Promise<{ user_id: string; contact_channel_id: string }> {
  const query = { user_id: ada.userId };
  const { json } = await server.call('GET /contact-channels', { project, level: 'server', query });
  return { user_id: ada.userId, contact_channel_id: listedIds.parse(json).items[0]?.id ?? '' };
}

const marketing = '4f6f8873-3d04-46bd-8bef-18338b1a1b4c';

/** Users for themselves, and servers for any user. */
const ownOnly = { ...aboutOwnAccount, otherUser: 403, server: 'answers' } as const;
const ownPreferences = { ...ownOnly, client: 'USER_AUTHENTICATION_REQUIRED' } as const;
/** Any signed-in user, at every level. */
const signedInOnly = {
  client: 'SCHEMA_ERROR',
  user: 'answers',
  otherUser: 'answers',
  server: 'SCHEMA_ERROR',
} as const;

/** Endpoints that act for the signed-in user at every level. */
const onlyMembers = {
  client: 'USER_AUTHENTICATION_REQUIRED',
  user: 'answers',
  otherUser: 'TEAM_MEMBERSHIP_NOT_FOUND',
  server: 'USER_AUTHENTICATION_REQUIRED',
} as const;

/** The authorization matrix (control 91): a row for each endpoint of the table. */
export const authorizationRows: Partial<Record<Route, Row>> = {
  'GET /': forAllCallers,
  'POST /check-version': { ...forAllCallers, request: () => ({ body: { clientVersion: '2.8.21' } }) },
  'POST /check-feature-support': { ...forAllCallers, request: () => ({ body: { feature_name: 'any' } }) },
  'GET /projects/{project_id}/.well-known/jwks.json': {
    ...forAllCallers,
    request: ({ project }) => ({ params: { project_id: project.id } }),
  },
  'GET /openapi.json': forAllCallers,
  'GET /images/{project_id}/{file}': {
    ...allAlike(404),
    request: ({ project }) => ({ params: { project_id: project.id, file: `${'0'.repeat(64)}.webp` } }),
  },

  'GET /projects/current': forKeys,

  'GET /users/me': aboutOwnAccount,
  'PATCH /users/me': { ...aboutOwnAccount, request: () => ({ body: { display_name: 'Changed' } }) },
  'DELETE /users/me': aboutOwnAccount,
  'GET /users': forServers,
  'POST /users': { ...forServers, request: () => ({ body: {} }) },
  'GET /users/{user_id}': { ...forServers, request: userId },
  'PATCH /users/{user_id}': {
    ...forServers,
    request: world => ({ ...userId(world), body: { display_name: 'Changed' } }),
  },
  'DELETE /users/{user_id}': { ...forServers, request: userId },

  'GET /teams': {
    ...aboutOwnAccount,
    otherUser: 403,
    server: 'answers',
    request: ({ ada }) => ({ query: { user_id: ada.userId } }),
  },
  'POST /teams': {
    client: 'USER_AUTHENTICATION_REQUIRED',
    user: 'answers',
    otherUser: 403,
    server: 'answers',
    request: ({ ada }) => ({ body: { display_name: 'Engines', creator_user_id: ada.userId } }),
  },
  'GET /teams/{team_id}': { ...membersSignedIn, request: async world => ({ params: await team(world) }) },
  'PATCH /teams/{team_id}': { ...membersSignedIn, request: async world => ({ params: await team(world), body: {} }) },
  'DELETE /teams/{team_id}': { ...membersSignedIn, request: async world => ({ params: await team(world) }) },
  'POST /team-memberships/{team_id}/{user_id}': {
    ...forServers,
    request: async world => ({ params: { ...(await team(world)), ...(await signUpOtherUser(world)) }, body: {} }),
  },
  'DELETE /team-memberships/{team_id}/{user_id}': {
    ...membersOwn,
    request: async world => ({ params: await member(world) }),
  },
  'GET /team-member-profiles': { ...membersOwn, request: async world => ({ query: await team(world) }) },
  'GET /team-member-profiles/{team_id}/{user_id}': {
    ...membersOwn,
    request: async world => ({ params: await member(world) }),
  },
  'PATCH /team-member-profiles/{team_id}/{user_id}': {
    ...membersOwn,
    otherUser: 403,
    request: async world => ({ params: await member(world), body: { display_name: 'Changed' } }),
  },
  'GET /extensions/teams/{team_id}/members': {
    ...onlyMembers,
    request: async world => ({ params: await team(world) }),
  },
  'PATCH /extensions/teams/{team_id}/members/{user_id}': {
    ...onlyMembers,
    request: async world => ({ params: await member(world), body: { role_id: 'team_admin' } }),
  },
  'DELETE /extensions/teams/{team_id}/members/{user_id}': {
    ...onlyMembers,
    request: async world => ({ params: await member(world) }),
  },
  'GET /extensions/teams/{team_id}/invitations': {
    ...onlyMembers,
    request: async world => ({ params: await team(world) }),
  },
  'POST /extensions/teams/{team_id}/invitations': {
    ...onlyMembers,
    request: async world => ({
      params: await team(world),
      body: { email: 'guest@example.com', callback_url: callback },
    }),
  },
  'POST /extensions/team-invitations/read': { ...forKeys, request: invitationCode },
  'POST /team-invitations/send-code': {
    ...membersSignedIn,
    request: async world => ({
      body: { ...(await team(world)), email: 'guest@example.com', callback_url: callback },
    }),
  },
  'GET /team-invitations': { ...membersOwn, request: async world => ({ query: await team(world) }) },
  'DELETE /team-invitations/{id}': {
    ...membersOwn,
    request: async world => {
      const { id, team_id } = await invitation(world);
      return { params: { id }, query: { team_id } };
    },
  },
  // The code is sufficient for the check, but joining needs a signed-in user.
  'POST /team-invitations/accept': {
    client: 'USER_AUTHENTICATION_REQUIRED',
    user: 'answers',
    otherUser: 'answers',
    server: 'USER_AUTHENTICATION_REQUIRED',
    request: invitationCode,
  },
  'POST /team-invitations/accept/check-code': { ...forKeys, request: invitationCode },
  'POST /team-invitations/accept/details': {
    client: 'USER_AUTHENTICATION_REQUIRED',
    user: 'answers',
    otherUser: 'answers',
    server: 'USER_AUTHENTICATION_REQUIRED',
    request: invitationCode,
  },

  'GET /internal/projects': forOwnersToBe,
  'POST /internal/projects': { ...forOwnersToBe, request: () => ({ body: { display_name: 'Another' } }) },
  'GET /internal/projects/current': forAdmins,
  'PATCH /internal/projects/current': { ...forAdmins, request: () => ({ body: { display_name: 'Renamed' } }) },
  'DELETE /internal/projects/current': forAdmins,
  'GET /internal/extensions/project-roles': forOwnersToBe,
  'GET /internal/extensions/project-members': forAdmins,
  'PATCH /internal/extensions/project-members/{user_id}': {
    admin: 403,
    owner: 404,
    request: () => ({ params: { user_id: randomUUID() }, body: { role: 'viewer' } }),
  },
  'DELETE /internal/extensions/project-members/{user_id}': {
    admin: 403,
    owner: 404,
    viewer: 'PROJECT_ROLE_INSUFFICIENT',
    request: () => ({ params: { user_id: randomUUID() } }),
  },
  'POST /internal/extensions/project-transfer': {
    admin: 403,
    owner: 404,
    request: () => ({ body: { user_id: randomUUID(), display_name: 'A project' } }),
  },
  'POST /internal/extensions/project-invitations': {
    admin: 403,
    owner: 'answers',
    request: ({ ada }) => ({ body: { email: `new-${ada.email}`, role: 'viewer' } }),
  },
  'GET /internal/extensions/project-invitations': forAdmins,
  'DELETE /internal/extensions/project-invitations/{id}': {
    admin: 403,
    owner: 'VERIFICATION_CODE_NOT_FOUND',
    request: () => ({ params: { id: randomUUID() } }),
  },
  'POST /extensions/project-invitations/details': {
    ...onlyInternal,
    request: () => ({ body: { code: randomSecret() } }),
  },
  'POST /extensions/project-invitations/accept': {
    ...onlyInternal,
    client: 'SCHEMA_ERROR',
    server: 'SCHEMA_ERROR',
    request: () => ({ body: { code: randomSecret() } }),
  },
  'POST /extensions/project-invitations/sign-up': {
    ...onlyInternal,
    request: () => ({ body: { code: randomSecret(), password: 'quiet lantern orbit' } }),
  },
  'GET /internal/extensions/key-set-uses': forAdmins,
  'GET /internal/extensions/teams': forAdmins,
  'POST /internal/extensions/teams/{team_id}/invitations/{id}/send-again': {
    ...forAdmins,
    request: async world => {
      const { id, team_id } = await invitation(world);
      return { params: { id, team_id }, body: { callback_url: callback } };
    },
  },
  'GET /internal/api-keys': forAdmins,
  'POST /internal/api-keys': { ...forAdmins, request: () => ({ body: newKeySet }) },
  'GET /internal/api-keys/{id}': { ...forAdmins, request: async world => ({ params: await createKeySet(world) }) },
  'PATCH /internal/api-keys/{id}': {
    ...forAdmins,
    request: async world => ({ params: await createKeySet(world), body: { revoked: true } }),
  },
  'POST /webhooks/svix-token': { ...forAdmins, request: () => ({ body: {} }) },
  'GET /internal/extensions/webhooks': forAdmins,
  'GET /internal/extensions/password-policy': forAdmins,
  'PATCH /internal/extensions/password-policy': {
    ...forAdmins,
    request: () => ({ body: { refuses_weak_passwords: true } }),
  },
  'GET /internal/extensions/session-policy': forAdmins,
  'PATCH /internal/extensions/session-policy': { ...forAdmins, request: () => ({ body: {} }) },
  'GET /internal/extensions/invitations': forAdmins,
  'PATCH /internal/extensions/invitations': { ...forAdmins, request: () => ({ body: { bound_to_address: true } }) },
  'GET /internal/extensions/team-roles': forAdmins,
  'PATCH /internal/extensions/team-roles': { ...forAdmins, request: () => ({ body: { permission_ids: null } }) },
  'GET /internal/extensions/branding': forAdmins,
  'PATCH /internal/extensions/branding': { ...forAdmins, request: () => ({ body: {} }) },
  'GET /internal/extensions/sign-in-notices': forAdmins,
  'PATCH /internal/extensions/sign-in-notices': { ...forAdmins, request: () => ({ body: { enabled: true } }) },
  'GET /internal/extensions/sign-up-restrictions': forAdmins,
  'PATCH /internal/extensions/sign-up-restrictions': { ...forAdmins, request: () => ({ body: {} }) },
  'GET /internal/extensions/limits': forAdmins,
  'PATCH /internal/extensions/limits': { ...forAdmins, request: () => ({ body: {} }) },
  'GET /internal/extensions/audit-log-settings': forAdmins,
  'PATCH /internal/extensions/audit-log-settings': {
    ...forAdmins,
    request: () => ({ body: { retention_days: 30 } }),
  },
  // Only on the project `internal`, and only with the link of the log.
  'POST /extensions/first-owner': {
    client: 403,
    user: 403,
    otherUser: 403,
    server: 403,
    request: ({ ada }) => ({ body: { code: 'x', email: `new-${ada.email}`, password: 'correct horse' } }),
  },

  'GET /team-permission-definitions': forAdmins,
  'POST /team-permission-definitions': { ...forAdmins, request: () => ({ body: { id: 'new' } }) },
  'PATCH /team-permission-definitions/{id}': {
    ...forAdmins,
    request: () => ({ params: { id: 'team_member' }, body: { description: 'Changed' } }),
  },
  'DELETE /team-permission-definitions/{id}': { ...forAdmins, request: () => ({ params: { id: 'team_member' } }) },
  'GET /project-permission-definitions': forAdmins,
  'POST /project-permission-definitions': { ...forAdmins, request: () => ({ body: { id: 'new' } }) },
  'PATCH /project-permission-definitions/{id}': {
    ...forAdmins,
    request: async world => ({
      params: { id: await createProjectPermission(world) },
      body: { description: 'Changed' },
    }),
  },
  'DELETE /project-permission-definitions/{id}': {
    ...forAdmins,
    request: async world => ({ params: { id: await createProjectPermission(world) } }),
  },
  'GET /team-permissions': {
    ...aboutOwnAccount,
    otherUser: 403,
    server: 'answers',
    request: ({ ada }) => ({ query: { user_id: ada.userId } }),
  },
  'POST /team-permissions/{team_id}/{user_id}/{permission_id}': {
    ...forServers,
    request: async world => ({ params: { ...(await member(world)), permission_id: '$update_team' }, body: {} }),
  },
  'DELETE /team-permissions/{team_id}/{user_id}/{permission_id}': {
    ...forServers,
    request: async world => ({ params: { ...(await member(world)), permission_id: 'team_admin' } }),
  },
  'GET /project-permissions': {
    ...aboutOwnAccount,
    otherUser: 403,
    server: 'answers',
    request: ({ ada }) => ({ query: { user_id: ada.userId } }),
  },
  'POST /project-permissions/{user_id}/{permission_id}': {
    ...forServers,
    request: async world => ({
      params: { user_id: world.ada.userId, permission_id: await createProjectPermission(world) },
      body: {},
    }),
  },
  'DELETE /project-permissions/{user_id}/{permission_id}': {
    ...forServers,
    request: async world => ({ params: await createProjectGrant(world) }),
  },

  'POST /user-api-keys': { ...ownKeys, request: ({ ada }) => ({ body: { ...newKey, user_id: ada.userId } }) },
  'GET /user-api-keys': { ...ownKeys, request: ({ ada }) => ({ query: { user_id: ada.userId } }) },
  'GET /user-api-keys/{id}': {
    ...ownKeys,
    request: async world => ({ params: { id: (await createUserKey(world)).id } }),
  },
  'PATCH /user-api-keys/{id}': {
    ...ownKeys,
    request: async world => ({ params: { id: (await createUserKey(world)).id }, body: { revoked: true } }),
  },
  'POST /user-api-keys/check': {
    ...forServers,
    request: async world => ({ body: { api_key: (await createUserKey(world)).value } }),
  },
  'POST /team-api-keys': { ...managedKeys, request: async world => ({ body: { ...newKey, ...(await team(world)) } }) },
  'GET /team-api-keys': { ...managedKeys, request: async world => ({ query: await team(world) }) },
  'GET /team-api-keys/{id}': {
    ...managedKeys,
    request: async world => {
      const { id, team_id } = await createTeamKey(world);
      return { params: { id }, query: { team_id } };
    },
  },
  'PATCH /team-api-keys/{id}': {
    ...managedKeys,
    request: async world => {
      const { id, team_id } = await createTeamKey(world);
      return { params: { id }, query: { team_id }, body: { revoked: true } };
    },
  },
  'POST /team-api-keys/check': {
    ...forServers,
    request: async world => ({ body: { api_key: (await createTeamKey(world)).value } }),
  },
  // Any caller with a leaked key may report it.
  'POST /integrations/credential-scanning/revoke': {
    ...forAllCallers,
    request: async world => ({ body: { api_key: (await createUserKey(world)).value } }),
  },
  'GET /internal/extensions/api-key-usage/{id}': {
    ...forAdmins,
    request: async world => ({ params: { id: (await createUserKey(world)).id } }),
  },

  'POST /auth/password/sign-up': {
    ...forKeys,
    request: ({ ada }) => ({
      body: { email: `new-${ada.email}`, password: 'correct horse', verification_callback_url: callback },
    }),
  },
  // The password is the credential.
  'POST /auth/password/sign-in': {
    ...forKeys,
    request: ({ ada }) => ({ body: { email: ada.email, password: ada.password } }),
  },
  // Both users already have a password.
  'POST /auth/password/set': {
    ...signedInOnly,
    user: 400,
    otherUser: 400,
    request: () => ({ body: { password: 'another password' } }),
  },
  'POST /auth/password/update': {
    ...signedInOnly,
    request: ({ ada }) => ({ body: { old_password: ada.password, new_password: 'another password' } }),
  },
  'POST /auth/password/send-reset-code': {
    ...forKeys,
    request: ({ ada }) => ({ body: { email: ada.email, callback_url: callback } }),
  },
  // The code is the credential.
  'POST /auth/password/reset': {
    ...forKeys,
    request: async world => ({
      body: { ...(await createCodeFor(world, 'password_reset', {})), password: 'another password' },
    }),
  },
  'POST /auth/password/reset/check-code': {
    ...forKeys,
    request: async world => ({ body: await createCodeFor(world, 'password_reset', {}) }),
  },
  'POST /auth/otp/send-sign-in-code': {
    ...forKeys,
    request: ({ ada }) => ({ body: { email: `new-${ada.email}`, callback_url: callback } }),
  },
  'POST /auth/otp/sign-in': {
    ...forKeys,
    request: async world => ({ body: { code: (await createSignInCode(world)).code } }),
  },
  'POST /auth/otp/sign-in/check-code': {
    ...forKeys,
    request: async world => ({ body: { code: (await createSignInCode(world)).code } }),
  },
  'POST /auth/passkey/initiate-passkey-registration': signedInOnly,
  // The caller that began the login.
  'POST /auth/passkey/register': {
    ...signedInOnly,
    otherUser: 'PASSKEY_REGISTRATION_FAILED',
    request: async world => ({ body: (await startPasskeyRegistration(world)).body }),
  },
  'POST /auth/passkey/initiate-passkey-authentication': forKeys,
  // The passkey is the credential.
  'POST /auth/passkey/sign-in': { ...forKeys, request: createPasskeySignIn },
  'POST /auth/mfa/sign-in': { ...forKeys, request: async world => ({ body: await attempt(world) }) },
  'GET /extensions/security-activity': signedInOnly,
  'POST /extensions/data-export': signedInOnly,
  'GET /extensions/account-deletion': signedInOnly,
  'POST /extensions/account-deletion': signedInOnly,
  'DELETE /extensions/account-deletion': signedInOnly,
  'GET /internal/extensions/users/{user_id}/deletion': { ...forAdmins, request: userId },
  'DELETE /internal/extensions/users/{user_id}/deletion': { ...forAdmins, request: userId },
  'GET /extensions/users/{user_id}/suspension': { ...forServers, request: userId },
  'PUT /extensions/users/{user_id}/suspension': { ...forServers, request: world => ({ ...userId(world), body: {} }) },
  'DELETE /extensions/users/{user_id}/suspension': { ...forServers, request: userId },
  'GET /internal/extensions/users/{user_id}/sign-in-blocks': { ...forAdmins, request: userId },
  'DELETE /internal/extensions/users/{user_id}/sign-in-blocks': { ...forAdmins, request: userId },
  'GET /internal/extensions/account-deletion': forAdmins,
  'PATCH /internal/extensions/account-deletion': { ...forAdmins, request: () => ({ body: { cooling_off_days: 14 } }) },
  'GET /extensions/reauthentication': signedInOnly,
  'POST /extensions/reauthentication/send-code': {
    ...signedInOnly,
    request: verifyAddress,
    otherUser: 'EMAIL_NOT_VERIFIED',
  },
  'POST /extensions/reauthentication': {
    ...signedInOnly,
    request: ({ ada }) => ({ body: { password: ada.password } }),
  },
  'GET /extensions/recovery-codes': signedInOnly,
  // A user without two-step verification has none, at every level.
  'POST /extensions/recovery-codes': {
    ...signedInOnly,
    user: 'SECOND_FACTOR_NOT_ENABLED',
    otherUser: 'SECOND_FACTOR_NOT_ENABLED',
  },
  'POST /extensions/recovery-codes/sign-in': {
    ...forKeys,
    request: async world => ({ body: await recoveryAttempt(world) }),
  },
  'GET /extensions/email-code': signedInOnly,
  'GET /extensions/passkeys': signedInOnly,
  // The id of the passkey is random.
  'POST /extensions/passkeys/check': { ...forKeys, request: () => ({ body: { passkey_id: 'a-passkey' } }) },
  'PATCH /extensions/passkeys/{passkey_id}': {
    ...signedInOnly,
    otherUser: 404,
    request: async world => ({ ...(await registeredPasskey(world)), body: { name: 'Phone' } }),
  },
  'DELETE /extensions/passkeys/{passkey_id}': { ...signedInOnly, otherUser: 404, request: registeredPasskey },
  'GET /extensions/connected-accounts': signedInOnly,
  // No user of this world has a provider account.
  'DELETE /extensions/connected-accounts/{provider_id}': {
    ...signedInOnly,
    user: 'OAUTH_CONNECTION_NOT_CONNECTED_TO_USER',
    otherUser: 'OAUTH_CONNECTION_NOT_CONNECTED_TO_USER',
    request: () => ({ params: { provider_id: 'github' } }),
  },
  'GET /internal/extensions/passkey-policy': forAdmins,
  'PATCH /internal/extensions/passkey-policy': {
    ...forAdmins,
    request: () => ({ body: { counts_as_both_factors: true } }),
  },
  'GET /internal/extensions/email-verification': forAdmins,
  'PATCH /internal/extensions/email-verification': {
    ...forAdmins,
    request: () => ({ body: { asks_for_code: true } }),
  },
  'POST /auth/anonymous/sign-up': forKeys,
  'GET /internal/extensions/anonymous-users': forAdmins,
  'PATCH /internal/extensions/anonymous-users': { ...forAdmins, request: () => ({ body: { enabled: true } }) },
  'POST /auth/cli': forKeys,
  'POST /auth/cli/poll': {
    ...forKeys,
    request: async world => ({ body: { polling_code: (await startCliLogin(world)).polling_code } }),
  },
  'POST /auth/cli/complete': {
    ...forKeys,
    request: async world => ({
      body: { login_code: (await startCliLogin(world)).login_code, refresh_token: world.ada.refreshToken },
    }),
  },
  'POST /extensions/cli-logins/decline': {
    ...forKeys,
    request: async world => ({ body: { login_code: (await startCliLogin(world)).login_code } }),
  },

  'GET /contact-channels': { ...ownOnly, request: ({ ada }) => ({ query: { user_id: ada.userId } }) },
  'POST /contact-channels': {
    ...ownOnly,
    request: ({ ada }) => ({
      body: { user_id: ada.userId, value: `new-${ada.email}`, type: 'email', used_for_auth: false },
    }),
  },
  'GET /contact-channels/{user_id}/{contact_channel_id}': {
    ...ownOnly,
    request: async world => ({ params: await channel(world) }),
  },
  'PATCH /contact-channels/{user_id}/{contact_channel_id}': {
    ...ownOnly,
    request: async world => ({ params: await channel(world), body: { used_for_auth: true } }),
  },
  'DELETE /contact-channels/{user_id}/{contact_channel_id}': {
    ...ownOnly,
    request: async world => ({ params: await channel(world) }),
  },
  'POST /contact-channels/{user_id}/{contact_channel_id}/send-verification-code': {
    ...ownOnly,
    otherUser: 400,
    request: async world => ({ params: await channel(world), body: { callback_url: callback } }),
  },
  'POST /contact-channels/send-verification-code': {
    ...signedInOnly,
    otherUser: 'EMAIL_IS_NOT_PRIMARY_EMAIL',
    request: ({ ada }) => ({ body: { email: ada.email, callback_url: callback } }),
  },
  'POST /extensions/email-verification/send-code': {
    ...signedInOnly,
    request: () => ({ body: { callback_url: callback } }),
  },
  'POST /contact-channels/verify': {
    ...forKeys,
    request: async world => ({ body: await createCodeFor(world, 'email_verification', {}) }),
  },
  'POST /contact-channels/verify/check-code': {
    ...forKeys,
    request: async world => ({ body: await createCodeFor(world, 'email_verification', {}) }),
  },
  // The provider is shared: every permitted caller gets this error.
  'POST /connected-accounts/{user_id}/{provider_id}/access-token': {
    ...ownOnly,
    client: 403,
    user: 'OAUTH_ACCESS_TOKEN_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS',
    server: 'OAUTH_ACCESS_TOKEN_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS',
    request: ({ ada }) => ({ params: { user_id: ada.userId, provider_id: 'github' }, body: {} }),
  },
  'POST /auth/oauth/connected-accounts/{provider_id}/access-token': {
    client: 'CANNOT_GET_OWN_USER_WITHOUT_USER',
    user: 'OAUTH_ACCESS_TOKEN_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS',
    otherUser: 'OAUTH_ACCESS_TOKEN_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS',
    server: 'CANNOT_GET_OWN_USER_WITHOUT_USER',
    request: () => ({ params: { provider_id: 'github' }, body: {} }),
  },
  'GET /emails/notification-preference/{user_id}': { ...ownPreferences, request: userId },
  'PATCH /emails/notification-preference/{user_id}/{category_id}': {
    ...ownPreferences,
    request: ({ ada }) => ({
      params: { user_id: ada.userId, category_id: marketing },
      body: { enabled: false },
    }),
  },
  'GET /emails/unsubscribe-link': {
    ...forAllCallers,
    request: async world => ({ query: await createCodeFor(world, 'unsubscribe', { categoryId: marketing }) }),
  },
  'POST /emails/unsubscribe-link': {
    ...forAllCallers,
    request: async world => ({ query: await createCodeFor(world, 'unsubscribe', { categoryId: marketing }) }),
  },

  'GET /email-templates': forAdmins,
  'GET /email-templates/{type}': { ...forAdmins, request: () => ({ params: { type: 'magic_link' } }) },
  // Refused while email uses the installation's server; an unchanged template cannot be reset.
  'PATCH /email-templates/{type}': { admin: 400, request: () => ({ params: { type: 'magic_link' }, body: {} }) },
  'DELETE /email-templates/{type}': { admin: 404, request: () => ({ params: { type: 'magic_link' } }) },
  'POST /emails/render-email': {
    ...forAdmins,
    request: () => ({ body: { theme: 'default-light', preview_html: '<p>Hello</p>' } }),
  },
  'POST /emails/send-email': {
    server: 400,
    request: ({ ada }) => ({
      body: { user_ids: [ada.userId], subject: 'News', html: 'News', notification_category_name: 'Marketing' },
    }),
  },
  'POST /internal/send-sign-in-invitation': {
    ...forServers,
    request: ({ ada }) => ({ body: { email: ada.email, callback_url: callback } }),
  },
  'POST /internal/send-test-email': {
    ...forAdmins,
    request: ({ ada }) => ({
      body: {
        recipient_email: ada.email,
        email_config: { host: '', port: 25, username: '', password: '', sender_name: 'Acme', sender_email: ada.email },
      },
    }),
  },
  'GET /internal/emails': forAdmins,
  'POST /internal/extensions/email-templates/{type}/preview': {
    ...forAdmins,
    request: () => ({ params: { type: 'magic_link' }, body: emailText }),
  },
  'POST /internal/extensions/email-templates/{type}/test': {
    ...forAdmins,
    request: ({ ada }) => ({ params: { type: 'magic_link' }, body: { recipient_email: ada.email } }),
  },
  'GET /internal/extensions/sent-emails': forAdmins,
  // The log is empty, and there is no message.
  'GET /internal/extensions/sent-emails/{id}': { admin: 404, request: () => ({ params: { id: noId } }) },
  'POST /internal/extensions/sent-emails/{id}/send-again': { admin: 404, request: () => ({ params: { id: noId } }) },
  'GET /internal/extensions/waiting-emails': forAdmins,
  'POST /internal/extensions/messages/preview': {
    ...forAdmins,
    request: () => ({ body: { ...emailText, notification_category_name: 'Marketing' } }),
  },
  'POST /internal/extensions/messages/audience': {
    ...forAdmins,
    request: () => ({ body: { audience: { type: 'all' }, notification_category_name: 'Marketing' } }),
  },
  // Refused while email uses the installation's server.
  'POST /internal/extensions/messages': {
    admin: 400,
    request: () => ({
      body: {
        ...emailText,
        audience: { type: 'all' },
        notification_category_name: 'Marketing',
        expected_recipients: 1,
      },
    }),
  },
  'GET /internal/extensions/messages': forAdmins,
  'GET /internal/extensions/messages/{id}': { admin: 404, request: () => ({ params: { id: noId } }) },
  'POST /internal/extensions/messages/{id}/cancel': { admin: 404, request: () => ({ params: { id: noId } }) },
  // Keys do not matter: the scheduler's header is required.
  'POST /internal/failed-emails-digest': {
    noCredentials: 'SCHEMA_ERROR',
    client: 'SCHEMA_ERROR',
    user: 'SCHEMA_ERROR',
    otherUser: 'SCHEMA_ERROR',
    server: 'SCHEMA_ERROR',
  },

  'GET /internal/extensions/users': forAdmins,
  'GET /internal/extensions/users/export': forAdmins,
  'POST /internal/extensions/users/import': {
    ...forAdmins,
    request: () => ({ body: { is_dry_run: true, on_conflict: 'skip', users: [{ display_name: 'Grace' }] } }),
  },
  'POST /internal/extensions/users/{user_id}/links': {
    ...forAdmins,
    request: world => ({ ...userId(world), body: { kind: 'password_reset', callback_url: callback } }),
  },
  'POST /internal/extensions/users/{user_id}/impersonations': {
    ...forAdmins,
    request: world => ({ ...userId(world), body: { reason: 'The user asked for help.' } }),
  },
  'GET /internal/extensions/audit-log': forAdmins,
  'GET /internal/extensions/audit-log/export': forAdmins,
  'POST /internal/extensions/signing-keys/rotate': forAdmins,
  'GET /internal/metrics': forAdmins,
  'GET /internal/extensions/metrics-history': forAdmins,

  'GET /extensions/ended-sessions': forServers,
  'GET /extensions/ended-sessions/stream': { ...forServers, request: () => ({ query: { for_millis: '0' } }) },
  'POST /auth/sessions': { ...forServers, request: ({ ada }) => ({ body: { user_id: ada.userId } }) },
  'GET /auth/sessions': { ...ownOnly, request: ({ ada }) => ({ query: { user_id: ada.userId } }) },
  'GET /extensions/sessions': { ...ownOnly, request: ({ ada }) => ({ query: { user_id: ada.userId } }) },
  'DELETE /extensions/sessions/others': { ...ownOnly, request: ({ ada }) => ({ query: { user_id: ada.userId } }) },
  'DELETE /auth/sessions/{id}': {
    client: 404,
    user: 'answers',
    otherUser: 404,
    server: 'answers',
    request: async world => ({ params: await createSecondSession(world) }),
  },
  'DELETE /auth/sessions/current': {
    client: 'ACCESS_TOKEN_EXPIRED',
    user: 'answers',
    otherUser: 'answers',
    server: 'ACCESS_TOKEN_EXPIRED',
  },
  // The refresh token is the credential.
  'POST /auth/sessions/current/refresh': {
    ...forKeys,
    request: ({ ada }) => ({ refreshToken: ada.refreshToken }),
  },
  // The key is in the URL.
  'GET /auth/oauth/authorize/{provider_id}': {
    ...allAlike(307),
    request: ({ project }) => ({ params: { provider_id: 'github' }, query: authorizeQuery(project) }),
  },
  'POST /internal/extensions/oauth-provider-tests': {
    ...forAdmins,
    request: () => ({ body: { provider_id: 'github' } }),
  },
  // The state is in the URL.
  'GET /extensions/oauth-provider-tests/start': { ...allAlike(400), request: () => ({ query: { state: 'unknown' } }) },
  // The result of a test that a key has begun.
  'GET /internal/extensions/oauth-provider-tests/{test_id}': {
    admin: 'answers',
    owner: 404,
    request: async world => ({ params: { test_id: await insertTestResult(world) } }),
  },
  // The callback requires the cookie of the browser that began the flow.
  'GET /auth/oauth/callback/{provider_id}': {
    ...allAlike(400),
    request: () => ({ params: { provider_id: 'github' } }),
  },
  'POST /auth/oauth/callback/{provider_id}': {
    ...allAlike(400),
    request: () => ({ params: { provider_id: 'github' } }),
  },
  'POST /auth/oauth/token': {
    ...forAllCallers,
    request: ({ ada, project }) => ({
      body: {
        grant_type: 'refresh_token',
        refresh_token: ada.refreshToken,
        client_id: project.id,
        client_secret: project.publishableClientKey,
      },
    }),
  },
};
