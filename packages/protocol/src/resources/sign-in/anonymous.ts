import { endpoint } from '../../endpoint.ts';
import { signedIn } from '../../fields/fields.ts';

/** docs/contract/sign-in-methods.md#anonymous-users; `extensions.ts` has the setting that enables it. */
export const anonymousEndpoints = {
  signUp: endpoint({
    method: 'POST',
    path: '/auth/anonymous/sign-up',
    access: 'client',
    endedSession: 'ignored',
    response: signedIn,
    summary: 'Create an anonymous user and a session',
    tag: 'Sign-in',
    errors: ['ANONYMOUS_ACCOUNTS_NOT_ENABLED', 'SIGN_UP_NOT_ENABLED'],
  }),
};
