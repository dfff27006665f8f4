import type { AccessLevel, ProjectRole } from '@tessera/protocol';
import type { Project } from './project.ts';
import type { CallUser } from './user.ts';

/** The session of an access token is an impersonation: another person acts as the user. */
export interface Impersonation {
  /** The person who opened the session, a user of `internal`; null when a key opened it. */
  readonly openerId: string | null;
}

/** The caller: level, project, and the user of the access token when one was sent and the user exists. */
export interface Caller {
  readonly level: AccessLevel | null;
  readonly project: Project | null;
  readonly user: CallUser | null;
  /** The session of the access token; undefined without a token. */
  readonly sessionId: string | undefined;
  /** Undefined unless the session of the access token is an impersonation. */
  readonly impersonation: Impersonation | undefined;
  /** The owner or member whose admin access token replaces a key; undefined when a key was sent. */
  readonly ownerId: string | undefined;
  /** The session of that person. */
  readonly ownerSessionId: string | undefined;
  /** The role of that person in the project. */
  readonly ownerRole: ProjectRole | undefined;
  /** The key set of the sent key; undefined when none was sent. */
  readonly keySetId: string | undefined;
}

/** The user and the session in the claims of an access token; tokens issued by older versions have no session. */
export interface TokenSubject {
  readonly projectId: string;
  readonly userId: string;
  readonly sessionId: string | undefined;
}

/** The user of an access token. */
export interface FoundUser {
  readonly user: CallUser;
  /** False when the session of the token has ended; true for a token without a session. */
  readonly hasSession: boolean;
  readonly impersonation: Impersonation | undefined;
}
