import { isWanted, type NotificationCategory } from './notifications/rules.ts';

/** What is known of a user who is written to. */
export interface Addressee {
  readonly id: string;
  readonly primaryEmail: string | null;
  /** What the user chose for the category; null for no choice. */
  readonly isWanted: boolean | null;
}

/** What comes of one letter: posted to an address, or refused for a reason. */
export type Sending =
  | { readonly givenId: string; readonly userId: string; readonly address: string; readonly refusal: null }
  | { readonly givenId: string; readonly address: string | null; readonly refusal: string };

/**
 * The first reason that applies, in the contract's order (docs/contract/emails-webhooks-metrics.md#sending-to-users).
 *
 * @param givenId as the caller wrote it
 * @param renderingError why the text cannot be shown, null when it can
 */
export function planSending(
  givenId: string,
  addressee: Addressee | undefined,
  { category, renderingError }: { category: NotificationCategory; renderingError: string | null },
): Sending {
  const refused = (refusal: string, address: string | null = null) => ({ givenId, address, refusal });
  if (addressee === undefined) return refused('There is no such user.');
  if (!isWanted(category, addressee.isWanted))
    return refused(`The user does not want mail of the category ${category.name}.`);
  const { id: userId, primaryEmail: address } = addressee;
  if (address === null) return refused('The user has no primary e-mail.');
  if (renderingError !== null) return refused(`The mail cannot be rendered: ${renderingError}`, address);
  return { givenId, userId, address, refusal: null };
}

/** Failed attempts of a project, with those who are told of them. */
export interface FailedEmails {
  readonly projectId: string;
  readonly displayName: string;
  readonly ownerAddresses: readonly string[];
  /** Of all, also those that are not listed. */
  readonly count: number;
  /** Newest first. */
  readonly listed: readonly { readonly subject: string; readonly to: readonly string[] }[];
}

/** `one mail`, `12 mails` */
export function mailsInWords(count: number): string {
  return count === 1 ? 'one mail' : `${count} mails`;
}

/** A text cut to so many characters, which no emoji is cut in two by. */
export function shortened(text: string, maxLength: number): string {
  const characters = [...text];
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`;
}
