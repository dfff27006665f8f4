import { endpoint } from '../endpoint.ts';
import { signedIn } from '../fields.ts';

/** sign-in-methods.md 5; `extensions.ts` has the setting that switches it on. */
export const anonymousEndpoints = {
  signUp: endpoint({
    method: 'POST',
    path: '/auth/anonymous/sign-up',
    access: 'client',
    response: signedIn,
    summary: 'Open an account for somebody who has not said who they are',
    tag: 'Sign-in',
    errors: ['ANONYMOUS_ACCOUNTS_NOT_ENABLED'],
  }),
};
