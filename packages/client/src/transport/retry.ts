import { requestMaxAttempts, retryBaseDelayMs } from '@tessera/protocol/limits';
import type { Platform } from '../platform/platform.ts';
import { RequestError } from './request-error.ts';

/** Whoever is asked to wait longer than this is told so instead of waiting. */
export const retryAfterMaxMs = 60_000;

/** What one attempt came to. An attempt that must not be repeated throws. */
export type Attempt<T> = { readonly done: T } | { readonly failure: unknown; readonly retryAfterMs?: number };

/** How long to wait after failed attempt `attempt` (from 0): about 1, 2, 4, 8 s, on top of what the server asked for. */
export function retryDelayMs(attempt: number, random: number, retryAfterMs = 0): number {
  return retryAfterMs + (0.5 + random) * retryBaseDelayMs * 2 ** attempt;
}

/** Reads a `Retry-After` header: seconds, or a date. Control 45. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const delayMs = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(delayMs) ? undefined : Math.max(0, delayMs);
}

/**
 * Repeats an attempt until it is done.
 *
 * @throws RequestError `too-many-requests` when the server asks for more patience than we have; else what `giveUp`
 * makes of the failures.
 */
export async function withRetries<T>(
  attempt: () => Promise<Attempt<T>>,
  { random, wait }: Pick<Platform, 'random' | 'wait'>,
  giveUp: (failures: readonly unknown[]) => Promise<unknown>,
): Promise<T> {
  const failures: unknown[] = [];
  while (true) {
    const outcome = await attempt();
    if ('done' in outcome) return outcome.done;
    if ((outcome.retryAfterMs ?? 0) > retryAfterMaxMs) throw tooManyRequests(outcome.retryAfterMs, outcome.failure);
    failures.push(outcome.failure);
    if (failures.length >= requestMaxAttempts) throw await giveUp(failures);
    await wait(retryDelayMs(failures.length - 1, random(), outcome.retryAfterMs));
  }
}

export function tooManyRequests(retryAfterMs: number | undefined, cause?: unknown): RequestError {
  const when = retryAfterMs === undefined ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} seconds`;
  return new RequestError('too-many-requests', `Too many requests. Please try again ${when}.`, {
    cause,
    status: 429,
    retryAfterMs,
  });
}
