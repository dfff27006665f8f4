/** Limits concurrent requests per endpoint in this process, so that a slow endpoint does not delay the others. */
export interface EndpointLimits {
  /** Records whether an endpoint accepted the last request. */
  record(endpointId: string, isAccepted: boolean): void;
  /** The endpoints with another limit than `requestsPerEndpoint`. */
  limits(): ReadonlyMap<string, number>;
}

export const requestsPerEndpoint = 16;
/** For an endpoint whose last response was not a success. */
const requestsPerFailingEndpoint = 1;

export function createEndpointLimits(): EndpointLimits {
  const failing = new Map<string, number>();
  return {
    record(endpointId, isAccepted) {
      if (isAccepted) failing.delete(endpointId);
      else failing.set(endpointId, requestsPerFailingEndpoint);
    },
    limits: () => failing,
  };
}
