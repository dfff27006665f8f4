/** How long a tab waits for another one before it goes ahead: a frozen tab must not hold up the others. */
const patienceMs = 10_000;

interface ExclusiveDeps {
  readonly locks: Pick<LockManager, 'request'> | undefined;
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined;
}

/** Runs one at a time in all tabs of the origin: by Web Locks, else by a lease in storage, else unlocked. Control 39. */
export async function exclusive<T>(name: string, run: () => Promise<T>, { locks, storage }: ExclusiveDeps): Promise<T> {
  if (!locks) return withoutLocks(name, run, storage);
  let hasStarted = false;
  try {
    return await locks.request(name, { signal: AbortSignal.timeout(patienceMs) }, () => {
      hasStarted = true;
      return run();
    });
  } catch (error) {
    if (hasStarted) throw error;
    return run();
  }
}

async function withoutLocks<T>(name: string, run: () => Promise<T>, storage: ExclusiveDeps['storage']): Promise<T> {
  if (!storage) return run();
  const { runUnderLease } = await import('./lease.ts');
  return runUnderLease(name, run, storage, patienceMs);
}
