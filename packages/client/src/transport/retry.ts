import { requestMaxAttempts, retryBaseDelayMs } from '@tessera/protocol/limits';
import type { Platform } from '../platform/platform.ts';

/** The outcome of one attempt. An attempt that must not be repeated throws. */
export type Attempt<T> = { readonly done: T } | FailedAttempt;

/** An attempt that may be repeated, after `retryAfterMs` at the earliest. */
export interface FailedAttempt {
  readonly failure: unknown;
  readonly retryAfterMs?: number;
}

export interface RetryOptions {
  readonly platform: Pick<Platform, 'random' | 'wait' | 'now'>;
  /** The time that all pauses and attempts may take before the next attempt starts. */
  readonly budgetMs: number;
  /** Makes the error to throw from the failures of all attempts. */
  readonly giveUp: (failures: readonly unknown[]) => Promise<unknown>;
}

/** The pause after failed attempt `attempt` (from 0): about 1, 2, 4, 8 s, plus the Retry-After time. */
export function retryDelayMs(attempt: number, random: number, retryAfterMs = 0): number {
  return retryAfterMs + (0.5 + random) * retryBaseDelayMs * 2 ** attempt;
}

/**
 * Repeats an attempt until it is done, at most five times and within the budget: the last pause is cut short.
 *
 * @throws the failure itself when the server asks to wait longer than the rest of the budget; else what `giveUp` makes
 * of the failures.
 */
export async function withRetries<T>(
  attempt: () => Promise<Attempt<T>>,
  { platform, budgetMs, giveUp }: RetryOptions,
): Promise<T> {
  const failures: unknown[] = [];
  const deadlineMs = platform.now() + budgetMs;
  while (true) {
    const outcome = await attempt();
    if ('done' in outcome) return outcome.done;
    const { failure, retryAfterMs = 0 } = outcome;
    const remainingMs = deadlineMs - platform.now();
    if (retryAfterMs > Math.max(0, remainingMs)) throw failure;
    failures.push(failure);
    if (failures.length >= requestMaxAttempts || remainingMs <= 0) throw await giveUp(failures);
    const delayMs = retryDelayMs(failures.length - 1, platform.random(), retryAfterMs);
    await platform.wait(Math.min(delayMs, remainingMs));
  }
}
