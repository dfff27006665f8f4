import { openStorage, type StoredString } from '../storage/browser-storage.ts';

/**
 * The address that is being typed, kept in this tab so that a reload, or going from sign-in to sign-up, keeps it.
 * Passwords are never kept.
 */
export function emailDraft(projectId: string): StoredString {
  return openStorage('session', `tessera.email-draft.${projectId}`);
}
