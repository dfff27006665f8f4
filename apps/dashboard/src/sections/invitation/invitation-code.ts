const storageKey = 'tessera-project-invitation';

/**
 * The code of the link, or the one that was kept while the user signed in. The fragment is sent neither to a proxy nor
 * in a Referer header.
 */
export function invitationCode(hash: string, storage: Pick<Storage, 'getItem'>): string | null {
  return new URLSearchParams(hash.replace(/^#/, '')).get('code') ?? storage.getItem(storageKey);
}

/** Keeps a code in this tab, because the return address of a sign-in is a query parameter and reaches server logs. */
export function keepInvitationCode(code: string, storage: Pick<Storage, 'setItem'>): void {
  storage.setItem(storageKey, code);
}

/** Forgets the code that was kept. */
export function forgetInvitationCode(storage: Pick<Storage, 'removeItem'>): void {
  storage.removeItem(storageKey);
}
