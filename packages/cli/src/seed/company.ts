import { formsOf, type Language, languages } from './names.ts';
import { createRandom, type Random } from './random.ts';

/** What is generated. The same values give the same company. */
export interface CompanyOptions {
  readonly name: string;
  /** Number of users; at least 1. */
  readonly users: number;
  /** The end of the history. */
  readonly nowMillis: number;
}

export interface User {
  readonly number: number;
  readonly id: string;
  readonly name: string;
  readonly address: string | null;
  readonly isVerified: boolean;
  readonly isAnonymous: boolean;
  readonly method: Method;
  readonly signedUpAtMillis: number;
  readonly lastActiveAtMillis: number;
  readonly place: Place;
  readonly ipAddress: string;
  readonly userAgent: string;
  /** The number of the team; undefined for users without a team. */
  readonly team: number | undefined;
}

type Method = 'password' | 'otp' | 'passkey' | 'google' | 'github' | 'microsoft' | 'anonymous';

interface Place {
  readonly ip: string;
  readonly countryCode: string;
  readonly regionCode: string;
  readonly cityName: string;
  readonly latitude: null;
  readonly longitude: null;
  readonly tzIdentifier: string;
}

export const seed = 20_260_701;
export const dayMs = 86_400_000;
export const historyDays = 60;
/** The company is two years old; the last 60 days have a history. */
const ageDays = 730;
const usersPerTeam = 12;
const maxTeams = 2_000;

/** No one has an address below `.example` (RFC 2606): an email or a code to a seeded user reaches no real person. */
const mailHosts = ['mail.example', 'mail.example', 'inbox.example', 'webmail.example', 'post.example'] as const;
const companies = ['northwind', 'globex', 'initech', 'hooli', 'umbrella', 'wayne', 'acme', 'stark'] as const;
const userAgents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
] as const;
const methods = [
  'password',
  'password',
  'password',
  'google',
  'google',
  'github',
  'otp',
  'otp',
  'passkey',
  'microsoft',
] as const;

export function isProvider(method: Method): boolean {
  return method === 'google' || method === 'github' || method === 'microsoft';
}

export function teamCount({ users }: CompanyOptions): number {
  return Math.min(maxTeams, Math.max(1, Math.floor(users / usersPerTeam / 3)));
}

/** A user by number: nothing is kept, so a million users need no memory. */
function userOf(number: number, options: CompanyOptions): User {
  const random = createRandom(seed, number);
  const id = random.uuid();
  // The first languages of the list have the most users.
  const language = languages[Math.floor(random.next() ** 2 * languages.length)] ?? languages[0];
  const { written, latin } = nameOf(language, random);
  const isAnonymous = random.chance(0.04);
  const method = isAnonymous ? 'anonymous' : random.pick(methods);
  const signedUpAtMillis = signUpTime(options, random);
  const isActive = random.chance(0.55);
  const sinceMs = options.nowMillis - signedUpAtMillis;
  // Active users were here within the last days; the others left some time after the sign-up.
  const lastActiveAtMillis = isActive
    ? options.nowMillis - Math.floor(random.next() ** 3 * Math.min(sinceMs, 20 * dayMs))
    : signedUpAtMillis + Math.floor(random.next() ** 2 * sinceMs * 0.6);
  const isAtWork = random.chance(0.35);
  const host = isAtWork ? `${random.pick(companies)}.example` : random.pick(mailHosts);
  // 198.18.0.0/15 is reserved for measurements (RFC 2544).
  const ipAddress = `198.18.${random.below(256)}.${1 + random.below(254)}`;
  return {
    number,
    id,
    name: written,
    address: isAnonymous ? null : `${latin}${number.toString(36)}@${host}`,
    isVerified: method !== 'password' || random.chance(0.8),
    isAnonymous,
    method,
    signedUpAtMillis,
    lastActiveAtMillis,
    place: {
      ip: ipAddress,
      countryCode: language.country,
      regionCode: language.region,
      cityName: language.city,
      latitude: null,
      longitude: null,
      tzIdentifier: language.timeZone,
    },
    ipAddress,
    userAgent: random.pick(userAgents),
    team: !isAnonymous && random.chance(0.4) ? random.below(teamCount(options)) : undefined,
  };
}

export function* usersOf(options: CompanyOptions): Generator<User> {
  for (let number = 0; number < options.users; number++) yield userOf(number, options);
}

function nameOf(language: Language, random: Random): { written: string; latin: string } {
  const first = formsOf(random.pick(language.firstNames));
  const last = formsOf(random.pick(language.lastNames));
  const separator = language.separator ?? ' ';
  const written = language.familyNameFirst
    ? `${last.written}${separator}${first.written}`
    : `${first.written}${separator}${last.written}`;
  return { written, latin: `${first.latin}.${last.latin}` };
}

/** Growth: half of all users have signed up in the last third of the time. */
function signUpTime({ nowMillis }: CompanyOptions, random: Random): number {
  return Math.floor(nowMillis - ageDays * dayMs * (1 - random.next() ** 0.6));
}

export function teamIdOf(team: number): string {
  return createRandom(seed + 1, team).uuid();
}

export function teamCreationTime(team: number, { nowMillis }: CompanyOptions): number {
  return nowMillis - (ageDays - (team % ageDays)) * dayMs;
}

const teamNames = ['Design', 'Platform', 'Growth', 'Finance', 'Support', 'Research', 'Field', 'Security'] as const;

export function teamNameOf(team: number): string {
  const random = createRandom(seed + 2, team);
  const company = random.pick(companies);
  const { city } = random.pick(languages);
  return `${company[0]?.toUpperCase()}${company.slice(1)} ${random.pick(teamNames)} ${city}`;
}
