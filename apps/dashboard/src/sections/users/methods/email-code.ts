import type { EmailCodeState } from '@tessera/client';

/** Whether an email code signs a user in. The project has the method, and the user a verified address that signs in. */
export function signsInByCode(state: EmailCodeState, config: { readonly magicLinkEnabled: boolean }): boolean {
  return config.magicLinkEnabled && (state === 'on' || state === 'first_use');
}
