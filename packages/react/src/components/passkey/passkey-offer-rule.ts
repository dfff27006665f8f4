import type { CurrentUser } from '@tessera/client';
import { openStorage } from '../../storage/browser-storage.ts';

/** Remembers in this browser that the offer was dismissed. */
export function dismissedOffer(projectId: string) {
  return openStorage('local', `tessera.passkey-offer.${projectId}`);
}

/** Whether this browser can offer a passkey of the device, and the offer was not dismissed in it. */
export async function mayOfferPasskey(projectId: string): Promise<boolean> {
  if (dismissedOffer(projectId).read() !== undefined) return false;
  const api: { isUserVerifyingPlatformAuthenticatorAvailable?(): Promise<boolean> } | undefined =
    globalThis.PublicKeyCredential;
  try {
    return (await api?.isUserVerifyingPlatformAuthenticatorAvailable?.()) ?? false;
  } catch (error) {
    // A policy of the page or the browser forbids passkeys.
    if (error instanceof DOMException) return false;
    throw error;
  }
}

/** Whether a passkey is useful to the user: the account has none, and its address is verified. */
export function wantsPasskey(user: Pick<CurrentUser, 'passkeyAuthEnabled' | 'primaryEmailVerified'> | null): boolean {
  return user?.passkeyAuthEnabled === false && user.primaryEmailVerified;
}
