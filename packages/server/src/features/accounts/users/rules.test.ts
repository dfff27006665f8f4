import { metadataMaxBytes } from '@tessera/protocol';
import { describe, expect, test } from 'vitest';
import { planUserUpdate } from './rules.ts';
import type { PlannedChange, UpdateContext, UserPatch } from './user-update.ts';

const userId = '3241a285-8329-4d69-8f3d-316e08cf140c';
const ada: UpdateContext['user'] = {
  id: userId,
  hasPassword: true,
  otpAuthEnabled: false,
  primaryEmail: 'ada@example.com',
  primaryEmailVerified: true,
  primaryEmailAuthEnabled: true,
};
const nameless = {
  ...ada,
  hasPassword: false,
  primaryEmail: null,
  primaryEmailVerified: false,
  primaryEmailAuthEnabled: false,
};
const config = { credentialEnabled: true, magicLinkEnabled: true };

function plan(patch: UserPatch, context: Partial<UpdateContext> = {}): PlannedChange[] {
  return planUserUpdate(patch, {
    user: ada,
    level: 'server',
    config,
    ownsNewAddress: false,
    channelCount: 0,
    isInSelectedTeam: false,
    imagesUrl: 'https://auth.example.com/api/v1/images/internal/',
    ...context,
  });
}

const badRequest = expect.objectContaining({ name: 'Refusal', status: 400 });
const refused = (patch: UserPatch, context?: Partial<UpdateContext>) =>
  expect(() => plan(patch, context)).toThrow(badRequest);

describe('the plan for profile fields', () => {
  test.each<[UserPatch, PlannedChange[]]>([
    [{}, []],
    [{ displayName: 'Ada' }, [{ kind: 'displayName', value: 'Ada' }]],
    [{ displayName: '' }, [{ kind: 'displayName', value: null }]],
    [{ displayName: ' ' }, [{ kind: 'displayName', value: ' ' }]],
    [{ displayName: null }, [{ kind: 'displayName', value: null }]],
    [{ profileImageUrl: null }, [{ kind: 'profileImageUrl', value: null }]],
    [{ profileImageUrl: 'ftp://a.example/b' }, [{ kind: 'profileImageUrl', value: 'ftp://a.example/b' }]],
    [{ isAnonymous: false }, [{ kind: 'isAnonymous', value: false }]],
    [{ selectedTeamId: null }, [{ kind: 'selectedTeam', teamId: null }]],
  ])('%j', (patch, changes) => {
    expect(plan(patch)).toEqual(changes);
  });

  test('orders changes independently of the key order', () => {
    const changes = plan({ isAnonymous: false, serverMetadata: 1, profileImageUrl: null, displayName: 'A' });
    expect(changes.map(({ kind }) => kind)).toEqual([
      'displayName',
      'profileImageUrl',
      'serverMetadata',
      'isAnonymous',
    ]);
  });

  const teamId = '11111111-1111-4111-8111-111111111111';

  test('selects a team of which the user is a member', () => {
    expect(plan({ selectedTeamId: teamId }, { isInSelectedTeam: true })).toEqual([{ kind: 'selectedTeam', teamId }]);
  });

  test('refuses with TEAM_MEMBERSHIP_NOT_FOUND a team that the user is not a member of', () => {
    const notThere = { errorCode: 'TEAM_MEMBERSHIP_NOT_FOUND', details: { team_id: teamId, user_id: userId } };
    expect(() => plan({ selectedTeamId: teamId })).toThrow(expect.objectContaining(notThere));
  });
});

describe('profile images at level client', () => {
  const atClient = { level: 'client' } as const;

  test.each(['png', 'jpg', 'jpeg', 'gif', 'bmp', 'webp'])('a data URL of type %s is accepted', type => {
    const profileImageUrl = `data:image/${type};base64,iVBORw0KGgo=`;
    expect(plan({ profileImageUrl }, atClient)).toEqual([{ kind: 'profileImageUrl', value: profileImageUrl }]);
  });

  test('null is accepted', () => {
    expect(plan({ profileImageUrl: null }, atClient)).toEqual([{ kind: 'profileImageUrl', value: null }]);
  });

  test.each([
    'https://tracker.example/pixel.png',
    'data:image/svg+xml;base64,PHN2Zz4=',
    'data:image/png,plain',
    'data:image/png;base64,',
    'data:image/png;base64,AAAA" onload="alert(1)',
    'data:image/png;base64,AAAA\nAAAA',
    'data:image/png;charset=utf-8;base64,AAAA',
    'data:text/html;base64,AAAA',
    'javascript:alert(1)',
    'xdata:image/png;base64,AAAA',
  ])('%j is refused', profileImageUrl => {
    refused({ profileImageUrl }, atClient);
  });
});

