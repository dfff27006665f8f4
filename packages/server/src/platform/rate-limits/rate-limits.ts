/// <reference path="./rate-limiter-flexible.d.ts" />
import { type RateLimitName, rateLimits, signInsAtOncePerAccount, signInsWaitingPerAccount } from '@tessera/protocol';
import RateLimiterPostgres from 'rate-limiter-flexible/lib/RateLimiterPostgres.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import { type Database, onlyRow } from '../database/database.ts';
import type { DatabaseNotifications } from '../database/notifications.ts';
import { Statement, sql } from '../database/sql.ts';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';
import { failedSignInsTopic } from './failed-sign-ins.ts';
import { processMillis } from './process-clock.ts';
import { failedSignInLimits, type LimitedAccount, type LimitUse } from './uses.ts';

/** A limit is reached: a 429. */
export class LimitReached extends Error {
  override readonly name = 'LimitReached';

  readonly limit: RateLimitName;
  /** The account whose counter is exhausted; undefined for other counters. */
  readonly account: LimitedAccount | undefined;

  constructor(
    readonly retryAfterSeconds: number,
    reached: Pick<LimitUse, 'limit' | 'account'>,
  ) {
    super('a limit is reached');
    this.limit = reached.limit;
    this.account = reached.account;
  }
}

/** The state of a counter. */
export interface Spent {
  readonly key: string;
  readonly points: number;
  readonly expire: number;
}

/**
 * Limits that all processes share. They are counted in PostgreSQL, outside the caller's transaction. A reached limit is
 * cached in memory, so a refused attempt costs no query.
 */
export interface RateLimits {
  /** Counts one attempt on each counter, in their order. @throws LimitReached at the first one that is exhausted */
  spend(uses: readonly LimitUse[]): Promise<void>;
  /**
   * Checks a guess. It counts on each counter before the check and is taken back unless it is wrong: of a burst from many
   * address blocks, all guesses would find the counter unused otherwise.
   *
   * @returns whether the guess is right
   * @throws LimitReached at the first counter that is exhausted, without a check
   */
  guess(uses: readonly LimitUse[], isRight: () => Promise<boolean>): Promise<boolean>;
  /** Counts one attempt on each counter and never refuses: for attempts that have already happened. */
  count(uses: readonly LimitUse[]): Promise<void>;
  /** @throws LimitReached for a counter that this process knows to be exhausted */
  assertNotRemembered(uses: readonly LimitUse[]): void;
  /** @throws LimitReached for a counter that any process has exhausted */
  assertLeft(uses: readonly LimitUse[]): Promise<void>;
  /** Like `assertLeft`, as part of another statement: a column for it, and the check of its value. */
  check(uses: readonly LimitUse[]): { readonly spentColumn: Statement; assertLeft(spent: readonly Spent[]): void };
  /** Reads the counters of failed sign-ins again: what this process knows to be exhausted may have been removed. */
  forgetFailedSignIns(): void;
  /** Limits concurrency per key, so that attempts of a burst see the failures of earlier ones. */
  limitConcurrency<T>(use: LimitUse, work: () => Promise<T>): Promise<T>;
}

const busyRetrySeconds = 1;

interface RateLimitsDeps {
  readonly db: Database;
  readonly databaseNotifications: Pick<DatabaseNotifications, 'on' | 'onGap'>;
}

