import { createPacedTurns, type PacedTurns, type PacedTurnsOptions } from '../../../http/paced-turns.ts';

/** A long email stops all requests of the process for up to a quarter of a second. Projects take turns. */
export function createRenderingTurns(options: Pick<PacedTurnsOptions, 'nowMs' | 'pause'> = {}): PacedTurns {
  return createPacedTurns({
    expectedMs: 100,
    maxWaiting: 50,
    refusal: 'Too many long emails are being rendered.',
    ...options,
  });
}