describe('the plan for metadata', () => {
  test.each([[null], [0], [false], [''], ['text'], [[]], [[1, [2, { a: null }]]], [{}], [{ b: 1, a: { c: [true] } }]])(
    '%j replaces the whole value of each tier',
    value => {
      expect(plan({ clientMetadata: value, clientReadOnlyMetadata: value, serverMetadata: value })).toEqual([
        { kind: 'clientMetadata', value },
        { kind: 'clientReadOnlyMetadata', value },
        { kind: 'serverMetadata', value },
      ]);
    },
  );

  // The JSON text has two quotes.
  const largest = 'ä'.repeat(metadataMaxBytes / 2 - 1);
  const tiers = ['clientMetadata', 'clientReadOnlyMetadata', 'serverMetadata'] as const;

  test.each(tiers)('%s accepts a value of the maximum size', tier => {
    expect(plan({ [tier]: largest })).toHaveLength(1);
  });

  test.each(tiers)('%s refuses a value that is one byte above the maximum size', tier => {
    refused({ [tier]: `${largest}a` });
  });
});

describe('the plan for passwords', () => {
  const bcrypt = `$2b$10$${'a'.repeat(53)}`;
  const ends: PlannedChange = { kind: 'endAllSessions' };

  test.each<[string, UserPatch, PlannedChange[]]>([
    ['a new password ends all sessions', { password: 'secret' }, [{ kind: 'password', value: 'secret' }, ends]],
    ['an empty password is accepted from a server', { password: '' }, [{ kind: 'password', value: '' }, ends]],
    [
      'null removes the password and ends all sessions',
      { password: null },
      [{ kind: 'passwordHash', value: null }, ends],
    ],
    ['a hash is stored as given', { passwordHash: bcrypt }, [{ kind: 'passwordHash', value: bcrypt }, ends]],
  ])('%s', (_, patch, changes) => {
    expect(plan(patch)).toEqual(changes);
  });

  test.each<UserPatch>([
    { password: 'secret', passwordHash: bcrypt },
    { password: null, passwordHash: bcrypt },
  ])('a password together with a hash is refused: %j', patch => refused(patch));

  const off = { ...config, credentialEnabled: false };

  test('a first password is refused when passwords are switched off', () => {
    const withoutPassword = { ...ada, hasPassword: false };
    refused({ password: 'secret' }, { user: withoutPassword, config: off });
    refused({ passwordHash: bcrypt }, { user: withoutPassword, config: off });
  });

  test('a password can be changed or removed when passwords are switched off', () => {
    expect(plan({ password: 'secret' }, { config: off })).toHaveLength(2);
    expect(plan({ password: null }, { config: off })).toHaveLength(2);
    expect(plan({ password: null }, { user: nameless, config: off })).toHaveLength(2);
  });

  test('a first password is refused for a user without a primary email', () => {
    refused({ password: 'secret' }, { user: nameless });
    refused({ passwordHash: bcrypt }, { user: nameless });
    refused({ password: 'secret', primaryEmail: null }, { user: { ...ada, hasPassword: false } });
  });

  test('a first password is accepted with a primary email in the same update', () => {
    const patch = { password: 'secret', primaryEmail: 'ada@example.com' };
    expect(plan(patch, { user: nameless }).map(({ kind }) => kind)).toEqual([
      'createPrimaryEmail',
      'password',
      'endAllSessions',
    ]);
  });
});

