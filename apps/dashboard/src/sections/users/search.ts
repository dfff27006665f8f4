import type { UserFilter } from '@tessera/client';
import { readDay, readId, readOneOf, readText, readTexts, startOfDay } from '../../data/search-params.ts';

const yesOrNo = ['yes', 'no'] as const;
const methodPattern = /^[a-z0-9_-]{1,64}$/;

type YesOrNo = (typeof yesOrNo)[number];

/** The filters of the user list, as they are in the address. Days are local, as YYYY-MM-DD. */
export interface UserSearch {
  readonly q?: string;
  readonly order?: 'oldest';
  /** `password`, `otp`, `passkey`, or the id of an OAuth provider. */
  readonly method?: string;
  readonly verified?: YesOrNo;
  readonly factor?: YesOrNo;
  readonly anonymous?: YesOrNo;
  readonly suspended?: YesOrNo;
  readonly team?: string;
  readonly activeFrom?: string;
  readonly activeTo?: string;
  readonly joinedFrom?: string;
  readonly joinedTo?: string;
  /** Columns that are left out. */
  readonly hide?: readonly string[];
}

/** Reads the filters from an address. */
export function readUserSearch(search: Readonly<Record<string, unknown>>): UserSearch {
  const method = readText(search.method);
  const found = {
    q: readText(search.q),
    order: readOneOf(search.order, ['oldest']),
    method: method !== undefined && methodPattern.test(method) ? method : undefined,
    verified: readOneOf(search.verified, yesOrNo),
    factor: readOneOf(search.factor, yesOrNo),
    anonymous: readOneOf(search.anonymous, yesOrNo),
    suspended: readOneOf(search.suspended, yesOrNo),
    team: readId(search.team),
    activeFrom: readDay(search.activeFrom),
    activeTo: readDay(search.activeTo),
    joinedFrom: readDay(search.joinedFrom),
    joinedTo: readDay(search.joinedTo),
    hide: readTexts(search.hide),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** The filter of the SDK. The last day of a range is included. */
export function userFilterOf(search: UserSearch): UserFilter {
  const { q, order, method, verified, factor, anonymous, suspended, team } = search;
  const { activeFrom, activeTo, joinedFrom, joinedTo } = search;
  return {
    desc: order !== 'oldest',
    ...(q === undefined ? {} : { query: addressIn(q) ?? q }),
    ...(method === undefined ? {} : { method }),
    ...(verified === undefined ? {} : { isVerified: verified === 'yes' }),
    ...(factor === undefined ? {} : { hasSecondFactor: factor === 'yes' }),
    ...(anonymous === undefined ? {} : { isAnonymous: anonymous === 'yes' }),
    ...(suspended === undefined ? {} : { isSuspended: suspended === 'yes' }),
    ...(team === undefined ? {} : { teamId: team }),
    ...(activeFrom === undefined ? {} : { activeFrom: startOfDay(activeFrom, 0) }),
    ...(activeTo === undefined ? {} : { activeTo: startOfDay(activeTo, 1) }),
    ...(joinedFrom === undefined ? {} : { signedUpFrom: startOfDay(joinedFrom, 0) }),
    ...(joinedTo === undefined ? {} : { signedUpTo: startOfDay(joinedTo, 1) }),
  };
}

/** The address in what was copied from an email or a link: `Ada <ada@example.com>`, `mailto:ada@example.com`. */
function addressIn(pasted: string): string | undefined {
  return /^(?:mailto:|[^<>]*<)([^\s<>@]+@[^\s<>@]+)>?$/i.exec(pasted.trim())?.[1];
}

/** The number of filters, without the search and the order. */
export function filterCount({ q: _, order: __, hide: ___, ...filters }: UserSearch): number {
  return Object.keys(filters).length;
}

/** Whether the list may leave users out. */
export function isFiltered(search: UserSearch): boolean {
  return search.q !== undefined || filterCount(search) > 0;
}
