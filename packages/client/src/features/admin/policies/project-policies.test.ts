import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { internals } from '../../../app/internals-symbol.ts';
import { openAdmin } from '../../../test/apps.ts';
import { levels, sent } from '../../../test/signed-in.ts';
import { soon } from '../../../test/soon.ts';
import { json } from '../../../test/stub-server.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const extension = '/api/v1/internal/extensions';

const limits = {
  failed_sign_ins_per_account: 3,
  failed_sign_ins_per_address: null,
  mails_per_recipient: 4,
  mails_per_address: null,
  mails_per_project: 5,
  sign_ups_per_address: null,
};

test('each group is read with the names of the SDK', async () => {
  const { app, server } = openAdmin({
    [`GET ${extension}/anonymous-users`]: () => json({ enabled: true }),
    [`GET ${extension}/password-policy`]: () => json({ refuses_weak_passwords: null }),
    [`GET ${extension}/passkey-policy`]: () => json({ counts_as_both_factors: true }),
    [`GET ${extension}/email-verification`]: () => json({ asks_for_code: true }),
    [`GET ${extension}/account-deletion`]: () => json({ cooling_off_days: 14 }),
    [`GET ${extension}/sign-in-notices`]: () => json({ enabled: false }),
    [`GET ${extension}/session-policy`]: () =>
      json({
        lifetime_millis: 1,
        idle_lifetime_millis: null,
        fresh_sign_in_within_millis: 2,
        rotates_refresh_tokens: true,
      }),
    [`GET ${extension}/sign-up-restrictions`]: () => json({ allowed: ['shop.example'], blocked: [] }),
    [`GET ${extension}/invitations`]: () => json({ bound_to_address: true }),
    [`GET ${extension}/limits`]: () => json(limits),
    [`GET ${extension}/audit-log-settings`]: () => json({ retention_days: 30 }),
    [`GET ${extension}/branding`]: () => json({ logo_url: null, color: '#4338ca', postal_address: 'Berlin' }),
  });
  expect(await soon(app.getAnonymousUserSettings())).toEqual({ enabled: true });
  expect(await soon(app.getPasswordPolicy())).toEqual({ refusesWeakPasswords: null });
  expect(await soon(app.getPasskeyPolicy())).toEqual({ countsAsBothFactors: true });
  expect(await soon(app.getEmailVerificationSettings())).toEqual({ asksForCode: true });
  expect(await soon(app.getAccountDeletionSettings())).toEqual({ coolingOffDays: 14 });
  expect(await soon(app.getSignInNoticeSettings())).toEqual({ enabled: false });
  expect(await soon(app.getSessionPolicy())).toEqual({
    lifetimeMillis: 1,
    idleLifetimeMillis: null,
    freshSignInWithinMillis: 2,
    rotatesRefreshTokens: true,
  });
  expect(await soon(app.getSignUpRestrictions())).toEqual({ allowed: ['shop.example'], blocked: [] });
  expect(await soon(app.getInvitationSettings())).toEqual({ boundToAddress: true });
  expect(await soon(app.getLimits())).toEqual({
    failedSignInsPerAccount: 3,
    failedSignInsPerAddress: null,
    emailsPerRecipient: 4,
    emailsPerAddress: null,
    emailsPerProject: 5,
    signUpsPerAddress: null,
  });
  expect(await soon(app.getAuditLogSettings())).toEqual({ retentionDays: 30 });
  expect(await soon(app.getBranding())).toEqual({ logoUrl: null, color: '#4338ca', postalAddress: 'Berlin' });
  expect(new Set(levels(server))).toEqual(new Set(['admin']));
});

test('an update sends only what it names', async () => {
  const { app, server } = openAdmin({ '*': () => json({}) });
  await soon(app.updateAnonymousUserSettings({ enabled: false }));
  await soon(app.updatePasswordPolicy({ refusesWeakPasswords: null }));
  await soon(app.updatePasskeyPolicy({ countsAsBothFactors: true }));
  await soon(app.updateEmailVerificationSettings({ asksForCode: false }));
  await soon(app.updateAccountDeletionSettings({ coolingOffDays: 0 }));
  await soon(app.updateSignInNoticeSettings({ enabled: true }));
  await soon(app.updateSessionPolicy({ idleLifetimeMillis: null, rotatesRefreshTokens: true }));
  await soon(app.updateSignUpRestrictions({ blocked: ['rival.example'] }));
  await soon(app.updateInvitationSettings({ boundToAddress: true }));
  await soon(app.updateLimits({ emailsPerProject: 7, signUpsPerAddress: null }));
  await soon(app.updateAuditLogSettings({ retentionDays: 90 }));
  await soon(app.updateBranding({ logoUrl: null }));
  expect(sent(server)).toEqual([
    'PATCH /internal/extensions/anonymous-users {"enabled":false}',
    'PATCH /internal/extensions/password-policy {"refuses_weak_passwords":null}',
    'PATCH /internal/extensions/passkey-policy {"counts_as_both_factors":true}',
    'PATCH /internal/extensions/email-verification {"asks_for_code":false}',
    'PATCH /internal/extensions/account-deletion {"cooling_off_days":0}',
    'PATCH /internal/extensions/sign-in-notices {"enabled":true}',
    'PATCH /internal/extensions/session-policy {"idle_lifetime_millis":null,"rotates_refresh_tokens":true}',
    'PATCH /internal/extensions/sign-up-restrictions {"blocked":["rival.example"]}',
    'PATCH /internal/extensions/invitations {"bound_to_address":true}',
    'PATCH /internal/extensions/limits {"mails_per_project":7,"sign_ups_per_address":null}',
    'PATCH /internal/extensions/audit-log-settings {"retention_days":90}',
    'PATCH /internal/extensions/branding {"logo_url":null}',
  ]);
});

test('an empty update of a single setting sends nothing', async () => {
  const { app, server } = openAdmin();
  await soon(app.updatePasswordPolicy({}));
  expect(sent(server)).toEqual([]);
});

test('listeners receive the policy after an update', async () => {
  let enabled = false;
  const { app } = openAdmin({
    [`GET ${extension}/anonymous-users`]: () => json({ enabled }),
    [`PATCH ${extension}/anonymous-users`]: () => {
      enabled = true;
      return json({ enabled });
    },
  });
  const reader = app[internals].reads.getAnonymousUserSettings.reader();
  reader.subscribe(() => {});
  expect(await soon(reader.refresh())).toMatchObject({ data: { enabled: false } });
  await soon(app.updateAnonymousUserSettings({ enabled: true }));
  expect(reader.peek()).toMatchObject({ data: { enabled: true } });
});
