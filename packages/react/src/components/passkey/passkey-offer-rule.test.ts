import { afterEach, describe, expect, test, vi } from 'vitest';
import { dismissedOffer, mayOfferPasskey, wantsPasskey } from './passkey-offer-rule.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

const device = (answer: () => Promise<boolean>) =>
  vi.stubGlobal('PublicKeyCredential', { isUserVerifyingPlatformAuthenticatorAvailable: answer });

describe('a passkey', () => {
  test('is offered where the device has passkeys', async () => {
    device(async () => true);
    expect(await mayOfferPasskey('p')).toBe(true);
    device(async () => false);
    expect(await mayOfferPasskey('p')).toBe(false);
    device(() => Promise.reject(new DOMException('forbidden')));
    expect(await mayOfferPasskey('p')).toBe(false);
    vi.stubGlobal('PublicKeyCredential', undefined);
    expect(await mayOfferPasskey('p')).toBe(false);
  });

  test('is not offered again in the browser and project in which the offer was dismissed', async () => {
    device(async () => true);
    dismissedOffer('p').write('yes');
    expect(await mayOfferPasskey('p')).toBe(false);
    expect(await mayOfferPasskey('other')).toBe(true);
  });

  test.each([
    [{ passkeyAuthEnabled: false, primaryEmailVerified: true }, true],
    [{ passkeyAuthEnabled: true, primaryEmailVerified: true }, false],
    [{ passkeyAuthEnabled: false, primaryEmailVerified: false }, false],
    [null, false],
  ])('of a user with %j is useful: %s', (user, expected) => {
    expect(wantsPasskey(user)).toBe(expected);
  });
});
