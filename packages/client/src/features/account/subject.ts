import type { Session } from '../../session/session.ts';

/**
 * The user of a call: the signed-in user of a session (`me`), or with server access and without a session any user.
 * Both fields are the first keys of caches.
 */
export interface Subject {
  readonly session: Session | null;
  readonly userId: string;
}

/** The access levels of user features. */
export type UserLevel = 'client' | 'server';

/** An object with an id, e.g. a team. */
export interface HasId {
  /** Id of the object. */
  readonly id: string;
}
