import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../../setup/terminal.mjs';

/** A response without its redirect being followed. */
export async function get(url, options) {
  const response = await fetch(url, { redirect: 'manual', ...options });
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
}

/** Asserts that no file of a folder contains a secret. */
export function assertNothingHolds(folder, secret) {
  assert.equal(findHolder(folder, secret)?.name, undefined);
}

/** The first file of a folder with this text. */
export function findHolder(folder, text) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  assert.ok(files.length > 0, `${folder} is empty`);
  return files.find(file => readFileSync(join(file.parentPath, file.name), 'utf8').includes(text));
}

/** Signs up a new user with the API. */
export async function signUp({ url, projectId, publishableClientKey }) {
  const name = randomBytes(6).toString('hex');
  const email = `ada-${name}@example.com`;
  const password = `correct horse ${name}`;
  const response = await fetch(`${url}/api/v1/auth/password/sign-up`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-stack-access-type': 'client',
      'x-stack-project-id': projectId,
      'x-stack-publishable-client-key': publishableClientKey,
    },
    body: JSON.stringify({
      email,
      password,
      verification_callback_url: 'http://localhost:3000/verify',
    }),
  });
  if (!response.ok) throw new Problem(`The sign-up failed: ${response.status} ${await response.text()}`);
  const answer = /** @type {Record<string, string>} */ (await response.json());
  const { user_id: id, access_token: accessToken, refresh_token: refreshToken } = answer;
  return { id, email, password, tokens: { accessToken, refreshToken } };
}

/** The cookies of a browser in which a user is signed in. */
export function cookiesOf({ projectId }, { accessToken, refreshToken }) {
  return [
    `stack-refresh-${projectId}=${refreshToken}`,
    `stack-access=${encodeURIComponent(JSON.stringify([refreshToken, accessToken]))}`,
  ].join('; ');
}
