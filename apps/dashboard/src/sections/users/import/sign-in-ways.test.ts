import { expect, test } from 'vitest';
import { countSignInWays, signInWayOf } from './sign-in-ways.ts';

const methods = { credentialEnabled: true, magicLinkEnabled: true };
const email = { primary_email: 'ada@example.com' };
const hash = { ...email, password_hash: '$2b$10$x' };
const verified = { ...email, primary_email_verified: true };

test.each([
  [hash, 'password'],
  [{ ...hash, ...verified }, 'password'],
  [verified, 'code'],
  [{ ...verified, otp_auth_enabled: true }, 'code'],
  [{ ...email, otp_auth_enabled: true }, 'none'],
  [email, 'none'],
  [{ display_name: 'Ada' }, 'none'],
  [{ ...hash, primary_email_auth_enabled: false }, 'none'],
  [{ ...email, oauth_providers: [{ id: 'github', account_id: '7' }] }, 'provider'],
  [{ ...email, oauth_providers: [] }, 'none'],
])('an imported user with %j signs in with: %s', (user, way) => {
  expect(signInWayOf(user, methods)).toBe(way);
});

test('a method that is switched off signs in no imported user', () => {
  expect(signInWayOf({ ...hash, ...verified }, { ...methods, credentialEnabled: false })).toBe('code');
  expect(signInWayOf(verified, { ...methods, magicLinkEnabled: false })).toBe('none');
});

test('only created users are counted, and ways without users are left out', () => {
  const results = [{ status: 'created' }, { status: 'skipped' }, { status: 'created' }] as const;
  expect(countSignInWays([hash, verified, email], results, methods)).toEqual([
    { way: 'password', count: 1 },
    { way: 'none', count: 1 },
  ]);
});
