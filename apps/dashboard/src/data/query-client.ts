import { QueryClient } from '@tanstack/react-query';
import { isServerAway } from './problem-words.ts';

const freshMs = 15_000;

/** How often the open page of one object reads what others may change or delete. */
export const openPagePollMs = 30_000;

/**
 * The cache of all reads. The SDK already retries what is safe to repeat, so a query does not. A value is shown from the
 * cache at once and fetched again when it is older than 15 seconds.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: freshMs,
        retry: (count, error) => count < 1 && isServerAway(error),
        // Objects of the SDK have methods, which a structural copy would lose.
        structuralSharing: false,
      },
    },
  });
}
