import type { MessageAudience } from '@tessera/client';
import { messageUsersMax } from '@tessera/client/internals';
import { isId, readDay, startOfDay } from '../../../data/search-params.ts';

/** The audience as it is filled in. */
export interface AudienceValues {
  readonly type: MessageAudience['type'];
  readonly teamId: string;
  readonly userIds: string;
  readonly verified: 'any' | 'yes' | 'no';
  /** Local days as `YYYY-MM-DD`; empty for no condition. */
  readonly signedUpFrom: string;
  readonly signedUpTo: string;
  readonly activeFrom: string;
  readonly activeTo: string;
}

export const everyone: AudienceValues = {
  type: 'all',
  teamId: '',
  userIds: '',
  verified: 'any',
  signedUpFrom: '',
  signedUpTo: '',
  activeFrom: '',
  activeTo: '',
};

interface Recipients {
  readonly user?: string | undefined;
  readonly team?: string | undefined;
  /** Ids of users who were selected in the list of users. */
  readonly selected: readonly string[];
}

/** The audience with which a new message begins. */
export function firstAudience({ user, team, selected }: Recipients): AudienceValues {
  if (user !== undefined) return { ...everyone, type: 'users', userIds: user };
  if (team !== undefined) return { ...everyone, type: 'team', teamId: team };
  return selected.length === 0 ? everyone : { ...everyone, type: 'users', userIds: selected.join('\n') };
}

/** The conditions that are days. */
export const audienceDays = ['signedUpFrom', 'signedUpTo', 'activeFrom', 'activeTo'] as const;

/** The audience of the API; undefined while it is not complete. A day begins in the time zone of the browser. */
export function audienceOf(values: AudienceValues): MessageAudience | undefined {
  switch (values.type) {
    case 'all':
      return { type: 'all' };
    case 'team':
      return values.teamId === '' ? undefined : { type: 'team', teamId: values.teamId };
    case 'users': {
      const userIds = [...new Set(values.userIds.split(/[\s,;]+/).filter(id => id !== ''))];
      const isValid = userIds.length > 0 && userIds.length <= messageUsersMax && userIds.every(isId);
      return isValid ? { type: 'users', userIds } : undefined;
    }
    case 'filter':
      return filterOf(values);
  }
}

function filterOf(values: AudienceValues): MessageAudience | undefined {
  const given = audienceDays.filter(name => values[name] !== '');
  if (given.some(name => readDay(values[name]) === undefined)) return undefined;
  const isVerified = values.verified === 'any' ? {} : { isVerified: values.verified === 'yes' };
  // A filter without a condition is the choice "all users".
  if (values.verified === 'any' && given.length === 0) return undefined;
  return {
    type: 'filter',
    ...isVerified,
    ...Object.fromEntries(given.map(name => [name, startOfDay(values[name], 0)])),
  };
}
