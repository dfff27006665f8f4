import type {
  CurrentUser,
  ServerUser,
  StackAdminApp,
  StackClientApp,
  StackServerApp,
  Team,
} from '@tessera/client/stack';
import { until } from '@tessera/testing/until';
import { codeIn, linkIn, mailTo } from './mail.ts';
import { newPerson, type Person } from './people.ts';
import type { TesseraServer } from './tessera-server.ts';

/** The names that an app imports from either package. */
export interface Sdk {
  readonly StackClientApp: typeof StackClientApp;
  readonly StackServerApp: typeof StackServerApp;
  readonly StackAdminApp: typeof StackAdminApp;
}

const callbackUrl = 'http://localhost:3000/handler/page';
const farFuture = new Date('2099-01-01');
/** Options of a CLI login that prints no link. */
const quiet = { waitTimeMillis: 10, promptLink: () => {} };

/** What the calls returned, by name. Every part of the scenario adds its own. */
type Results = Record<string, unknown>;

/** The apps of one SDK. They use one server. */
type Apps = ReturnType<typeof openApps>;

/** The person of the scenario, who is signed in to `apps.client`. */
interface SignedIn {
  readonly person: Person;
  readonly user: CurrentUser;
  readonly newPassword: string;
}

/** Another person, who is signed in by a code. */
interface Guest {
  readonly app: Apps['client'];
  readonly email: string;
}

/**
 * Uses the SDK as an app does, and returns the results. Ids, times and secrets are left out, so that two runs can be
 * compared.
 */
export async function runScenario(sdk: Sdk, server: TesseraServer): Promise<Results> {
  const apps = openApps(sdk, server);
  const seen: Results = {};
  const person = newPerson();
  const user = await signUp(apps, person, seen);
  const tokens = await user.getAuthJson();
  seen.tokens = Object.keys(tokens).sort();
  seen.headers = Object.keys(await user.getAuthHeaders());
  const signedIn = { person, user, newPassword: `${person.password} again` };
  await changeAccount(apps, signedIn, seen);
  await addContactChannel(apps, signedIn, seen);
  await listAndRevokeSessions(apps, signedIn, seen);
  const guest = await signInWithCode(apps, seen);
  const team = await createTeam(apps, signedIn, seen);
  await inviteToTeam(apps, { user, team, guest }, seen);
  await createAndRevokeKey(apps, signedIn, seen);
  await manageUsers(apps, { user, team }, seen);
  await manageProject(apps, signedIn, seen);
  await manageKeySets(apps, seen);
  const login = apps.newClient().promptCliLogin({ appUrl: 'http://localhost:3000', maxAttempts: 1, ...quiet });
  seen.program = codeOf(await login);
  await signOutAndDelete(apps, { signedIn, team, tokens }, seen);
  return seen;
}

function openApps(sdk: Sdk, { url, keys }: TesseraServer) {
  const { projectId, publishableClientKey, secretServerKey, superSecretAdminKey } = keys;
  const shared = {
    projectId,
    publishableClientKey,
    baseUrl: url,
    tokenStore: 'memory',
    redirectMethod: 'none',
    noAutomaticPrefetch: true,
  } as const;
  const newClient = () => new sdk.StackClientApp(shared);
  return {
    url,
    newClient,
    client: newClient(),
    server: new sdk.StackServerApp({ ...shared, secretServerKey }),
    admin: new sdk.StackAdminApp({ ...shared, secretServerKey, superSecretAdminKey }),
  };
}

