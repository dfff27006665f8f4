import { setTimeout as delay } from 'node:timers/promises';
import { refuse } from '../../../http/refusal.ts';
import { createFairQueue } from '../../../platform/fair-queue.ts';
import { type AuthoredContent, sanitizeAuthoredHtml } from '../templates/themes.ts';

/** Sanitizes HTML that a project has written. @throws MarkupError, or a 429 */
export type Sanitizer = (markup: string, projectId: string) => Promise<AuthoredContent>;

/** Shorter texts take less time than most requests do. Ordinary emails are shorter. */
const longText = 20_000;
/** What the first text of a project is expected to take. */
const expectedMs = 100;
const maxWaiting = 50;

interface SanitizerOptions {
  readonly sanitize?: (markup: string) => Promise<AuthoredContent>;
  /** The monotonic clock. */
  readonly nowMs?: () => number;
  readonly pause?: (ms: number) => Promise<void>;
}

/**
 * A long text stops all requests of the process for up to a quarter of a second. So one at a time is sanitized, other
 * requests then get as much time as it took, projects take turns, and a full queue refuses the project with most work in it.
 */
export function createSanitizer({
  sanitize = sanitizeAuthoredHtml,
  nowMs = () => performance.now(),
  pause = ms => delay(ms),
}: SanitizerOptions = {}): Sanitizer {
  const waiting = createFairQueue<{ start: () => void; refuse: () => void }>({
    maxSize: maxWaiting,
    expectedMs,
    nowMs,
  });
  let isBusy = false;

  /** @returns whether it got a turn; false when the queue has refused it */
  async function takeTurn(projectId: string): Promise<boolean> {
    if (isBusy) {
      return new Promise(resolve => {
        waiting.push(projectId, { start: () => resolve(true), refuse: () => resolve(false) })?.refuse();
      });
    }
    isBusy = true;
    return true;
  }

  async function passOn(afterMs: number): Promise<void> {
    await pause(afterMs);
    const next = waiting.shift();
    if (next === undefined) isBusy = false;
    else next.start();
  }

  return async (markup, projectId) => {
    if (markup.length <= longText) return sanitize(markup);
    if (!(await takeTurn(projectId))) {
      refuse(429, 'Too many long emails are being rendered.', { headers: { 'retry-after': '1' } });
    }
    const end = waiting.begin(projectId);
    const startedAtMs = nowMs();
    try {
      return await sanitize(markup);
    } finally {
      end();
      void passOn(nowMs() - startedAtMs);
    }
  };
}
