import { isOneOf, type KnownCode } from '../../errors/known-errors.ts';

/** Null for errors that say that there is nothing. */
export async function orNull<T>(promise: Promise<T>, codes: readonly KnownCode[]): Promise<T | null> {
  try {
    return await promise;
  } catch (error) {
    if (await isOneOf(error, codes)) return null;
    throw error;
  }
}
