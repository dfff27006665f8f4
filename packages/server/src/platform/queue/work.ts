/** Handles a job. It may run again for the same job when the process dies before the end. */
export type Task = (payload: unknown) => Promise<void>;

/** The handler of each job type, by name. */
export type Tasks = Readonly<Record<string, Task>>;

/** The tasks and schedules of a worker process. */
export interface Work {
  readonly tasks: Tasks;
  /** The tasks that are named here run in batches; the others one after the other in a few workers. */
  readonly lanes?: readonly LaneWork[];
  readonly crons?: readonly Cron[];
}

/**
 * Jobs that wait for remote servers: they run beside the others, many at once, and do not delay them. Flags whose last job
 * took longer than two seconds, and those that have had none, share half of the places. A job whose only flag is
 * `projectFlag` waits for no remote server: it has the limit of its project, and all places.
 */
export interface LaneWork {
  /** Names of the job types. */
  readonly names: readonly string[];
  /** Jobs that run at once in this process. Those that become slow are not counted while quick ones need their half. */
  readonly concurrency: number;
  /** How many of these may have the same flag. A job can have several flags, such as its endpoint and its project. */
  readonly perFlag: number;
  /** How many of these may have the same flag of a project. Default: `perFlag`. */
  readonly perProject?: number;
  /** Flags with another limit than these. */
  readonly limits?: () => ReadonlyMap<string, number>;
}

/** The flag of a project. Jobs that wait for a remote server have a narrower one as well. */
export function projectFlag(projectId: string): string {
  return `${projectFlagPrefix}${projectId}`;
}

export const projectFlagPrefix = 'project:';

/** A scheduled job: each run is one job for all processes. */
export interface Cron {
  readonly task: string;
  /** A crontab expression: `* * * * *` is every minute. */
  readonly when: string;
}
