import { authJsonHeader } from '@tessera/protocol/headers';
import type { Session } from '../../../session/session.ts';
import type { Tokens } from '../../../session/tokens.ts';
import { noTokens } from '../../../session/tokens.ts';
import type { SignOutMethods } from '../../sign-in/sign-out.ts';

/** The session that a current user came from. */
export interface UserSessionFields {
  /** Access to the tokens of the session, for requests that the SDK does not make. */
  readonly currentSession: {
    /** The tokens, refreshed when less than 20 seconds are left; both null when the session has ended. */
    getTokens(): Promise<Tokens>;
  };
  /** The session itself: `projectOwnerSession` of an `AdminApp`. */
  readonly _internalSession: Session;
}

/** Methods that pass the session to another server. */
export interface UserSessionMethods extends SignOutMethods {
  /** Headers for a request to your own server, whose app reads them with `tokenStore: request`. */
  getAuthHeaders(): Promise<{ 'x-stack-auth': string }>;
  /** The same as an object, for another transport; can be given as `tokenStore`. */
  getAuthJson(): Promise<Tokens>;
}

/** What a current user can do with the session it came from. */
export function userSession(
  session: Session,
  signOut: SignOutMethods['signOut'],
): { fields: UserSessionFields; methods: UserSessionMethods } {
  const getTokens = async (): Promise<Tokens> => (await session.getLikelyValidTokens()) ?? noTokens;
  return {
    fields: { currentSession: Object.freeze({ getTokens }), _internalSession: session },
    methods: {
      signOut,
      getAuthJson: getTokens,
      getAuthHeaders: async () => ({ [authJsonHeader]: JSON.stringify(await getTokens()) }),
    },
  };
}
