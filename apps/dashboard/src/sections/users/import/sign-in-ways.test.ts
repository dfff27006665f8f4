import { expect, test } from 'vitest';
import { countSignInWays } from './sign-in-ways.ts';

const methods = { credentialEnabled: true, magicLinkEnabled: true };
const email = { primary_email: 'ada@example.com' };
const hash = { ...email, password_hash: '$2b$10$x' };
const verified = { ...email, primary_email_verified: true };

const created = [{ status: 'created' }] as const;

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
  expect(countSignInWays([user], created, methods)).toEqual([{ way, count: 1 }]);
});

test('a method that is switched off signs in no imported user', () => {
  const withoutPassword = { ...methods, credentialEnabled: false };
  expect(countSignInWays([{ ...hash, ...verified }], created, withoutPassword)).toEqual([{ way: 'code', count: 1 }]);
  const withoutCode = { ...methods, magicLinkEnabled: false };
  expect(countSignInWays([verified], created, withoutCode)).toEqual([{ way: 'none', count: 1 }]);
});

test('only created users are counted, and ways without users are left out', () => {
  const results = [{ status: 'created' }, { status: 'skipped' }, { status: 'created' }] as const;
  expect(countSignInWays([hash, verified, email], results, methods)).toEqual([
    { way: 'password', count: 1 },
    { way: 'none', count: 1 },
  ]);
});
