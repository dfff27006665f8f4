import { ClientApp, type CurrentUser, createTotpEnrolment, isKnown, ServerApp } from '@tessera/client';
import { totpCode } from '@tessera/testing/totp';
import { until } from '@tessera/testing/until';
import { beforeEach, describe, expect } from 'vitest';
import { codeIn, linkIn, mailTo } from '../support/mail.ts';
import { newPerson, type Person } from '../support/people.ts';
import { configure, everything } from '../support/project.ts';
import type { TesseraServer } from '../support/tessera-server.ts';
import { test } from '../support/test.ts';

/** Account features with our SDK, from Node against a real server. */

const page = 'http://localhost:3000/handler/page';

function clientApp({ url, keys }: TesseraServer) {
  const { projectId, publishableClientKey } = keys;
  return new ClientApp({ projectId, publishableClientKey, baseUrl: url, tokenStore: 'memory' });
}

async function createUser(server: TesseraServer, person: Person = newPerson()) {
  const app = clientApp(server);
  const result = await app.signUpWithCredential({ ...person, verificationCallbackUrl: page });
  expect(result).toMatchObject({ status: 'ok' });
  return { app, person, user: await app.getUser({ or: 'throw' }) };
}

async function signIn(server: TesseraServer, person: Person) {
  const app = clientApp(server);
  return { app, result: await app.signInWithCredential(person) };
}

function codeOf(link: string): string {
  return new URL(link, page).searchParams.get('code') ?? '';
}

beforeEach<{ server: TesseraServer }>(async ({ server }) => {
  await configure(server, everything);
  await until('the project offers all features', async () => {
    const { config } = await clientApp(server).getProject();
    return config.magicLinkEnabled && config.allowUserApiKeys && config.clientTeamCreationEnabled;
  });
});

describe('the password', () => {
  test('changing the password ends other sessions', async ({ server }) => {
    const { user, person, app } = await createUser(server);
    const elsewhere = await signIn(server, person);
    const newPassword = 'another good password';
    const refused = await user.updatePassword({ oldPassword: 'not my password', newPassword });
    expect(isKnown(refused, 'PASSWORD_CONFIRMATION_MISMATCH')).toBe(true);
    expect(await user.updatePassword({ oldPassword: person.password, newPassword })).toBeUndefined();
    expect(await elsewhere.app.getUser()).toBeNull();
    expect(await user._internalSession.fetchNewTokens()).not.toBeNull();
    expect(await app.getUser()).not.toBeNull();
    expect((await signIn(server, { ...person, password: newPassword })).result).toMatchObject({ status: 'ok' });
  });

  test('a reset link from an email sets a new password', async ({ server }) => {
    const { person } = await createUser(server);
    const app = clientApp(server);
    expect(await app.sendForgotPasswordEmail(person.email, { callbackUrl: page })).toMatchObject({ status: 'ok' });
    const code = codeOf(linkIn(await mailTo(server, person.email, /password/i)));
    expect(await app.verifyPasswordResetCode(code)).toMatchObject({ status: 'ok' });
    const password = 'another good password';
    expect(await app.resetPassword({ code, password })).toEqual({ status: 'ok', data: undefined });
    expect(await app.resetPassword({ code, password })).toMatchObject({
      error: { errorCode: 'VERIFICATION_CODE_ALREADY_USED' },
    });
    expect((await signIn(server, person)).result).toMatchObject({ status: 'error' });
    expect((await signIn(server, { ...person, password })).result).toMatchObject({ status: 'ok' });
  });
});

test('the first email code signs up, and the next one signs in', async ({ server }) => {
  const { email } = newPerson();
  const users: (CurrentUser | null)[] = [];
  for (let round = 0; round < 2; round++) {
    const app = clientApp(server);
    const sent = await app.sendMagicLinkEmail(email, { callbackUrl: page });
    const nonce = sent.status === 'ok' ? sent.data.nonce : '';
    const mail = await until('the mail of this nonce', async () => {
      const newest = await mailTo(server, email, /[?&]code=/);
      return codeOf(linkIn(newest)).endsWith(nonce) && newest;
    });
    expect(await app.signInWithMagicLink(codeIn(mail) + nonce)).toEqual({ status: 'ok', data: undefined });
    users.push(await app.getUser());
  }
  expect(users[0]).toMatchObject({ primaryEmail: email, primaryEmailVerified: true });
  expect(users[1]?.id).toBe(users[0]?.id);
});

