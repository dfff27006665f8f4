/** Whether a proxy should send requests to this process. */
export interface Readiness {
  isReady(): boolean;
  /** From now on `/ready` responds with 503. This cannot be undone. */
  end(): void;
}

export function createReadiness(): Readiness {
  let isReady = true;
  return {
    isReady: () => isReady,
    end: () => {
      isReady = false;
    },
  };
}