async function signUp({ client, newClient }: Apps, person: Person, seen: Results): Promise<CurrentUser> {
  const fields = { ...person, verificationCallbackUrl: callbackUrl, noRedirect: true };
  seen['signed out'] = await client.getUser();
  seen['signed out, insisting'] = await client.getUser({ or: 'throw' }).catch(beginningOf);
  seen['too short'] = codeOf(await client.signUpWithCredential({ ...fields, password: 'short' }));
  seen['signed up'] = await client.signUpWithCredential(fields);
  seen.taken = codeOf(await newClient().signUpWithCredential(fields));
  const user = await client.getUser({ or: 'throw' });
  seen.user = {
    ...pick(user, ['displayName', 'primaryEmailVerified', 'profileImageUrl', 'clientMetadata', 'hasPassword']),
    ...pick(user, [
      'otpAuthEnabled',
      'passkeyAuthEnabled',
      'isMultiFactorRequired',
      'emailAuthEnabled',
      'selectedTeam',
    ]),
    hasAddress: user.primaryEmail === person.email,
    signedUpAt: user.signedUpAt instanceof Date,
    isFrozen: Object.isFrozen(user),
  };
  return user;
}

async function changeAccount({ client, newClient }: Apps, { person, user, newPassword }: SignedIn, seen: Results) {
  await user.update({ displayName: 'Ada', clientMetadata: { theme: ['dark', null] } });
  await user.setDisplayName('Ada L.');
  seen.changed = pick(await client.getUser({ or: 'throw' }), ['displayName', 'clientMetadata']);
  seen['wrong password'] = codeOf({ error: await user.updatePassword({ oldPassword: 'wrong', newPassword }) });
  seen['right password'] = await user.updatePassword({ oldPassword: person.password, newPassword });
  seen.mismatch = codeOf(await newClient().signInWithCredential({ ...person, noRedirect: true }));
}

async function addContactChannel({ client, url }: Apps, { user }: SignedIn, seen: Results) {
  const { email } = newPerson();
  await user.createContactChannel({ type: 'email', value: email, usedForAuth: false });
  const channels = await user.listContactChannels();
  seen.channels = channels.map(one => pick(one, ['type', 'isPrimary', 'isVerified', 'usedForAuth']));
  const channel = channels.find(({ value }) => value === email);
  await channel?.sendVerificationEmail({ callbackUrl });
  const code = new URL(linkIn(await mailTo({ url }, email, /code=/)), url).searchParams.get('code') ?? '';
  seen.verified = await client.verifyEmail(code);
  seen['verified twice'] = codeOf(await client.verifyEmail(code));
  await channel?.delete();
  seen['fewer channels'] = (await user.listContactChannels()).length;
  const categories = await user.listNotificationCategories();
  seen.categories = categories.map(one => pick(one, ['name', 'enabled', 'canDisable']));
}

async function listAndRevokeSessions({ newClient }: Apps, { person, user, newPassword }: SignedIn, seen: Results) {
  const again = newClient();
  seen['second session'] = await again.signInWithCredential({ ...person, password: newPassword, noRedirect: true });
  const sessions = await user.getActiveSessions();
  seen.sessions = sessions.map(one => pick(one, ['isCurrentSession', 'isImpersonation']));
  await user.revokeSession(sessions.find(({ isCurrentSession }) => !isCurrentSession)?.id ?? '');
  seen['own session'] = await user
    .revokeSession(sessions.find(({ isCurrentSession }) => isCurrentSession)?.id ?? '')
    .catch(error => error.errorCode);
}

async function signInWithCode({ newClient, url }: Apps, seen: Results): Promise<Guest> {
  const guest = newClient();
  const { email: guestEmail } = newPerson();
  const sent = await guest.sendMagicLinkEmail(guestEmail, { callbackUrl });
  const nonce = sent.status === 'ok' ? sent.data.nonce : '';
  seen.nonce = nonce.length;
  seen['wrong code'] = codeOf(await guest.signInWithMagicLink(`000000${nonce}`, { noRedirect: true }));
  const typed = codeIn(await mailTo({ url }, guestEmail, /code=/));
  seen['right code'] = await guest.signInWithMagicLink(typed + nonce, { noRedirect: true });
  seen.guest = pick(await guest.getUser({ or: 'throw' }), ['primaryEmailVerified', 'hasPassword', 'otpAuthEnabled']);
  seen.forgotten = await guest.sendForgotPasswordEmail(guestEmail, { callbackUrl });
  return { app: guest, email: guestEmail };
}

