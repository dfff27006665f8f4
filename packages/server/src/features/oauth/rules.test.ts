import { isKnown } from '@tessera/protocol';
import { describe, expect, test } from 'vitest';
import { challengeOf } from './oauth.fixtures.ts';
import type { RawProfile } from './providers/profiles.ts';
import {
  type AccountFacts,
  cleanProfile,
  type FlowPurpose,
  ProviderFailure,
  planAccount,
  redirectProblem,
  scopesOf,
  withParameters,
} from './rules.ts';
import { fitsChallenge } from './token/pkce.ts';

const profile = {
  accountId: 'account',
  displayName: null,
  imageUrl: null,
  email: 'Ada@Example.com',
  isEmailVerified: true,
};
const unknownAccount: AccountFacts = { ownerId: undefined, emailOwner: undefined, linkedAccountIds: [] };
const config = {
  signUpEnabled: true,
  signUpRestrictions: { allowed: [], blocked: [] },
  oauthAccountMergeStrategy: 'link_method' as const,
};
const signIn: FlowPurpose = { type: 'authenticate', anonymousUserId: null, sessionId: null };
const link: FlowPurpose = { type: 'link', userId: 'ada', sessionId: null };
const verified = { userId: 'ada', isVerified: true };
const unverified = { userId: 'ada', isVerified: false };

/** The plan, or the code of the refusal. */
function planOf(purpose: FlowPurpose, facts: Partial<AccountFacts>, changes: object = {}): unknown {
  try {
    return planAccount(purpose, { ...profile, ...changes }, { ...unknownAccount, ...facts }, { ...config, ...changes });
  } catch (error) {
    return error instanceof Error && 'errorCode' in error ? error.errorCode : error;
  }
}

const create = { kind: 'create', usesEmailForAuth: true };
const duplicate = { kind: 'create', usesEmailForAuth: false };
const attach = { kind: 'attach', userId: 'ada' };
const use = { kind: 'use', userId: 'ada' };
const taken = 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE';
const allowDuplicates = { oauthAccountMergeStrategy: 'allow_duplicates' };
const raiseError = { oauthAccountMergeStrategy: 'raise_error' };
const blocked = { signUpRestrictions: { allowed: [], blocked: ['example.com'] } };
const othersAllowed = { signUpRestrictions: { allowed: ['other.example'], blocked: [] } };

test.each<[string, unknown, FlowPurpose, Partial<AccountFacts>, object]>([
  ['a known account signs in', use, signIn, { ownerId: 'ada' }, {}],
  ['a known account signs in while sign-up is off', use, signIn, { ownerId: 'ada' }, { signUpEnabled: false }],
  ['an unknown account signs up', create, signIn, {}, {}],
  ['a sign-up is refused while sign-up is off', 'SIGN_UP_NOT_ENABLED', signIn, {}, { signUpEnabled: false }],
  [
    'a merge is refused while sign-up is off',
    'SIGN_UP_NOT_ENABLED',
    signIn,
    { emailOwner: verified },
    { signUpEnabled: false },
  ],
  ['a sign-up with a blocked address is refused', 'EMAIL_ADDRESS_NOT_ALLOWED', signIn, {}, blocked],
  ['a known account with a blocked address signs in', use, signIn, { ownerId: 'ada' }, blocked],
  ['an existing user with a blocked address is merged', attach, signIn, { emailOwner: verified }, blocked],
  ['a provider account with a blocked address is linked', attach, link, {}, blocked],
  [
    'a separate user with a blocked address is refused under allow_duplicates',
    'EMAIL_ADDRESS_NOT_ALLOWED',
    signIn,
    { emailOwner: verified },
    { ...allowDuplicates, ...blocked },
  ],
  [
    'a sign-up without an address is refused where only others are allowed',
    'EMAIL_ADDRESS_NOT_ALLOWED',
    signIn,
    {},
    { email: null, ...othersAllowed },
  ],
  [
    'a sign-up without an address is accepted where others are blocked',
    create,
    signIn,
    {},
    { email: null, ...blocked },
  ],
  ['an address that both sides have verified is merged', attach, signIn, { emailOwner: verified }, {}],
  ['an address that the user has not verified is refused', taken, signIn, { emailOwner: unverified }, {}],
  [
    'an address that the provider has not verified is refused',
    taken,
    signIn,
    { emailOwner: verified },
    { isEmailVerified: false },
  ],
  ['a verified address is refused under raise_error', taken, signIn, { emailOwner: verified }, raiseError],
  [
    'a verified address makes a separate user under allow_duplicates',
    duplicate,
    signIn,
    { emailOwner: verified },
    allowDuplicates,
  ],
  ['a new account is linked', attach, link, {}, {}],
  ['a new account is linked while sign-up is off', attach, link, {}, { signUpEnabled: false }],
  [
    'a link to an account that the user has already changes nothing',
    use,
    link,
    { ownerId: 'ada', linkedAccountIds: ['account'] },
    {},
  ],
  [
    'a link to an account of another user is refused',
    'OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER',
    link,
    { ownerId: 'eve' },
    {},
  ],
  [
    'a link to a second account of the provider is refused',
    'USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION',
    link,
    { linkedAccountIds: ['other'] },
    {},
  ],
  [
    'another linked account is reported before another owner',
    'USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION',
    link,
    { ownerId: 'eve', linkedAccountIds: ['other'] },
    {},
  ],
])('%s', (_, expected, purpose, facts, changes) => {
  expect(planOf(purpose, facts, changes)).toEqual(expected);
});

