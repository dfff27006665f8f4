import { dropOldest } from '../../drop-oldest.ts';
import { projectFlagPrefix } from '../work.ts';

/** Remembers which flags of a lane have quick jobs, and which projects have slow ones. */
export interface LanePaces {
  /** Notes the pace of a job that has ended, or that is slow and still runs. */
  note(flags: readonly string[], isSlow: boolean): void;
  /** Whether a job with these flags counts as quick: it has none beside that of its project, or one whose last job was quick. */
  isQuick(flags: readonly string[]): boolean;
  /** Whether the flag, or the project with this flag, has slow or unknown jobs. */
  isSlow(flag: string): boolean;
  quickFlags(): readonly string[];
  /** The flags of the projects that had slow jobs in the last minute. */
  slowProjects(): readonly string[];
}

const slowKeptMs = 60_000;
/** Each claim sends the list. The flags beyond it share the places of unknown ones. */
const maxQuickFlags = 1_000;

export function createLanePaces(nowMs: () => number): LanePaces {
  /** Flags other than those of projects whose last job was quick, the least recently used first. */
  const quick = new Set<string>();
  /** When a project last had a slow job, the earliest first. */
  const slowAtMs = new Map<string, number>();

  function noteQuick(flag: string, isSlow: boolean): void {
    quick.delete(flag);
    if (isSlow) return;
    quick.add(flag);
    dropOldest(quick, maxQuickFlags);
  }

  function noteSlow(project: string): void {
    slowAtMs.delete(project);
    slowAtMs.set(project, nowMs());
  }

  function forgetExpired(): void {
    for (const [project, atMs] of slowAtMs) {
      if (atMs > nowMs() - slowKeptMs) return;
      slowAtMs.delete(project);
    }
  }

  return {
    note(flags, isSlow) {
      for (const flag of flags) if (!isProjectFlag(flag)) noteQuick(flag, isSlow);
      if (isSlow) for (const project of projectsOf(flags)) noteSlow(project);
    },
    isQuick: flags => flags.every(isProjectFlag) || flags.some(flag => quick.has(flag)),
    isSlow(flag) {
      forgetExpired();
      return isProjectFlag(flag) ? slowAtMs.has(flag) : !quick.has(flag);
    },
    quickFlags: () => [...quick],
    slowProjects() {
      forgetExpired();
      return [...slowAtMs.keys()];
    },
  };
}

export function isProjectFlag(flag: string): boolean {
  return flag.startsWith(projectFlagPrefix);
}

/** The flag of the project. Jobs without one have one flag, which is that of their project. */
export function projectsOf(flags: readonly string[]): readonly string[] {
  const projects = flags.filter(isProjectFlag);
  return projects.length > 0 ? projects : flags;
}
