/** A bounded queue of several owners, who are served in turn by the time that their work takes. */
export interface FairQueue<T> {
  /** Adds an item. @returns the item that lost its place because the queue is full: the last one of the owner with most work */
  push(owner: string, item: T): T | undefined;
  /** Takes the first item of the owner whose turn it is. */
  shift(): T | undefined;
  /** Charges an owner for work that starts now, whether or not it has waited. @returns to call at the end of the work */
  begin(owner: string): () => void;
  size(): number;
}

interface Account<T> {
  readonly owner: string;
  readonly items: T[];
  /** When the next work of the owner would start if the owners shared one worker equally, on a clock of the queue. */
  startMs: number;
  /** What the work of the owner takes on average. */
  costMs: number;
}

interface FairQueueOptions {
  readonly maxSize: number;
  /** What the first work of an owner is expected to take. */
  readonly expectedMs: number;
  /** The monotonic clock. */
  readonly nowMs: () => number;
}

/** Owners without items that are remembered with what their work takes. */
const maxRemembered = 1_000;

/**
 * Weighted fair queueing: an owner whose work takes ten times as long gets a tenth of the turns, and nothing is saved up or
 * owed while there is room for all. So an owner with little work is served next and keeps its place in a full queue, and
 * many owners with much work each cannot take it.
 */
export function createFairQueue<T>({ maxSize, expectedMs, nowMs }: FairQueueOptions): FairQueue<T> {
  /** Among those with equal starts, in the order of their turns. */
  const accounts = new Map<string, Account<T>>();
  let size = 0;
  let running = 0;
  let clockMs = 0;

  function accountOf(owner: string): Account<T> {
    const account = accounts.get(owner) ?? { owner, items: [], startMs: clockMs, costMs: expectedMs };
    if (account.items.length > 0) return account;
    account.startMs = Math.max(account.startMs, clockMs);
    moveToEnd(account);
    return account;
  }

  function waiting(): Account<T>[] {
    return [...accounts.values()].filter(({ items }) => items.length > 0);
  }

  function moveToEnd(account: Account<T>): void {
    accounts.delete(account.owner);
    accounts.set(account.owner, account);
    if (accounts.size <= maxRemembered) return;
    for (const [oldest, { items }] of accounts) {
      if (items.length > 0) continue;
      accounts.delete(oldest);
      return;
    }
  }

  return {
    push(owner, item) {
      const account = accountOf(owner);
      account.items.push(item);
      if (size < maxSize) {
        size++;
        return undefined;
      }
      return lastOf(waiting(), account).items.pop();
    },
    shift() {
      const [first, ...others] = waiting();
      if (first === undefined) return undefined;
      const next = others.reduce((one, other) => (endMs(other, 1) < endMs(one, 1) ? other : one), first);
      size--;
      moveToEnd(next);
      return next.items.shift();
    },
    begin(owner) {
      const account = accountOf(owner);
      const { costMs: chargedMs } = account;
      const startedAtMs = nowMs();
      clockMs = Math.max(clockMs, account.startMs);
      account.startMs += chargedMs;
      running++;
      return () => {
        running--;
        const tookMs = nowMs() - startedAtMs;
        account.startMs += tookMs - chargedMs;
        account.costMs = (account.costMs + tookMs) / 2;
        // No work of another owner was delayed by this one, so its time is not charged.
        if (running + size === 0) clockMs = Math.max(clockMs, account.startMs);
      };
    },
    size: () => size,
  };
}

/** When the given number of items of an account would end. */
function endMs<T>({ startMs, costMs }: Account<T>, count: number): number {
  return startMs + count * costMs;
}

/** The account whose last item would end last; among equal ones the given one. */
function lastOf<T>(accounts: readonly Account<T>[], given: Account<T>): Account<T> {
  const end = (account: Account<T>) => endMs(account, account.items.length);
  return accounts.reduce((one, other) => (end(other) > end(one) ? other : one), given);
}
