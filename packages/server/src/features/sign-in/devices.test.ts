import { noticesPerRecipient, signInSourceMemoryMs } from '@tessera/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { allWork } from '../../compose.ts';
import { DatabaseAway } from '../../platform/database/database.ts';
import { purgeTask } from '../../platform/database/purge.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { openScene, plainPasswords, type Scene } from './scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords(), environment: { TESSERA_TRUST_PROXY: '1' } });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server, { credentialEnabled: true, signInNoticesEnabled: true });
});

const password = 'quiet lantern orbit';
const browsers = {
  chrome:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
  newerChrome:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36',
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
};

async function makeUser(isVerified = true): Promise<string> {
  const email = scene.address();
  const body = { primary_email: email, primary_email_verified: isVerified, primary_email_auth_enabled: true, password };
  await scene.call('POST /users', { level: 'server', body });
  return email;
}

async function signIn(email: string, userAgent: string, country?: string): Promise<void> {
  const headers = { 'user-agent': userAgent, ...(country !== undefined && { 'cf-ipcountry': country }) };
  const answer = await scene.call('POST /auth/password/sign-in', { headers, body: { email, password } });
  expect(answer).toMatchObject({ status: 200 });
}

const noticed = async () =>
  (await scene.takeEmails())
    .filter(({ template }) => template === 'new_device_sign_in')
    .map(({ recipient }) => recipient);

test('a password sign-in succeeds when its device cannot be recorded after the session was opened', async () => {
  const email = await makeUser();
  vi.spyOn(server.deps.db, 'begin').mockRejectedValueOnce(new DatabaseAway('away'));
  await signIn(email, browsers.chrome);
  expect(server.logged()).toContain('the device of a sign-in was not recorded');
});

describe('a notice about a sign-in from a new device', () => {
  test('is not sent for the first device, and not for a known one', async () => {
    const email = await makeUser();
    await signIn(email, browsers.chrome, 'DE');
    await signIn(email, browsers.chrome, 'DE');
    expect(await noticed()).toEqual([]);
  });

  test('is sent once for another browser', async () => {
    const email = await makeUser();
    await signIn(email, browsers.chrome, 'DE');
    await signIn(email, browsers.firefox, 'DE');
    await signIn(email, browsers.firefox, 'DE');
    expect(await noticed()).toEqual([email]);
  });

  test('is sent for a known browser in another country', async () => {
    const email = await makeUser();
    await signIn(email, browsers.chrome, 'DE');
    await signIn(email, browsers.chrome, 'BR');
    expect(await noticed()).toEqual([email]);
  });

  test('names browser, system, country and time', async () => {
    const email = await makeUser();
    await signIn(email, browsers.chrome, 'DE');
    await signIn(email, browsers.iphone, 'BR');
    const [message] = await server.mailbox(email);
    expect(message?.subject).toContain('New sign-in at ');
    expect(message?.text).toMatch(/\nTime: .* UTC\nDevice: Safari on iOS\nLocation: Brazil \(approximate\)\n/);
  });

  test('is not sent for an update of a known browser', async () => {
    const email = await makeUser();
    await signIn(email, browsers.chrome, 'DE');
    await signIn(email, browsers.newerChrome, 'DE');
    expect(await noticed()).toEqual([]);
  });

  test('is not sent to an unverified address', async () => {
    const email = await makeUser(false);
    await signIn(email, browsers.chrome, 'DE');
    await signIn(email, browsers.firefox, 'DE');
    expect(await noticed()).toEqual([]);
  });

  test.each(['node', 'curl/8.5.0', ''])('is sent once for a program with the user agent "%s"', async userAgent => {
    const email = await makeUser();
    await signIn(email, browsers.chrome, 'DE');
    await signIn(email, userAgent, 'DE');
    await signIn(email, 'another program', 'DE');
    expect(await noticed()).toEqual([email]);
  });

  test('is not sent about the device of another user', async () => {
    const [ada, eve] = [await makeUser(), await makeUser()];
    await signIn(ada, browsers.chrome, 'DE');
    await signIn(eve, browsers.firefox, 'DE');
    expect(await noticed()).toEqual([]);
  });

  test('is not sent by a project that has not switched it on', async () => {
    scene = await openScene(server, { credentialEnabled: true });
    const email = await makeUser();
    await signIn(email, browsers.chrome, 'DE');
    await signIn(email, browsers.firefox, 'DE');
    expect(await noticed()).toEqual([]);
  });

  test('is sent for a sign-in by code', async () => {
    const email = await makeUser();
    await signIn(email, browsers.chrome, 'DE');
    const code = await scene.code('sign_in', { address: email, data: {} });
    const headers = { 'user-agent': browsers.firefox, 'cf-ipcountry': 'DE' };
    expect(await scene.call('POST /auth/otp/sign-in', { headers, body: { code } })).toMatchObject({ status: 200 });
    expect(await noticed()).toEqual([email]);
  });

  test('is sent within the limit of account notices per recipient', async () => {
    const email = await makeUser();
    await signIn(email, browsers.chrome, 'DE');
    const countries = 'AT BE BG CH CZ DK EE ES FI FR GB GR HR HU IE IT LT LU LV NL NO PL PT RO SE'.split(' ');
    expect(countries.length).toBeGreaterThan(noticesPerRecipient);
    for (const country of countries) await signIn(email, browsers.chrome, country);
    expect(await noticed()).toHaveLength(noticesPerRecipient);
  });

  test('is sent again for a device that was not used for the memory time', async () => {
    const email = await makeUser();
    await signIn(email, browsers.chrome, 'DE');
    await signIn(email, browsers.firefox, 'DE');
    expect(await noticed()).toEqual([email]);
    server.clock.advance(signInSourceMemoryMs - 1000);
    await signIn(email, browsers.chrome, 'DE');
    server.clock.advance(2000);
    await allWork(server.deps).tasks[purgeTask]?.({});
    await signIn(email, browsers.firefox, 'DE');
    expect(await noticed()).toEqual([email]);
  });
});
