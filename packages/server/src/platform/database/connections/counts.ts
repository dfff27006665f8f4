/**
 * Connections to PostgreSQL that a process opens besides those for requests (`TESSERA_DATABASE_POOL`) and those to a read
 * replica. They are opened on demand.
 */
export const connectionCounts = {
  asyncCommit: 4,
  /** One for the purge and one for another long job. */
  longRunning: 2,
  /** One listens; the workers and lanes share the others to fetch jobs and to write their results. */
  jobs: 8,
  notifications: 1,
  jobLiveness: 1,
} as const;

/** The connections that a process keeps open at most, without those to a read replica. */
export function connectionsOfProcess({ databasePool }: { readonly databasePool: number }): number {
  return Object.values(connectionCounts).reduce((sum, count) => sum + count, databasePool);
}
