import type { LaneWork } from '../work.ts';
import { createLanePaces, isProjectFlag, projectsOf } from './lane-paces.ts';

/** What a lane may claim. */
export interface LaneRoom {
  /** Jobs that may start. */
  readonly limit: number;
  /** Jobs that may start, by flag; flags that are not listed have room for `perFlag` in one claim. */
  readonly room: ReadonlyMap<string, number>;
  /** Flags whose last job was quick. Jobs with flags beside that of their project and none of these are slow or unknown. */
  readonly quickFlags: readonly string[];
  /** Slow and unknown jobs that may start, all together. */
  readonly slowRoom: number;
}

/** Counts the running jobs of a lane by flag. */
export interface LaneFlags {
  /** Counts a job that starts. @returns to call at its end */
  start(flags: readonly string[]): () => void;
  room(): LaneRoom;
  /**
   * The same without room for projects that have a place or had slow jobs in the last minute; undefined while there are
   * places for all projects.
   */
  newcomerRoom(): LaneRoom | undefined;
}

interface RunningJob {
  readonly flags: readonly string[];
  readonly startedAtMs: number;
  takesSlowPlace: boolean;
}

/** A job that takes longer is slow from then on, not only at its end. */
const slowMs = 2_000;

/**
 * Limits how many jobs of a flag run at once, and keeps slow jobs out of the places of quick ones: the jobs of a tenant
 * whose servers do not answer must not delay those of the others, however many projects the tenant has. A flag is unknown
 * until its first job ends; jobs of unknown flags share the places of slow ones.
 *
 * @param nowMs default: the monotonic clock
 */
export function createLaneFlags(
  { concurrency, perFlag, perProject = perFlag, limits = () => new Map() }: Omit<LaneWork, 'names'>,
  nowMs = () => performance.now(),
): LaneFlags {
  const running = new Set<RunningJob>();
  const counts = new Map<string, number>();
  const paces = createLanePaces(nowMs);
  const slowPlaces = Math.floor(concurrency / 2);
  const isLate = (job: RunningJob) => nowMs() - job.startedAtMs > slowMs;

  /** Jobs that have become slow give their places back to quick ones. */
  function noteLateJobs(): void {
    for (const job of running) {
      if (!isLate(job)) continue;
      job.takesSlowPlace = true;
      paces.note(job.flags, true);
    }
  }

  function limitOf(flag: string, given: ReadonlyMap<string, number>): number {
    const usual = isProjectFlag(flag) ? perProject : perFlag;
    const limit = given.get(flag) ?? usual;
    return paces.isSlow(flag) ? Math.min(limit, Math.ceil(usual / 2)) : limit;
  }

  function room(): LaneRoom {
    noteLateJobs();
    const given = limits();
    const known = new Set([...counts.keys(), ...given.keys()]);
    const slowRunning = [...running].filter(job => job.takesSlowPlace).length;
    const quickRunning = running.size - slowRunning;
    return {
      limit: Math.max(concurrency - running.size, concurrency - slowPlaces - quickRunning),
      room: new Map([...known].map(flag => [flag, limitOf(flag, given) - (counts.get(flag) ?? 0)])),
      quickFlags: paces.quickFlags(),
      slowRoom: Math.max(0, slowPlaces - slowRunning),
    };
  }

  return {
    start(flags) {
      const job = { flags, startedAtMs: nowMs(), takesSlowPlace: !paces.isQuick(flags) };
      running.add(job);
      for (const flag of flags) counts.set(flag, (counts.get(flag) ?? 0) + 1);
      return () => {
        running.delete(job);
        for (const flag of flags) decrease(counts, flag);
        paces.note(flags, isLate(job));
      };
    },
    room,
    newcomerRoom() {
      const all = room();
      const slow = paces.slowProjects();
      const others = new Set([...[...running].flatMap(({ flags }) => projectsOf(flags)), ...slow]);
      const isScarce = running.size >= concurrency / 2 || all.slowRoom <= slowPlaces / 2 || slow.length > 0;
      // The claim reads past all waiting jobs of these projects. One project alone leaves places to the others.
      if (!isScarce || others.size < 2 || all.limit <= 0) return undefined;
      return { ...all, room: new Map([...all.room, ...[...others].map(flag => [flag, 0] as const)]) };
    },
  };
}

function decrease(counts: Map<string, number>, flag: string): void {
  const left = (counts.get(flag) ?? 0) - 1;
  if (left > 0) counts.set(flag, left);
  else counts.delete(flag);
}