test('after the setup of an authenticator app the next sign-in needs a code', async ({ server }) => {
  const { user, app, person } = await createUser(server);
  const enrolment = createTotpEnrolment({ issuer: 'Demo', account: person.email });
  expect(await enrolment.isValid(totpCode(enrolment.secretText))).toBe(true);
  await user.update({ totpMultiFactorSecret: enrolment.secret });
  expect(await app.getUser()).toMatchObject({ isMultiFactorRequired: true });

  const stranger = clientApp(server);
  const attempt = await stranger.signInWithCredential(person).catch(error => error);
  expect(isKnown(attempt.cause, 'MULTI_FACTOR_AUTHENTICATION_REQUIRED')).toBe(true);
  const code = attempt.cause.details.attempt_code;
  const wrong = await stranger.signInWithMfa('000000', code);
  expect(wrong).toMatchObject({ status: 'error', error: { errorCode: 'INVALID_TOTP_CODE' } });
  expect(await stranger.getUser()).toBeNull();
  // The enrolment did not consume the time step, so the same code is valid.
  expect(await stranger.signInWithMfa(totpCode(enrolment.secretText), code)).toMatchObject({ status: 'ok' });
  expect(await stranger.getUser()).toMatchObject({ id: user.id });
});

test('email addresses are added, verified, used for sign-in and removed', async ({ server }) => {
  const { user, app } = await createUser(server);
  const { email } = newPerson();
  const channel = await user.createContactChannel({ value: email, type: 'email', usedForAuth: false });
  await channel.sendVerificationEmail({ callbackUrl: page });
  const code = codeOf(linkIn(await mailTo(server, email, /[?&]code=/)));
  expect(await app.verifyEmail(code)).toEqual({ status: 'ok', data: undefined });
  await channel.sendVerificationEmail({ callbackUrl: page });
  await channel.update({ usedForAuth: true, isPrimary: true });
  expect(await app.getUser()).toMatchObject({ primaryEmail: email, primaryEmailVerified: true });
  const [first] = await user.listContactChannels();
  await first?.delete();
  expect((await user.listContactChannels()).map(({ value, isVerified }) => [value, isVerified])).toEqual([
    [email, true],
  ]);
});

test('other sessions are listed and ended, but the current one cannot be ended', async ({ server }) => {
  const { user, person } = await createUser(server);
  const elsewhere = await signIn(server, person);
  const sessions = await user.getActiveSessions();
  expect(sessions.map(({ isCurrentSession, isImpersonation }) => [isCurrentSession, isImpersonation])).toEqual([
    [false, false],
    [true, false],
  ]);
  const [other, own] = sessions;
  await user.revokeSession(other?.id ?? '');
  await expect(user.revokeSession(own?.id ?? '')).rejects.toMatchObject({
    errorCode: 'CANNOT_DELETE_CURRENT_SESSION',
  });
  expect(await elsewhere.app.getUser()).toBeNull();
});

test('a user switches notification categories off', async ({ server }) => {
  const { user } = await createUser(server);
  const categories = await user.listNotificationCategories();
  expect(categories.map(({ name, enabled, canDisable }) => [name, enabled, canDisable])).toEqual([
    ['Transactional', true, false],
    ['Marketing', true, true],
  ]);
  await categories[1]?.setEnabled(false);
  expect((await user.listNotificationCategories()).map(({ enabled }) => enabled)).toEqual([true, false]);
});

test('API keys are created, found by a server, and revoked', async ({ server }) => {
  const { user } = await createUser(server);
  const { url: baseUrl, keys } = server;
  const backend = new ServerApp({ ...keys, baseUrl, tokenStore: null });
  const key = await user.createApiKey({ description: 'ci', expiresAt: null });
  expect(key.value).toMatch(/^sk_/);
  expect(await backend.getUser({ apiKey: key.value })).toMatchObject({ id: user.id });
  const [listed] = await user.listApiKeys();
  expect(listed).toMatchObject({ description: 'ci', value: { lastFour: key.value.slice(-4) } });
  await listed?.update({ description: 'cd', expiresAt: new Date('2099-01-01') });
  await listed?.revoke();
  expect(await backend.getUser({ apiKey: key.value })).toBeNull();
  const [revoked] = await user.listApiKeys();
  expect(revoked).toMatchObject({ description: 'cd', expiresAt: new Date('2099-01-01') });
  expect(revoked?.whyInvalid()).toBe('manually-revoked');
});

