import type { AuditAction } from '@tessera/protocol';
import type { Row } from '../transfer/tables.ts';
import { type CompanyOptions, dayMs, historyDays, type User, usersOf } from './company.ts';
import { createRandom, type Random } from './random.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;
const seed = 20_260_702;

/** Attackers guess at the password of one user in so many, when that user has one. */
const attackedEvery = 100;

/** The activity of the last 60 days: metrics and last-active times are counted from it. */
export function* activityRows(options: CompanyOptions): Generator<Row> {
  for (const user of usersOf(options)) {
    for (const atMillis of activeTimesOf(user, options)) {
      yield { kind: 'activity', user_id: user.id, data: user.place, at_millis: atMillis };
    }
  }
}

/**
 * On working days more than at weekends, during the day more than at night. The first one of a new user is the sign-up, the
 * last one the user's last activity.
 */
function activeTimesOf(user: User, { nowMillis }: CompanyOptions): number[] {
  const random = createRandom(seed, user.number);
  const historyBeginsAt = nowMillis - historyDays * dayMs;
  if (user.lastActiveAtMillis < historyBeginsAt) return [];
  const isNew = user.signedUpAtMillis >= historyBeginsAt;
  const beginsAt = isNew ? user.signedUpAtMillis : historyBeginsAt;
  const intervalMs = (1 + random.next() ** 2 * 12) * dayMs;
  const times: number[] = [];
  for (let at = beginsAt + random.next() * intervalMs; at < user.lastActiveAtMillis; at += intervalMs) {
    const weekday = new Date(at).getUTCDay();
    const isWeekend = weekday === 0 || weekday === 6;
    if (isWeekend && random.chance(0.6)) continue;
    const day = Math.floor(at / dayMs) * dayMs;
    times.push(Math.floor(day + (7 + random.next() * 14) * hourMs));
  }
  const between = times.filter(at => at > beginsAt && at < user.lastActiveAtMillis);
  return [...new Set([...(isNew ? [beginsAt] : []), ...between, user.lastActiveAtMillis])];
}

/** Sign-ups, sign-ins and failed sign-ins of the last 60 days, oldest user first. */
export function* auditRows(options: CompanyOptions): Generator<Row> {
  const sinceMillis = options.nowMillis - historyDays * dayMs;
  for (const user of usersOf(options)) {
    if (user.lastActiveAtMillis < sinceMillis) continue;
    const random = createRandom(seed + 1, user.number);
    for (const event of eventsOf(user, options, random)) {
      if (event.at_millis >= sinceMillis && event.at_millis <= options.nowMillis) yield event;
    }
    if (user.method === 'password' && user.number % attackedEvery === 0) yield* guessesAt(user, options, random);
  }
}

interface AuditRow extends Row {
  readonly at_millis: number;
}

function eventsOf(user: User, options: CompanyOptions, random: Random): AuditRow[] {
  const { method } = user;
  const event = (action: AuditAction, atMillis: number, details: object | null): AuditRow => ({
    at_millis: atMillis,
    id: random.uuid(),
    action,
    actor_type: 'user',
    actor_id: user.id,
    user_id: user.id,
    address: user.ipAddress,
    user_agent: user.userAgent,
    details,
  });
  const signUp = [
    event('user.created', user.signedUpAtMillis, { method }),
    event('sign_in.succeeded', user.signedUpAtMillis + 40, { method, is_new_user: true }),
  ];
  // No one signs in to an anonymous account again.
  const signIns = (user.isAnonymous ? [] : activeTimesOf(user, options))
    .filter(at => at > user.signedUpAtMillis + minuteMs && random.chance(0.3))
    .flatMap(at => {
      const mistyped = method === 'password' && random.chance(0.2);
      const failed = event('sign_in.failed', at - 12_000, { method, reason: 'EMAIL_PASSWORD_MISMATCH' });
      const succeeded = event('sign_in.succeeded', at, { method, is_new_user: false });
      return mistyped ? [{ ...failed, actor_type: 'client', actor_id: null }, succeeded] : [succeeded];
    });
  return [...signUp, ...signIns];
}

/** An hour of guesses from one address that did not succeed. */
function* guessesAt(user: User, { nowMillis }: CompanyOptions, random: Random): Generator<AuditRow> {
  const earliest = Math.max(user.signedUpAtMillis, nowMillis - 20 * dayMs);
  const latest = nowMillis - hourMs;
  if (earliest > latest) return;
  const beginsAt = Math.floor(earliest + random.next() * (latest - earliest));
  const address = `198.51.100.${1 + random.below(254)}`;
  for (let guess = 0; guess < 10; guess++) {
    yield {
      at_millis: beginsAt + guess * 45_000,
      id: random.uuid(),
      action: 'sign_in.failed',
      actor_type: 'client',
      actor_id: null,
      user_id: user.id,
      address,
      user_agent: 'python-requests/2.32.3',
      details: { method: 'password', reason: 'EMAIL_PASSWORD_MISMATCH' },
    };
  }
}
