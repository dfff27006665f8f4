/** The value was written by a newer version or with another secret: another process can read it, this one cannot. */
export class WrittenByNewerVersion extends Error {
  override readonly name = 'WrittenByNewerVersion';
}

const leaveForNewerMs = 24 * 3600 * 1000;
/** At this number of attempts the queue retries a failed job after e² = 7 seconds. */
const leftAttempts = 2;

/**
 * The number of attempts that the queue counts for a failed job. A job that this process cannot decrypt is left to one
 * that can: during a rolling upgrade newer and older processes share the queue. Its attempts are not counted for a day;
 * after that it fails like any other job. Both times of a job are those of the database.
 */
export function attemptsAfterFailure(
  error: unknown,
  { attempts, createdAt, lockedAt }: { readonly attempts: number; readonly createdAt: Date; readonly lockedAt: Date },
): number {
  const ageMs = lockedAt.getTime() - createdAt.getTime();
  return error instanceof WrittenByNewerVersion && ageMs < leaveForNewerMs ? leftAttempts : attempts;
}
