import { titles } from '../titles.ts';

/** The words of the overview. */
export const words = {
  title: titles.overview,
  description: 'Who signs up, who comes back, and how they sign in.',
  totalUsers: 'Users',
  newUsers: (days: number) => `New in ${days} days`,
  activeToday: 'Active today',
  activeMonth: 'Most active day',
  range: 'Range',
  days: (days: number) => `${days} days`,
  signUps: 'Sign-ups per day',
  active: 'Active users per day',
  methods: 'Sign-ins by method',
  countries: 'Users by country',
  recent: 'Newest users',
  noSignUps: 'There are no sign-ups in this range.',
  noActive: 'No user was active in this range.',
  noMethods: 'The methods appear after the first sign-in.',
  noCountries: 'Countries appear when a proxy passes the location of your users.',
  noRecent: 'Users appear here when they sign up.',
  chart: (title: string, total: number, days: number) => `${title}: ${total.toLocaleString('en')} in ${days} days`,
  failed: 'Failed sign-ins, newest first',
  noFailed: 'No sign-in failed.',
  method: {
    password: 'Password',
    otp: 'Email code',
    passkey: 'Passkey',
    totp: 'Second factor',
    recovery_code: 'Recovery code',
    anonymous: 'Anonymous',
  } as Readonly<Record<string, string>>,
} as const;
