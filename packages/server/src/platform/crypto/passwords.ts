import { availableParallelism } from 'node:os';
import type { Options } from '@node-rs/argon2';
import { createPasswordThreads } from './password-threads.ts';

export { HashingBusy } from './password-threads.ts';

export interface Passwords {
  /**
   * Returns an argon2id PHC string of the password in Unicode form NFKC (NIST SP 800-63B 5.1.1.2): the same characters
   * typed on another keyboard are the same password. No part of the password is cut off.
   *
   * @param projectId the projects take turns
   * @throws HashingBusy
   */
  hash(password: string, projectId: string): Promise<string>;
  /**
   * Compares a password with a hash. Every call costs one hash: without a stored hash it uses one that never matches.
   * An imported hash is first compared with the characters as typed.
   *
   * @throws HashingBusy
   */
  matches(password: string, stored: string | null, projectId: string): Promise<boolean>;
  /** True when the stored hash is weaker than one that `hash` creates, or has another algorithm. */
  needsRehash(stored: string): boolean;
}

/** Passwords with their own worker threads. */
export interface ThreadedPasswords extends Passwords {
  /** Ends the threads; running hashes are lost. */
  close(): Promise<void>;
}

/** The cost of one argon2id hash: memory in KiB, and passes over it. */
export interface HashingCost {
  readonly memoryCost: number;
  readonly timeCost: number;
}

/** OWASP's first recommendation for argon2id, the default type of the library: 19 MiB, two passes, one lane. */
const productionCost: HashingCost = { memoryCost: 19_456, timeCost: 2 };

const maxWaiting = 500;

/** Options of `createPasswords`. */
export interface PasswordOptions {
  /** The number of threads. Default: one per core. */
  readonly slots?: number;
  /** Tests that need many accounts set a low one. */
  readonly cost?: HashingCost;
}

/**
 * At most one running hash per core: more would slow all of them down. Hashing has a lower priority than requests, so a
 * login flood takes no time from them.
 * Controls 4, 5, 8, 9.
 */
export function createPasswords({
  slots = availableParallelism(),
  cost = productionCost,
}: PasswordOptions = {}): ThreadedPasswords {
  const parameters = { ...cost, parallelism: 1 } satisfies Options;
  const currentPrefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1$`;
  const threads = createPasswordThreads({ count: slots, maxWaiting });
  let unmatchedHash: Promise<string> | undefined;

  const hash = async (password: string, projectId: string) =>
    String(await threads.run({ work: 'hash', password: password.normalize('NFKC'), parameters }, projectId));
  const match = async (password: string, stored: string, projectId: string) =>
    (await threads.run({ work: 'match', password, stored, isCostly: isCostly(stored) }, projectId)) === true;
  const placeholderHash = (projectId: string) => {
    unmatchedHash ??= hash(crypto.randomUUID(), projectId);
    unmatchedHash.catch(() => {
      unmatchedHash = undefined;
    });
    return unmatchedHash;
  };

  return {
    hash,
    matches: async (password, stored, projectId) => {
      const normalised = password.normalize('NFKC');
      if (stored === null) {
        await match(normalised, await placeholderHash(projectId), projectId);
        return false;
      }
      if (await match(normalised, stored, projectId)) return true;
      return normalised !== password && !stored.startsWith(currentPrefix) && match(password, stored, projectId);
    },
    needsRehash: stored => !stored.startsWith(currentPrefix),
    close: threads.close,
  };
}

/** The default of the library `argon2` (64 MiB, three passes), five times our own cost. */
const ordinaryMemoryPasses = 196_608;
/** The default of most libraries, two to three times our own cost. */
const ordinaryBcryptCost = 10;

/** Whether a stored hash takes many times as long as one of ours. Only an imported one does. */
function isCostly(stored: string): boolean {
  const [, bcryptCost] = /^\$2[aby]\$(\d\d)\$/.exec(stored) ?? [];
  if (bcryptCost !== undefined) return Number(bcryptCost) > ordinaryBcryptCost;
  const [, memoryKib, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(stored) ?? [];
  return Number(memoryKib) * Number(passes) > ordinaryMemoryPasses;
}
