import { type LaneWork, projectFlagPrefix } from './work.ts';

/** What a lane may claim, by flag. */
export interface FlagRoom {
  /** Jobs that may start, by flag; flags that are not listed have room for `perFlag` in one claim. */
  readonly room: ReadonlyMap<string, number>;
  /** Flags whose jobs are slow. */
  readonly slowFlags: readonly string[];
  /** Jobs of slow flags that may start, all together. */
  readonly slowRoom: number;
}

/** Counts the running jobs of a lane by flag. */
export interface LaneFlags {
  /** Counts a job that starts. @returns to call at its end */
  start(flags: readonly string[]): () => void;
  room(): FlagRoom;
}

/** A remote server that takes longer makes its flags slow, until a job of the flag ends sooner. */
const slowMs = 2_000;
/** A flag without jobs has no next duration here. Each claim sends the list, so it holds only recent ones. */
const slowKeptMs = 15 * 60 * 1000;

/**
 * Limits how many jobs of a flag run at once, and that slow ones take at most half of the places: the jobs of a tenant
 * whose servers do not answer must not delay those of the others.
 *
 * @param nowMs default: the monotonic clock
 */
export function createLaneFlags(
  { concurrency, perFlag, perProject = perFlag, limits = () => new Map() }: Omit<LaneWork, 'names'>,
  nowMs = () => performance.now(),
): LaneFlags {
  const counts = new Map<string, number>();
  /** The times at which slow jobs have ended, the earliest first. */
  const slowAtMs = new Map<string, number>();
  /** Running jobs with a flag that was slow when they started. */
  let slowRunning = 0;
  const slowPlaces = Math.floor(concurrency / 2);

  function forgetExpired(): void {
    for (const [flag, atMs] of slowAtMs) {
      if (atMs > nowMs() - slowKeptMs) return;
      slowAtMs.delete(flag);
    }
  }

  function limitOf(flag: string, given: ReadonlyMap<string, number>): number {
    const usual = flag.startsWith(projectFlagPrefix) ? perProject : perFlag;
    const limit = given.get(flag) ?? usual;
    return slowAtMs.has(flag) ? Math.min(limit, Math.ceil(usual / 2)) : limit;
  }

  function leave(flag: string, isSlow: boolean): void {
    const left = (counts.get(flag) ?? 0) - 1;
    if (left > 0) counts.set(flag, left);
    else counts.delete(flag);
    slowAtMs.delete(flag);
    if (isSlow) slowAtMs.set(flag, nowMs());
  }

  return {
    start(flags) {
      const startedAtMs = nowMs();
      const takesSlowPlace = flags.some(flag => slowAtMs.has(flag));
      for (const flag of flags) counts.set(flag, (counts.get(flag) ?? 0) + 1);
      if (takesSlowPlace) slowRunning++;
      return () => {
        const isSlow = nowMs() - startedAtMs > slowMs;
        for (const flag of flags) leave(flag, isSlow);
        if (takesSlowPlace) slowRunning--;
      };
    },
    room() {
      forgetExpired();
      const given = limits();
      const known = new Set([...counts.keys(), ...given.keys(), ...slowAtMs.keys()]);
      const room = new Map([...known].map(flag => [flag, limitOf(flag, given) - (counts.get(flag) ?? 0)]));
      return { room, slowFlags: [...slowAtMs.keys()], slowRoom: Math.max(0, slowPlaces - slowRunning) };
    },
  };
}
