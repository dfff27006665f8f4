import { emailMaxLength } from '@tessera/client/internals';
import { readOneOf } from '../../data/search-params.ts';

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

const ids = ['user', 'message', 'email'] as const;
const idPattern = /^[0-9a-f-]{36}$/i;

/** Reads the filters from an address. */
export function readEmailLogSearch(search: Readonly<Record<string, unknown>>): EmailLogSearch {
  const state = readOneOf(search.state, ['accepted', 'failed']);
  const given = ids.filter(name => typeof search[name] === 'string' && idPattern.test(search[name]));
  const to = typeof search.to === 'string' ? search.to.trim().slice(0, emailMaxLength) : '';
  return {
    ...(state !== undefined && { state }),
    ...(to !== '' && { to }),
    ...Object.fromEntries(given.map(name => [name, search[name]])),
  };
}

/** Reads the recipients of a new message from the URL. */
export function readComposeSearch(search: Readonly<Record<string, unknown>>): {
  readonly user?: string;
  readonly team?: string;
} {
  const given = (['user', 'team'] as const).filter(
    name => typeof search[name] === 'string' && idPattern.test(search[name]),
  );
  return Object.fromEntries(given.map(name => [name, search[name]]));
}
