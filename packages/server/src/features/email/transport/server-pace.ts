import { dropOldest } from '../../../platform/drop-oldest.ts';
import type { MailFailure } from '../queue/failures.ts';

/** Whether a mail server may get another email: now, in a moment, or later because it is slow. */
export type Room = 'now' | 'soon' | 'later';

/** A mail server that a project has configured. */
export interface PacedServer {
  readonly server: string;
  readonly projectId: string;
}

/** How fast the mail servers of projects are, so that slow ones do not delay emails to the others. */
export interface ServerPaces {
  roomFor(server: PacedServer): Room;
  /** Sends an email and notes how long it took. A failure does not make a server quick. */
  time(server: PacedServer, send: () => Promise<MailFailure | null>): Promise<MailFailure | null>;
}

type Pace = 'unknown' | 'quick' | 'slow';

interface EmailInFlight extends PacedServer {
  readonly startedAtMs: number;
  readonly pace: Pace;
}

/** Emails at once to servers of projects: fewer than the lane has places, so that the installation's server keeps some. */
const maxEmails = 32;
/** Emails at once to slow servers, one per server. */
const maxSlowEmails = 2;
/** Emails at once to servers that have accepted none, all together and of one server. */
const maxUnknownEmails = 8;
const maxFirstEmails = 2;
const maxRemembered = 1_000;

/**
 * An email that takes longer than `slowMs` is slow from then on, not only at its end, and no longer takes a place of the
 * others. A new server of a project whose last email was slow counts as slow: names and ports of servers cost nothing.
 *
 * @param nowMs default: the monotonic clock
 */
export function createServerPaces(slowMs: number, nowMs = () => performance.now()): ServerPaces {
  const inFlight = new Set<EmailInFlight>();
  /** Whether the last email was slow, by server and by project; the least recently noted first. */
  const slowServers = new Map<string, boolean>();
  const slowProjects = new Map<string, boolean>();
  const isLate = ({ startedAtMs }: EmailInFlight) => nowMs() - startedAtMs > slowMs;

  function note(email: EmailInFlight): void {
    remember(slowServers, email.server, isLate(email));
    remember(slowProjects, email.projectId, isLate(email));
  }

  function paceOf({ server, projectId }: PacedServer): Pace {
    const isSlow = slowServers.get(server);
    if (isSlow !== undefined) return isSlow ? 'slow' : 'quick';
    return slowProjects.get(projectId) === true ? 'slow' : 'unknown';
  }

  function count(counts: (email: EmailInFlight) => boolean): number {
    return [...inFlight].filter(counts).length;
  }

  return {
    roomFor(given) {
      for (const email of inFlight) if (isLate(email)) note(email);
      const pace = paceOf(given);
      const ofServer = count(({ server }) => server === given.server);
      const slow = count(email => email.pace === 'slow' || isLate(email));
      if (pace === 'slow' && (ofServer > 0 || slow >= maxSlowEmails)) return 'later';
      const unknown = count(email => email.pace === 'unknown' && !isLate(email));
      if (pace === 'unknown' && (ofServer >= maxFirstEmails || unknown >= maxUnknownEmails)) return 'soon';
      return count(email => !isLate(email)) >= maxEmails ? 'soon' : 'now';
    },
    async time(server, send) {
      const email = { ...server, startedAtMs: nowMs(), pace: paceOf(server) };
      inFlight.add(email);
      let isAccepted = false;
      try {
        const failure = await send();
        isAccepted = failure === null;
        return failure;
      } finally {
        inFlight.delete(email);
        if (isAccepted || isLate(email)) note(email);
      }
    },
  };
}

function remember(slow: Map<string, boolean>, name: string, isSlow: boolean): void {
  slow.delete(name);
  slow.set(name, isSlow);
  dropOldest(slow, maxRemembered);
}
