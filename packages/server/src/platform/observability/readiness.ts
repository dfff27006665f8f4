/** Whether a proxy should send requests to this process. */
export interface Readiness {
  isReady(): boolean;
  /** From now on `/ready` answers 503. There is no way back. */
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
