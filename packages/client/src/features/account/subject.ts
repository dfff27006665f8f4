import type { Session } from '../../session/session.ts';

/**
 * Whose data a call is about: the signed-in user of a session (`me`), or, with the rights of a server and without a
 * session, any user. Caches have both as their first keys.
 */
export interface Subject {
  readonly session: Session | null;
  readonly userId: string;
}

/** The levels at which users are dealt with. */
export type UserLevel = 'client' | 'server';

/** Something with an id, e.g. a team. */
export interface HasId {
  /** Its id. */
  readonly id: string;
}
