import { openStorage, type StoredString } from '../storage/browser-storage.ts';

/**
 * The typed email address, stored in this tab so that a reload, or the way from sign-in to sign-up, keeps it. Passwords
 * are never stored.
 */
export function emailDraft(projectId: string): StoredString {
  return openStorage('session', `tessera.email-draft.${projectId}`);
}