async function createTeam({ client }: Apps, { user }: SignedIn, seen: Results): Promise<Team> {
  const team = await user.createTeam({ displayName: 'Crew' });
  seen.team = pick(team, ['displayName', 'profileImageUrl', 'clientMetadata', 'clientReadOnlyMetadata']);
  seen.selected = (await client.getUser())?.selectedTeam?.displayName;
  seen.teams = (await user.listTeams()).map(({ displayName }) => displayName);
  seen['no team'] = await user.getTeam('00000000-0000-4000-8000-000000000000');
  seen.permissions = (await user.listPermissions(team)).map(({ id }) => id);
  seen['direct permissions'] = (await user.listPermissions(team, { recursive: false })).map(({ id }) => id);
  seen['a permission'] = (await user.getPermission(team, '$update_team'))?.id;
  seen['no permission'] = await user.hasPermission('beta');
  return team;
}

interface Invitation {
  readonly user: CurrentUser;
  readonly team: Team;
  readonly guest: Guest;
}

async function inviteToTeam({ url }: Apps, { user, team, guest }: Invitation, seen: Results) {
  await team.inviteUser({ email: guest.email, callbackUrl });
  seen.invitations = (await team.listInvitations()).map(({ recipientEmail }) => recipientEmail === guest.email);
  const invitation = new URL(linkIn(await mailTo({ url }, guest.email, /Crew/)), url);
  const invitationCode = invitation.searchParams.get('code') ?? '';
  seen['good invitation'] = (await guest.app.verifyTeamInvitationCode(invitationCode)).status;
  seen['invited to'] = await guest.app.getTeamInvitationDetails(invitationCode);
  seen.joined = await guest.app.acceptTeamInvitation(invitationCode);
  seen.members = (await team.listUsers()).map(({ teamProfile }) => teamProfile.displayName);
  const profile = await user.getTeamProfile(team);
  await profile.update({ displayName: 'Captain' });
  seen.profile = (await user.getTeamProfile(team)).displayName;
}

async function createAndRevokeKey({ server }: Apps, { user }: SignedIn, seen: Results) {
  const key = await user.createApiKey({ description: 'ci', expiresAt: farFuture });
  seen.key = {
    ...pick(key, ['description', 'type', 'expiresAt', 'manuallyRevokedAt']),
    prefix: key.value.slice(0, 3),
    valid: key.isValid(),
  };
  seen['user of the key'] = (await server.getUser({ apiKey: key.value }))?.id === user.id;
  seen['user of no key'] = await server.getUser({ apiKey: 'sk_nothing' });
  await key.revoke();
  const [listed] = await user.listApiKeys();
  seen['revoked key'] = [listed?.whyInvalid(), typeof listed?.value, listed?.manuallyRevokedAt instanceof Date];
  seen['user of a revoked key'] = await server.getUser({ apiKey: key.value });
}

async function manageUsers({ server }: Apps, { user, team }: Pick<Invitation, 'user' | 'team'>, seen: Results) {
  const { email: otherEmail, password } = newPerson();
  const other = await server.createUser({
    primaryEmail: otherEmail,
    primaryEmailAuthEnabled: true,
    primaryEmailVerified: true,
    password,
    displayName: 'Grace',
    serverMetadata: { plan: 'gold' },
  });
  seen.made = pick(other, ['displayName', 'primaryEmailVerified', 'hasPassword', 'serverMetadata']);
  await other.update({ clientReadOnlyMetadata: { seat: 4 } });
  seen['read again'] = pick((await server.getUser(other.id)) ?? {}, ['clientReadOnlyMetadata', 'displayName']);
  const found = await server.listUsers({ query: otherEmail, limit: 1 });
  seen.found = [found.map(({ displayName }) => displayName), found.nextCursor];
  await manageMember(server, { other, team }, seen);
  const session = await other.createSession({ isImpersonation: true, expiresInMillis: 60_000 });
  const theirs = await session.getTokens();
  const tokenStore = { accessToken: theirs.accessToken ?? '', refreshToken: theirs.refreshToken ?? '' };
  seen['acting as'] = (await server.getUser({ tokenStore }))?.displayName;
  const request = new Request('http://shop.example', { headers: await user.getAuthHeaders() });
  seen['by request'] = (await server.getUser({ tokenStore: request }))?.id === user.id;
  await other.delete();
  seen.deleted = await server.getUser(other.id);
}

