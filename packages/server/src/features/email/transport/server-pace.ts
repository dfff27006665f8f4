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

/** `rested`: slow, but not lately. */
type Pace = 'unknown' | 'quick' | 'slow' | 'rested';

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
/** A slow server may have been repaired or replaced. It gets an email beside those that hold the places of slow ones. */
const restMs = 60_000;
/** Emails at once to servers that have rested, one per server. */
const maxRestedEmails = 2;
const maxRemembered = 1_000;

/**
 * An email that takes longer than `slowMs` is slow from then on, not only at its end, and no longer takes a place of the
 * others. A new server of a project whose last email was slow counts as slow: names and ports of servers cost nothing.
 *
 * @param nowMs default: the monotonic clock
 */
export function createServerPaces(slowMs: number, nowMs = () => performance.now()): ServerPaces {
  const inFlight = new Set<EmailInFlight>();
  /** When the last email was slow, by server and by project; null when it was quick. The least recently noted first. */
  const slowServers = new Map<string, number | null>();
  const slowProjects = new Map<string, number | null>();
  const isLate = ({ startedAtMs }: EmailInFlight) => nowMs() - startedAtMs > slowMs;

  function note(email: EmailInFlight): void {
    const slowAtMs = isLate(email) ? nowMs() : null;
    remember(slowServers, email.server, slowAtMs);
    remember(slowProjects, email.projectId, slowAtMs);
  }

  function paceOf({ server, projectId }: PacedServer): Pace {
    const ofServer = slowServers.get(server);
    if (ofServer === null) return 'quick';
    const slowAtMs = ofServer ?? slowProjects.get(projectId) ?? null;
    if (slowAtMs === null) return 'unknown';
    return nowMs() - slowAtMs >= restMs ? 'rested' : 'slow';
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
      const rested = count(email => email.pace === 'rested' && !isLate(email));
      if (pace === 'rested' && (ofServer > 0 || rested >= maxRestedEmails)) return 'later';
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

function remember(slow: Map<string, number | null>, name: string, slowAtMs: number | null): void {
  slow.delete(name);
  slow.set(name, slowAtMs);
  dropOldest(slow, maxRemembered);
}