describe('teams', () => {
  test('teams are created, changed and left, and invited users join by email', async ({ server }) => {
    const { user: ada } = await createUser(server);
    const team = await ada.createTeam({ displayName: 'Crew' });
    expect((await ada.getTeam(team.id))?.displayName).toBe('Crew');
    expect(await ada.hasPermission(team, '$invite_members')).toBe(true);

    const { app, person, user: bob } = await createUser(server);
    await team.inviteUser({ email: person.email, callbackUrl: page });
    expect((await team.listInvitations()).map(({ recipientEmail }) => recipientEmail)).toEqual([person.email]);
    const code = codeOf(linkIn(await mailTo(server, person.email, /Crew/)));
    expect(await app.verifyTeamInvitationCode(code)).toMatchObject({ status: 'ok' });
    expect(await app.getTeamInvitationDetails(code)).toEqual({ status: 'ok', data: { teamDisplayName: 'Crew' } });
    expect(await app.acceptTeamInvitation(code)).toEqual({ status: 'ok', data: undefined });
    expect((await bob.listTeams()).map(({ id }) => id)).toEqual([team.id]);
    expect(await bob.hasPermission(team, '$update_team')).toBe(false);

    const profile = await bob.getTeamProfile(team);
    await profile.update({ displayName: 'First mate' });
    expect((await team.listUsers()).map(({ teamProfile }) => teamProfile.displayName)).toEqual([null, 'First mate']);
    await team.update({ displayName: 'Old crew' });
    await bob.leaveTeam(team);
    expect(await bob.listTeams()).toEqual([]);
    expect((await ada.getTeam(team.id))?.displayName).toBe('Old crew');
    await team.delete();
    expect(await ada.listTeams()).toEqual([]);
  });

  test('team API keys are found by a server', async ({ server }) => {
    const { user } = await createUser(server);
    const { url: baseUrl, keys } = server;
    const backend = new ServerApp({ ...keys, baseUrl, tokenStore: null });
    const team = await user.createTeam({ displayName: 'Crew' });
    const key = await team.createApiKey({ description: 'ci', expiresAt: null });
    expect(await backend.getTeam({ apiKey: key.value })).toMatchObject({ id: team.id });
    await key.revoke();
    expect((await team.listApiKeys()).map(one => one.isValid())).toEqual([false]);
  });
});

test('a command-line program is signed in after a confirmation in the browser', async ({ server }) => {
  const { app, user } = await createUser(server);
  const program = clientApp(server);
  const links: string[] = [];
  const login = program.promptCliLogin({
    appUrl: 'http://localhost:3000',
    waitTimeMillis: 50,
    promptLink: link => void links.push(link),
  });
  const link = await until('the link', () => links[0]);
  const { refreshToken } = await user.currentSession.getTokens();
  const response = await fetch(`${server.url}/api/v1/auth/cli/complete`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-stack-access-type': 'client',
      'x-stack-project-id': server.keys.projectId,
      'x-stack-publishable-client-key': server.keys.publishableClientKey,
    },
    body: JSON.stringify({
      login_code: new URL(link).searchParams.get('login_code'),
      refresh_token: refreshToken,
    }),
  });
  expect(response.ok).toBe(true);
  expect(await login).toEqual({ status: 'ok', data: refreshToken });
  expect(await app.getUser()).not.toBeNull();
});

test('an anonymous user keeps the account when they sign up', async ({ server }) => {
  const { url: baseUrl, keys } = server;
  await fetch(`${baseUrl}/api/v1/internal/extensions/anonymous-users`, {
    method: 'PATCH',
    headers: {
      'content-type': 'application/json',
      'x-stack-access-type': 'admin',
      'x-stack-project-id': keys.projectId,
      'x-stack-super-secret-admin-key': keys.superSecretAdminKey,
    },
    body: JSON.stringify({ enabled: true }),
  });
  const app = clientApp(server);
  const anonymous = await app.getUser({ or: 'anonymous' });
  expect(anonymous).toMatchObject({ isAnonymous: true });
  expect(await app.getUser()).toBeNull();
  const person = newPerson();
  await app.signUpWithCredential({ ...person, verificationCallbackUrl: page });
  expect(await app.getUser()).toMatchObject({ id: anonymous.id, isAnonymous: false, primaryEmail: person.email });
});