test('the refusal of a taken address has its normalized spelling', () => {
  try {
    planAccount(signIn, profile, { ...unknownAccount, emailOwner: unverified }, config);
    expect.unreachable();
  } catch (error) {
    const details = { type: 'email', contact_channel_value: 'ada@example.com' };
    expect(isKnown(error, taken) && error.details).toEqual(details);
  }
});

const raw: RawProfile = { accountId: '1', isEmailVerified: true };

describe('the profile of a provider', () => {
  test.each<[Partial<RawProfile>, object]>([
    [{}, {}],
    [{ displayName: '', email: '', imageUrl: '' }, {}],
    [
      { displayName: 'A\0da', email: ' Ada@Example.com ' },
      { displayName: 'Ada', email: 'Ada@Example.com' },
    ],
    [{ displayName: '\ud800' }, { displayName: '\ufffd' }],
    [{ displayName: 'x'.repeat(20_000) }, { displayName: 'x'.repeat(10_000) }],
    [{ email: 'not an address' }, {}],
    [{ email: 'a@b@c' }, {}],
    [{ imageUrl: 'https://i.example/a.png' }, { imageUrl: 'https://i.example/a.png' }],
    [{ imageUrl: 'javascript:alert(1)' }, {}],
    [{ imageUrl: 'https://i.example/a b' }, {}],
    [{ imageUrl: `https://i.example/${'x'.repeat(1_000_000)}` }, {}],
  ])('%j is cleaned', (given, expected) => {
    const empty = { accountId: '1', displayName: null, imageUrl: null, email: null, isEmailVerified: true };
    expect(cleanProfile({ ...raw, ...given })).toEqual({ ...empty, ...expected });
  });

  test.each(['', '\0', 'x'.repeat(256)])('an account id of %j is refused', accountId => {
    expect(() => cleanProfile({ ...raw, accountId })).toThrow(ProviderFailure);
  });
});

test.each([
  [undefined, []],
  ['', []],
  ['  ', []],
  ['a', ['a']],
  ['a  b a', ['a', 'b']],
])('the scopes in %j are %j', (text, scopes) => {
  expect(scopesOf(text)).toEqual(scopes);
});

test('control 49: a verifier matches its own challenge, and has 43 to 128 characters', () => {
  const verifiers = ['v'.repeat(42), 'v'.repeat(43), 'v'.repeat(128), 'v'.repeat(129), ` ${'v'.repeat(43)}`];
  expect(verifiers.map(verifier => fitsChallenge(verifier, challengeOf(verifier)))).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
  expect(fitsChallenge(undefined, '')).toBe(false);
  expect(fitsChallenge('v'.repeat(43), 'v'.repeat(43))).toBe(false);
});

test.each([
  ['https://a.example/x', undefined],
  ['https://a.example/x/', 'refused'],
  ['HTTPS://a.example/x', 'refused'],
  ['https://a.example/x#', 'refused'],
  [undefined, 'malformed'],
  ['', 'malformed'],
  ['a.example/x', 'malformed'],
])('the redirect URI %j is %s', (given, problem) => {
  const domains = [{ domain: 'https://a.example', handlerPath: '/' }];
  expect(redirectProblem(given, 'https://a.example/x', { allowLocalhost: false, domains })).toBe(problem);
});

test.each([
  ['https://a.example', 'https://a.example/?code=c&state=a+b'],
  ['https://a.example/?x=%20&y', 'https://a.example/?x=%20&y&code=c&state=a+b'],
  ['https://a.example/?code=old&x=1&st%61te=old', 'https://a.example/?x=1&code=c&state=a+b'],
  ['myapp://callback', 'myapp://callback?code=c&state=a+b'],
])('parameters are added to %s', (address, expected) => {
  expect(withParameters(address, { code: 'c', state: 'a b' })).toBe(expected);
});
