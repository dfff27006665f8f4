import { redirect } from '@tanstack/react-router';
import { createServerFn } from '@tanstack/react-start';
import { appendResponseHeader, getRequest } from '@tanstack/react-start/server';
import { RequestError } from '@tessera/client';
import { tessera } from './tessera.server';

/**
 * The signed-in user as a browser may see it, or null. While Tessera cannot be reached, it is undefined: pages render,
 * and the browser finds the user.
 */
export const readUser = createServerFn().handler(async () => {
  try {
    return (await findUser())?.toClientJson() ?? null;
  } catch (error) {
    if (error instanceof RequestError) return undefined;
    throw error;
  }
});

/** The id of the signed-in user. Redirects other visitors to the sign-in page, and back to `path` afterwards. */
export const requireUser = createServerFn()
  .validator((path: string) => path)
  .handler(async ({ data: path }) => {
    const user = await findUser();
    if (user !== null) return { id: user.id, email: user.primaryEmail };
    const back = new URLSearchParams({ after_auth_return_to: path });
    throw redirect({ href: `${tessera.urls.signIn}?${back}` });
  });

/** A refreshed access token goes to the browser as a cookie. */
async function findUser() {
  const session = await tessera.authenticate(getRequest());
  for (const cookie of session.setCookie) appendResponseHeader('set-cookie', cookie);
  return session.status === 'signed-in' ? session.getUser() : null;
}
