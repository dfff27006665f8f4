import type { Clock } from '../../../platform/clock.ts';

/** Limits the requests at once to endpoints that fail, in this process. */
export interface EndpointLimits {
  /** Records whether an endpoint accepted the last request. */
  record(endpointId: string, isAccepted: boolean): void;
  /** The endpoints with another limit than `requestsPerEndpoint`. */
  limits(): ReadonlyMap<string, number>;
}

export const requestsPerEndpoint = 16;
export const requestsPerProject = 24;
/** For an endpoint whose last response was not a success. */
const requestsPerFailingEndpoint = 1;

/**
 * An endpoint that was deleted or disabled, or whose deliveries went to other processes, has no next response here. Each
 * claim of jobs sends the list, so it holds only recent failures.
 */
const failingKeptMs = 15 * 60 * 1000;

export function createEndpointLimits({ clock }: { clock: Clock }): EndpointLimits {
  /** The times of the last failures, the earliest first. */
  const failedAtMillis = new Map<string, number>();

  function forgetExpired(): void {
    const expired = clock.now() - failingKeptMs;
    for (const [endpointId, atMillis] of failedAtMillis) {
      if (atMillis > expired) return;
      failedAtMillis.delete(endpointId);
    }
  }

  return {
    record(endpointId, isAccepted) {
      failedAtMillis.delete(endpointId);
      if (!isAccepted) failedAtMillis.set(endpointId, clock.now());
    },
    limits() {
      forgetExpired();
      return new Map([...failedAtMillis.keys()].map(endpointId => [endpointId, requestsPerFailingEndpoint]));
    },
  };
}
