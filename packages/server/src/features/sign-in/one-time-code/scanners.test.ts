import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { isValid, openScene, plainPasswords, type Scene } from '../scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
  scene = await openScene(server);
});
afterAll(() => server.close());

const opened = 50;

describe('control 18: a program that opens the links of an email spends no code', () => {
  test.each([
    ['sign_in', '/auth/otp/sign-in'],
    ['password_reset', '/auth/password/reset'],
    ['email_verification', '/contact-channels/verify'],
  ] as const)('%s', async (kind, path) => {
    const address = scene.address();
    const { id: userId } = await scene.person({ primary_email: address, primary_email_auth_enabled: true });
    const code = await scene.code(kind, { userId, address, data: {} });
    const { id, publishableClientKey } = scene.project;
    const headers = {
      'x-stack-access-type': 'client',
      'x-stack-project-id': id,
      'x-stack-publishable-client-key': publishableClientKey,
    };
    for (let count = 0; count < opened; count++) {
      for (const method of ['GET', 'HEAD']) {
        for (const end of ['', '/check-code']) {
          const request = new Request(`http://localhost:4280/api/v1${path}${end}?code=${code}`, { method, headers });
          expect([400, 405]).toContain((await server.app(request)).status);
        }
      }
    }
    expect(await scene.call(`POST ${path}/check-code`, { body: { code } })).toEqual(isValid);
  });
});
