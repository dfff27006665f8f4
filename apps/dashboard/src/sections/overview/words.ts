import { countOf } from '../count-of.ts';
import { titles } from '../titles.ts';
import type { Range } from './search.ts';

/** The words of the overview. */
export const words = {
  title: titles.overview,
  description: 'Who signs up, who comes back, and how they sign in.',
  totalUsers: 'Users',
  newUsers: (days: number) => `New in ${days} days`,
  activeToday: 'Active today',
  activeMonth: 'Active this month',
  range: 'Range',
  ranges: {
    7: '7 days',
    14: '14 days',
    31: '31 days',
    90: '90 days',
    180: '6 months',
    365: '12 months',
  } satisfies Record<Range, string>,
  months: 'Active users per month',
  monthsText: 'Different users who were seen in each of the last 12 calendar months.',
  unknownMonths: (count: number) =>
    count === 1
      ? 'One earlier month is left out: this server did not count it yet.'
      : `${count} earlier months are left out: this server did not count them yet.`,
  noMonths: 'No user was active in the last 12 months.',
  monthChart: (latest: number, months: number) =>
    `Active users per month: ${latest.toLocaleString('en')} this month, ${countOf(months, 'month')} shown`,
  signUps: 'Sign-ups per day',
  active: 'Active users per day',
  trends: 'Sign-ups and activity per day (UTC)',
  allUsers: 'All users, whatever the range',
  methods: 'Users by sign-in method',
  methodsText:
    'Methods that accounts have now. A user with two methods counts for both, and email codes count from the first one that the user signs in with.',
  countries: 'Users by country',
  countriesText: 'The country of the latest activity of each user.',
  recent: 'Newest users',
  noSignUps: 'There are no sign-ups in this range.',
  noActive: 'No user was active in this range.',
  noMethods: 'No user has a sign-in method yet.',
  noCountries: 'Countries appear when a proxy passes the location of your users.',
  noRecent: 'Users appear here when they sign up.',
  chart: (title: string, total: number, days: number) => `${title}: ${total.toLocaleString('en')} in ${days} days`,
  failed: 'Failed sign-ins, newest first',
  allFailed: 'Show them in the audit log',
  unknownAccount: 'No known account',
  noFailed: 'No sign-in failed.',
  /** Kinds of methods. Any other method is the id of a provider. */
  method: { password: 'Password', otp: 'Email code', passkey: 'Passkey', other: 'Other' } as Readonly<
    Record<string, string>
  >,
} as const;
