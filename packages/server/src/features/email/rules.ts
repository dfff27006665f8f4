import type { AddressedOwner } from '../projects/index.ts';
import { isWanted, type NotificationCategory } from './notifications/rules.ts';

/** The receiving user of an email. */
export interface Addressee {
  readonly id: string;
  readonly primaryEmail: string | null;
  /** The user's choice for the category; null without a choice. */
  readonly isWanted: boolean | null;
}

/** The result for one recipient: an email in the queue, or a refusal. */
export type Sending =
  | { readonly givenId: string; readonly userId: string; readonly address: string; readonly refusal: null }
  | { readonly givenId: string; readonly address: string | null; readonly refusal: string };

/**
 * Decides by the first refusal in the contract's order (docs/contract/emails-webhooks-metrics.md#sending-to-users).
 *
 * @param givenId as the caller wrote it
 * @param renderingError why the content cannot be rendered, null when it can
 */
export function planSending(
  givenId: string,
  addressee: Addressee | undefined,
  { category, renderingError }: { category: NotificationCategory; renderingError: string | null },
): Sending {
  const refuseRecipient = (refusal: string, address: string | null = null) => ({ givenId, address, refusal });
  if (addressee === undefined) return refuseRecipient('There is no such user.');
  if (!isWanted(category, addressee.isWanted))
    return refuseRecipient(`The user has unsubscribed from the category ${category.name}.`);
  const { id: userId, primaryEmail: address } = addressee;
  if (address === null) return refuseRecipient('The user has no primary email address.');
  if (renderingError !== null) return refuseRecipient(`The email cannot be rendered: ${renderingError}`, address);
  return { givenId, userId, address, refusal: null };
}

/** The failed emails of a project, with its owners. */
export interface FailedEmails {
  readonly projectId: string;
  readonly displayName: string;
  readonly owners: readonly AddressedOwner[];
  /** All failed emails, including those that are not listed. */
  readonly count: number;
  /** Newest first. */
  readonly listed: readonly { readonly subject: string; readonly to: readonly string[] }[];
}

/** `one email`, `12 emails` */
export function mailsInWords(count: number): string {
  return count === 1 ? 'one email' : `${count} emails`;
}

/** Shortens a text to a number of characters without splitting an emoji. */
export function shorten(text: string, maxLength: number): string {
  const characters = [...text];
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`;
}
