import { type CurrentServerUser, RequestError, ServerApp, type SignedIn } from '@tessera/client';
import { data, redirect } from 'react-router';

/** The app of the loaders and actions. TESSERA_SECRET_SERVER_KEY is in .env.local. */
export const tessera = new ServerApp({ tokenStore: null });

/**
 * The signed-in user as a browser may see it, or null. A refreshed access token goes to the browser as a cookie. While
 * Tessera cannot be reached, the user is undefined: pages render, and the browser finds the user.
 */
export async function readUser(request: Request) {
  try {
    const session = await tessera.authenticate(request);
    const user = session.status === 'signed-in' ? await session.getUser() : null;
    return data({ user: user?.toClientJson() ?? null }, { headers: cookiesOf(session) });
  } catch (error) {
    if (error instanceof RequestError) return data({ user: undefined });
    throw error;
  }
}

/** The session of a request, and the headers for its response. @throws a redirect to the sign-in page. */
export async function requireSession(
  request: Request,
): Promise<{ session: SignedIn<CurrentServerUser>; headers: Headers }> {
  const session = await tessera.authenticate(request);
  const headers = cookiesOf(session);
  if (session.status === 'signed-in') return { session, headers };
  const { pathname, search } = new URL(request.url);
  const back = new URLSearchParams({ after_auth_return_to: pathname + search });
  throw redirect(`${tessera.urls.signIn}?${back}`, { headers });
}

function cookiesOf({ setCookie }: { readonly setCookie: readonly string[] }): Headers {
  return new Headers(setCookie.map(cookie => ['set-cookie', cookie]));
}