describe('control 8: imported hashes', () => {
  const salt = 'c29tZXNhbHQ';
  const output = 'RdescudvJCsgt3ub+b2dWRWJTmaaJObG';
  const argon2 = (parameters: string) => `$argon2id$v=19$${parameters}$${salt}$${output}`;

  test.each([
    `$2a$10$${'a'.repeat(53)}`,
    `$2b$04$${'./'.repeat(26)}Z`,
    `$2y$16$${'0'.repeat(53)}`,
    argon2('m=19456,t=2,p=1'),
    argon2('m=8,t=1,p=1'),
    argon2('m=262144,t=10,p=8'),
  ])('%s is accepted', passwordHash => {
    expect(plan({ passwordHash })[0]).toEqual({ kind: 'passwordHash', value: passwordHash });
  });

  test.each([
    ['text', 'secret'],
    ['too short', `$2b$10$${'a'.repeat(52)}`],
    ['too long', `$2b$10$${'a'.repeat(54)}`],
    ['of an unknown bcrypt version', `$2x$10$${'a'.repeat(53)}`],
    ['of too high a cost', `$2b$17$${'a'.repeat(53)}`],
    ['of a cost below the bcrypt minimum', `$2b$03$${'a'.repeat(53)}`],
    ['with a character outside the alphabet', `$2b$10$${'a'.repeat(52)}+`],
    ['followed by a line break', `$2b$10$${'a'.repeat(53)}\n`],
    ['argon2i', '$argon2i$v=19$m=4096,t=3,p=1$c29tZXNhbHQ$iWh06vD8Fy27wf9npn6FXWiCX4K6pW6Ue1Bnzz07Z8A'],
    ['of an old version', `$argon2id$v=16$m=19456,t=2,p=1$${salt}$${output}`],
    ['without a version', `$argon2id$m=19456,t=2,p=1$${salt}$${output}`],
    ['of too much memory', argon2('m=262145,t=2,p=1')],
    ['of too many passes', argon2('m=19456,t=11,p=1')],
    ['of zero passes', argon2('m=19456,t=0,p=1')],
    ['of too many lanes', argon2('m=19456,t=2,p=9')],
    ['of zero lanes', argon2('m=19456,t=2,p=0')],
    // The library cannot read these hashes; every sign-in would fail.
    ['of less memory than lanes need', argon2('m=15,t=2,p=2')],
    ['of zero memory', argon2('m=0,t=2,p=1')],
    ['with leading zeros', argon2('m=019456,t=2,p=1')],
    ['with a salt of a partial byte', `$argon2id$v=19$m=8,t=1,p=1$abcdabcdabcda$${output}`],
    ['with extra bits after the salt', `$argon2id$v=19$m=8,t=1,p=1$abcdabcdabd$${output}`],
    ['with an output of a partial byte', `$argon2id$v=19$m=8,t=1,p=1$${salt}$${'a'.repeat(33)}`],
  ])('a hash that is %s is refused', (_, passwordHash) => {
    refused({ passwordHash });
  });
});

describe('the plan for sign-in methods', () => {
  test.each<[string, UserPatch, Partial<UpdateContext>, PlannedChange[]]>([
    ['email codes on', { otpAuthEnabled: true }, {}, [{ kind: 'otpAuthEnabled', value: true }]],
    ['email codes off', { otpAuthEnabled: false }, {}, [{ kind: 'otpAuthEnabled', value: false }]],
    [
      'email codes on for a user who has them, in a project without them',
      { otpAuthEnabled: true },
      { user: { ...ada, otpAuthEnabled: true }, config: { ...config, magicLinkEnabled: false } },
      [{ kind: 'otpAuthEnabled', value: true }],
    ],
    ['passkeys off', { passkeyAuthEnabled: false }, {}, [{ kind: 'deletePasskeys' }]],
    ['second factor removed', { totpSecret: null }, {}, [{ kind: 'totpSecret', value: null }]],
    [
      'second factor set',
      { totpSecret: Uint8Array.of(1, 2) },
      {},
      [{ kind: 'totpSecret', value: Uint8Array.of(1, 2) }],
    ],
  ])('%s', (_, patch, context, changes) => {
    expect(plan(patch, context)).toEqual(changes);
  });

  test('email codes cannot be switched on in a project without them', () => {
    refused({ otpAuthEnabled: true }, { config: { ...config, magicLinkEnabled: false } });
  });

  test.each(['client', 'server', 'admin'] as const)('a passkey cannot be switched on at level %s', level => {
    refused({ passkeyAuthEnabled: true }, { level });
  });
});
