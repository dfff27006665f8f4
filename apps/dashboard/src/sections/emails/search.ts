import { emailMaxLength } from '@tessera/client/internals';
import { readId, readOneOf, readText } from '../../data/search-params.ts';

/** The filters of the email log and the email that is open, as they are in the address. */
export interface EmailLogSearch {
  readonly state?: 'accepted' | 'failed';
  /** Emails to this user. */
  readonly user?: string;
  /** Copies of this message. */
  readonly message?: string;
  /** Emails to addresses with this text. */
  readonly to?: string;
  /** The attempt that is open. */
  readonly email?: string;
}

/** Reads the filters from an address. */
export function readEmailLogSearch(search: Readonly<Record<string, unknown>>): EmailLogSearch {
  return withoutUndefined({
    state: readOneOf(search.state, ['accepted', 'failed']),
    user: readId(search.user),
    message: readId(search.message),
    to: readText(search.to)?.trim().slice(0, emailMaxLength),
    email: readId(search.email),
  });
}

/** Reads the recipients of a new message from the URL. */
export function readComposeSearch(search: Readonly<Record<string, unknown>>): {
  readonly user?: string;
  readonly team?: string;
} {
  return withoutUndefined({ user: readId(search.user), team: readId(search.team) });
}

function withoutUndefined(found: object) {
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}
