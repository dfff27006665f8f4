import { describe, expect, test } from 'vitest';
import { assertOtherMethod } from './last-method.ts';

const verified = { usedForAuth: true, isVerified: true };
const unverified = { usedForAuth: true, isVerified: false };
const contactOnly = { usedForAuth: false, isVerified: true };
const nothing = { hasPassword: false, otpAuthEnabled: false, passkeyCount: 0, oauthAccounts: [], channels: [verified] };
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
    [{ hasPassword: true, channels: [contactOnly, unverified] }, {}],
    [{ otpAuthEnabled: true, channels: [unverified, verified] }, {}],
    [{ passkeyCount: 1, channels: [] }, {}],
    [{ oauthAccounts: github, channels: [] }, {}],
    [{ hasPassword: true, passkeyCount: 2 }, { passkeyEnabled: false }],
  ])('a user who keeps %j in a project with %j passes', (methods, config) => {
    expect(() => assertOtherMethod({ ...nothing, ...methods }, { ...everything, ...config })).not.toThrow();
  });

  test.each([
    [{}, {}],
    [{ hasPassword: true }, { credentialEnabled: false }],
    [{ hasPassword: true, channels: [] }, {}],
    [{ hasPassword: true, channels: [contactOnly] }, {}],
    [{ otpAuthEnabled: true }, { magicLinkEnabled: false }],
    [{ otpAuthEnabled: true, channels: [] }, {}],
    [{ otpAuthEnabled: true, channels: [unverified, contactOnly] }, {}],
    [{ passkeyCount: 1 }, { passkeyEnabled: false }],
    [{ oauthAccounts: github }, { oauthProviders: [{ id: 'google' }] }],
  ])('a user who keeps %j in a project with %j is refused', (methods, config) => {
    expect(() => assertOtherMethod({ ...nothing, ...methods }, { ...everything, ...config })).toThrow(
      expect.objectContaining({ errorCode: 'LAST_SIGN_IN_METHOD' }),
    );
  });
});
