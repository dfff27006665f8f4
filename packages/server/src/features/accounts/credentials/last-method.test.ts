import { describe, expect, test } from 'vitest';
import { assertOtherMethod } from './last-method.ts';

const nothing = { hasPassword: false, otpAuthEnabled: false, passkeyCount: 0, oauthAccounts: [] };
const everything = {
  credentialEnabled: true,
  magicLinkEnabled: true,
  passkeyEnabled: true,
  oauthProviders: [{ id: 'github' }],
};
const github = [{ id: 'github' }];

describe('assertOtherMethod', () => {
  test.each([
    [{ hasPassword: true }, {}],
    [{ otpAuthEnabled: true }, {}],
    [{ passkeyCount: 1 }, {}],
    [{ oauthAccounts: github }, {}],
    [{ hasPassword: true, passkeyCount: 2 }, { passkeyEnabled: false }],
  ])('a user who keeps %j in a project with %j passes', (methods, config) => {
    expect(() => assertOtherMethod({ ...nothing, ...methods }, { ...everything, ...config })).not.toThrow();
  });

  test.each([
    [{}, {}],
    [{ hasPassword: true }, { credentialEnabled: false }],
    [{ otpAuthEnabled: true }, { magicLinkEnabled: false }],
    [{ passkeyCount: 1 }, { passkeyEnabled: false }],
    [{ oauthAccounts: github }, { oauthProviders: [{ id: 'google' }] }],
  ])('a user who keeps %j in a project with %j is refused', (methods, config) => {
    expect(() => assertOtherMethod({ ...nothing, ...methods }, { ...everything, ...config })).toThrow(
      expect.objectContaining({ errorCode: 'LAST_SIGN_IN_METHOD' }),
    );
  });
});
