import type {
  Answer,
  Input,
  signInBlockEndpoints,
  userAdministrationEndpoints,
  userSuspensionEndpoints,
} from '@tessera/protocol';
import type { SignInBlock } from '../../platform/rate-limits/index.ts';
import {
  type FilteredUser,
  type Suspension,
  searchWords,
  serverUser,
  type UserConditions,
} from '../accounts/users/index.ts';
import type { FilteredQuery } from './listing.ts';

type ExportQuery = Input<typeof userAdministrationEndpoints.export>['query'];

/** A user of the filtered list. */
export function filteredUser(user: FilteredUser) {
  const { emailCode: email_code, suspendedAtMillis: suspended_at_millis, wasActive: was_active } = user;
  return { ...serverUser(user), email_code, suspended_at_millis, was_active };
}

/** The filter of a query, from its first user on. */
export function filteredQuery(query: ExportQuery): FilteredQuery {
  return {
    at: undefined,
    isDescending: query.desc === true,
    search: searchWords(query.query),
    teamId: query.team_id,
    conditions: conditionsOf(query),
  };
}

function conditionsOf(query: ExportQuery): UserConditions {
  return {
    method: query.method,
    hasSecondFactor: query.has_second_factor,
    isVerified: query.is_verified,
    isAnonymous: query.is_anonymous,
    isSuspended: query.is_suspended,
    activeFromMillis: query.active_from_millis,
    activeToMillis: query.active_to_millis,
    signedUpFromMillis: query.signed_up_from_millis,
    signedUpToMillis: query.signed_up_to_millis,
  };
}

type SignInBlockView = Answer<typeof signInBlockEndpoints.list>['items'][number];

export function signInBlockView({ limit, from, untilMillis }: SignInBlock): SignInBlockView {
  return { limit, from, until_millis: untilMillis };
}

type SuspensionView = Answer<typeof userSuspensionEndpoints.suspend>['suspension'];

export function suspensionView({ suspendedAtMillis, reason }: Suspension): SuspensionView {
  return { suspended_at_millis: suspendedAtMillis, reason };
}
