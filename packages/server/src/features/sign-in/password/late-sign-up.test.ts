import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { interruptedPasswords } from '../scene.fixtures.ts';

let server: TestServer;
const passwords = interruptedPasswords();
beforeAll(async () => {
  server = await openTestServer({ passwords });
});
afterAll(() => server.close());

const changes = {
  'sign-up is switched off': { sign_up_enabled: false },
  'passwords are switched off': { credential_enabled: false },
  'the domain of the callback is removed': { allow_localhost: false },
};

test.each([
  ['sign-up is switched off', 'SIGN_UP_NOT_ENABLED'],
  ['passwords are switched off', 'PASSWORD_AUTHENTICATION_NOT_ENABLED'],
  ['the domain of the callback is removed', 'REDIRECT_URL_NOT_WHITELISTED'],
] as const)('a sign-up creates no user when %s while its password waits for the hash', async (change, code) => {
  const project = await server.make.project({ credentialEnabled: true, allowLocalhost: true });
  const update = { project, level: 'admin', body: { config: changes[change] } } as const;
  passwords.meanwhile = () => server.call('PATCH /internal/projects/current', update);
  const body = {
    email: 'ada@example.com',
    password: 'correct horse',
    verification_callback_url: 'http://localhost:3000/verify',
  };
  const refused = await server.call('POST /auth/password/sign-up', { project, body });
  expect(outcome(refused)).toEqual({ status: 400, code });
  expect(await server.deps.db.query(sql`select id from users where project_id = ${project.id}`)).toEqual([]);
});
