import { randomText } from '../util/random-text.ts';

/** A lease of a tab that was killed ends by itself. */
const leaseMs = 10_000;
/** Two tabs that take a free lease at once both see the later one's name after this time. */
const settleMs = 30;
const pollMs = 50;

type LeaseStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The fallback where Web Locks are missing: a lease in the storage that the tabs share. */
export async function runUnderLease<T>(
  name: string,
  run: () => Promise<T>,
  storage: LeaseStorage,
  patienceMs: number,
): Promise<T> {
  const owner = randomText();
  const isOwn = await take(name, owner, storage, Date.now() + patienceMs);
  try {
    return await run();
  } finally {
    if (isOwn && holderOf(storage.getItem(name)) === owner) storage.removeItem(name);
  }
}

async function take(name: string, owner: string, storage: LeaseStorage, deadline: number): Promise<boolean> {
  while (Date.now() < deadline) {
    if (holderOf(storage.getItem(name)) === undefined) {
      // A full storage takes no lease; the work goes ahead without one.
      if (!write(storage, name, `${owner} ${Date.now() + leaseMs}`)) return false;
      await pause(settleMs);
      if (holderOf(storage.getItem(name)) === owner) return true;
    }
    await pause(pollMs);
  }
  return false;
}

/** @returns whether the storage had room. */
function write(storage: LeaseStorage, name: string, text: string): boolean {
  try {
    storage.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

/** The holder of the lease; undefined when it is free or has expired. */
function holderOf(text: string | null): string | undefined {
  const [owner, until] = text?.split(' ') ?? [];
  return Number(until) > Date.now() ? owner : undefined;
}

function pause(delayMs: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, delayMs));
}