export function createRateLimits({ db, databaseNotifications }: RateLimitsDeps): RateLimits {
  const limiters = createLimiters(db);
  databaseNotifications.on(failedSignInsTopic, limiters.forgetFailedSignIns);
  databaseNotifications.onGap(limiters.forgetFailedSignIns);
  const concurrency = createConcurrencyLimiter({
    atOnce: signInsAtOncePerAccount,
    maxWaiting: signInsWaitingPerAccount,
  });

  async function consume(use: LimitUse): Promise<void> {
    try {
      await limiters.of(use).consume(use.key, use.cost);
    } catch (error) {
      throw error instanceof RateLimiterRes ? createLimitReached(use, error.msBeforeNext) : error;
    }
  }

  async function takeBack(use: LimitUse): Promise<void> {
    const limiter = limiters.of(use);
    await limiter.reward(use.key);
    // The attempt was the last one that the counter allows: the library remembers the counter as exhausted, and has no
    // public method for one key. The others are read again from their rows.
    if (limiter.getInMemoryBlockMsBeforeExpire(use.key) > 0) limiter.deleteInMemoryBlockedAll();
  }

  function assertNotRemembered(uses: readonly LimitUse[]): void {
    for (const use of uses) {
      const blockedMs = limiters.of(use).getInMemoryBlockMsBeforeExpire(use.key);
      if (blockedMs > 0) throw createLimitReached(use, blockedMs);
    }
  }

  function check(uses: readonly LimitUse[]) {
    return {
      spentColumn: sql`(
        select coalesce(json_agg(json_build_object('key', l.key, 'points', l.points, 'expire', l.expire)), '[]')
        from rate_limits l where l.key = any(${uses.map(({ key }) => key)}) and l.expire > ${processMillis()}
      ) as spent`,
      assertLeft(spent: readonly Spent[]) {
        for (const use of uses) {
          const counter = spent.find(one => one.key === use.key);
          if (counter !== undefined && counter.points >= use.points) {
            throw createLimitReached(use, counter.expire - processMillis());
          }
        }
      },
    };
  }

  async function spend(uses: readonly LimitUse[]): Promise<void> {
    // A refused attempt leaves no row: its narrower counters may belong to keys that the caller chooses freely.
    assertNotRemembered(uses);
    for (const use of uses) await consume(use);
  }

  return {
    spend,
    async guess(uses, isRight) {
      await spend(uses);
      let isWrong = false;
      try {
        isWrong = !(await isRight());
        return !isWrong;
      } finally {
        if (!isWrong) for (const use of uses) await takeBack(use);
      }
    },
    async count(uses) {
      const counted = await Promise.allSettled(uses.map(consume));
      const failure = counted.find(one => one.status === 'rejected' && !(one.reason instanceof LimitReached));
      if (failure?.status === 'rejected') throw failure.reason;
    },
    assertNotRemembered,
    async assertLeft(uses) {
      assertNotRemembered(uses);
      const { spentColumn, assertLeft } = check(uses);
      assertLeft(onlyRow(await db.query<{ spent: Spent[] }>(sql`select ${spentColumn}`)).spent);
    },
    check,
    forgetFailedSignIns: limiters.forgetFailedSignIns,
    async limitConcurrency(use, work) {
      const done = await concurrency.take(use.key, work);
      // Without the account: a burst needs no failed attempt, so events by account would have no bound.
      if (done === undefined) throw new LimitReached(busyRetrySeconds, { limit: use.limit });
      return done.value;
    },
  };
}

/** Limits nothing; for load runs. */
export const noRateLimits: RateLimits = {
  spend: async () => undefined,
  guess: (_, isRight) => isRight(),
  count: async () => undefined,
  assertNotRemembered: () => undefined,
  assertLeft: async () => undefined,
  check: () => ({ spentColumn: sql`'[]'::json as spent`, assertLeft: () => undefined }),
  forgetFailedSignIns: () => undefined,
  limitConcurrency: (_, work) => work(),
};

function createLimitReached(use: LimitUse, waitMs: number): LimitReached {
  return new LimitReached(Math.max(1, Math.ceil(waitMs / 1000)), use);
}

/** A method of the library that its types do not declare (11.4.0). */
type Limiter = RateLimiterPostgres & { getInMemoryBlockMsBeforeExpire(key: string): number };

/** One limiter per limit and maximum: projects may set their own. */
function createLimiters(db: Database) {
  const known = new Map<string, Limiter>();
  const ofFailedSignIns = new Set<Limiter>();
  const storeClient = {
    async query({ name, text, values }: { name?: string; text: string; values: unknown[] }) {
      const rows = await db.asyncCommit.query(new Statement(name, text, values, [text], []));
      return { rows, rowCount: rows.length };
    },
  };

  function create(limit: RateLimitName, points: number): Limiter {
    return new RateLimiterPostgres({
      storeClient,
      storeType: 'client',
      tableName: 'rate_limits',
      // Our migration creates the table, and our purge deletes expired rows.
      tableCreated: true,
      clearExpiredByTimeout: false,
      // The keys contain the name of their limit.
      keyPrefix: '',
      points,
      duration: rateLimits[limit].windowMs / 1000,
      inMemoryBlockOnConsumed: points,
    }) as Limiter;
  }

  return {
    of({ limit, points }: LimitUse): Limiter {
      const name = `${limit} ${points}`;
      const limiter = known.get(name) ?? create(limit, points);
      known.set(name, limiter);
      if (failedSignInLimits.some(one => one === limit)) ofFailedSignIns.add(limiter);
      return limiter;
    },
    forgetFailedSignIns(): void {
      for (const limiter of ofFailedSignIns) limiter.deleteInMemoryBlockedAll();
    },
  };
}