async function manageMember(
  server: Apps['server'],
  { other, team }: { readonly other: ServerUser; readonly team: Team },
  seen: Results,
) {
  const serverTeam = await server.getTeam(team.id);
  await serverTeam?.addUser(other.id);
  await serverTeam?.update({ serverMetadata: { n: 1 } });
  seen['server team'] = pick((await server.getTeam(team.id)) ?? {}, ['displayName', 'serverMetadata']);
  await other.grantPermission(serverTeam ?? team, '$delete_team');
  seen.granted = await other.hasPermission(serverTeam ?? team, '$delete_team');
  await other.revokePermission(serverTeam ?? team, '$delete_team');
  seen['taken back'] = await other.hasPermission(serverTeam ?? team, '$delete_team');
  seen['server members'] = (await serverTeam?.listUsers())?.map(one => one.displayName);
  await serverTeam?.removeUser(other.id);
}

async function manageProject({ admin, client, server }: Apps, { user }: SignedIn, seen: Results) {
  const project = await admin.getProject();
  seen.project = pick(project, ['displayName', 'isProductionMode']);
  seen.switches = pick(project.config, ['signUpEnabled', 'credentialEnabled', 'magicLinkEnabled', 'allowLocalhost']);
  await admin.createProjectPermissionDefinition({ id: 'beta', description: 'May', containedPermissionIds: [] });
  seen.definitions = (await admin.listProjectPermissionDefinitions()).map(({ id, containedPermissionIds }) => [
    id,
    containedPermissionIds,
  ]);
  await (await server.getUser(user.id))?.grantPermission('beta');
  seen['project permission'] = await user.hasPermission('beta');
  await admin.deleteProjectPermissionDefinition('beta');
  seen['permission gone'] = await user.hasPermission('beta');
  seen['client view'] = pick((await client.getProject()).config, [
    'signUpEnabled',
    'allowUserApiKeys',
    'passkeyEnabled',
  ]);
}

async function manageKeySets({ admin }: Apps, seen: Results) {
  const keySet = await admin.createInternalApiKey({
    description: 'demo',
    expiresAt: farFuture,
    hasPublishableClientKey: true,
    hasSecretServerKey: false,
    hasSuperSecretAdminKey: false,
  });
  seen['key set'] = [keySet.publishableClientKey?.slice(0, 4), keySet.isValid()];
  const set = (await admin.listInternalApiKeys()).find(({ id }) => id === keySet.id);
  await set?.revoke();
  seen['revoked set'] = (await admin.listInternalApiKeys()).find(({ id }) => id === keySet.id)?.whyInvalid();
}

interface End {
  readonly signedIn: SignedIn;
  readonly team: Team;
  readonly tokens: { readonly refreshToken: string | null };
}

async function signOutAndDelete({ client, server }: Apps, { signedIn, team, tokens }: End, seen: Results) {
  const { person, user, newPassword } = signedIn;
  await user.leaveTeam(team);
  seen.left = await user.listTeams();
  await user.signOut();
  seen['signed out again'] = await client.getUser();
  await until(
    'the session has ended',
    async () => (await server.getUser({ tokenStore: withoutAccessToken(tokens) })) === null,
  );
  await client.signInWithCredential({ ...person, password: newPassword, noRedirect: true });
  await (await client.getUser({ or: 'throw' })).delete();
  seen['account gone'] = await client.getUser();
}

function pick<Whole extends object>(whole: Whole, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.map(key => [key, Reflect.get(whole, key)]));
}

function codeOf(result: unknown): unknown {
  const { error } = Object(result);
  return error?.errorCode ?? error ?? result;
}

function beginningOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 'User is not signed in'.length) : String(error);
}

/** The access token is valid for some minutes more. */
function withoutAccessToken({ refreshToken }: { readonly refreshToken: string | null }) {
  return { accessToken: '', refreshToken: refreshToken ?? '' };
}
