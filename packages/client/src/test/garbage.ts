import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

// The real one, before a test fakes it.
const { setImmediate } = globalThis;

/** The objects that are still in memory. */
export async function stillInMemory<T extends object>(references: readonly WeakRef<T>[]): Promise<T[]> {
  // A weak reference keeps its object until the current task ends.
  await new Promise(resolve => setImmediate(resolve));
  collect();
  return references.flatMap(reference => reference.deref() ?? []);
}
