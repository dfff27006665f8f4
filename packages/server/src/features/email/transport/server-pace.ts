/** Whether a mail server may get another email: now, in a moment, or later because it is slow. */
export type Room = 'now' | 'soon' | 'later';

/** How fast the mail servers of projects are, so that slow ones do not delay emails to the others. */
export interface ServerPaces {
  roomFor(server: string): Room;
  /** Sends an email and notes how long it took. */
  time<T>(server: string, send: () => Promise<T>): Promise<T>;
}

interface Pace {
  /** In flight. */
  emails: number;
  /** What the email that ended last took. */
  last: 'unknown' | 'quick' | 'slow';
}

/** Emails at once to servers of projects: fewer than the lane has places, so that the installation's server keeps some. */
const maxEmails = 32;
/** Emails at once to slow servers, one per server. */
const maxSlowEmails = 2;
/** Emails at once to a server of which none has ended. */
const maxFirstEmails = 2;
const maxRemembered = 1_000;

export function createServerPaces(slowMs: number): ServerPaces {
  /** The least recently used first. */
  const paces = new Map<string, Pace>();

  function use(server: string): Pace {
    const pace = paces.get(server) ?? { emails: 0, last: 'unknown' };
    paces.delete(server);
    paces.set(server, pace);
    if (paces.size > maxRemembered) forgetOldest();
    return pace;
  }

  function forgetOldest(): void {
    for (const [server, { emails }] of paces) {
      if (emails === 0) {
        paces.delete(server);
        return;
      }
    }
  }

  function inFlight(counts: (pace: Pace) => boolean): number {
    return [...paces.values()].reduce((sum, pace) => sum + (counts(pace) ? pace.emails : 0), 0);
  }

  return {
    roomFor(server) {
      const { emails, last } = use(server);
      if (last === 'slow' && (emails > 0 || inFlight(pace => pace.last === 'slow') >= maxSlowEmails)) return 'later';
      if (last === 'unknown' && emails >= maxFirstEmails) return 'soon';
      return inFlight(() => true) >= maxEmails ? 'soon' : 'now';
    },
    async time(server, send) {
      const pace = use(server);
      const startedAt = performance.now();
      pace.emails += 1;
      try {
        return await send();
      } finally {
        pace.emails -= 1;
        pace.last = performance.now() - startedAt > slowMs ? 'slow' : 'quick';
      }
    },
  };
}
