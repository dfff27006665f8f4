import { ServerApp } from '@tessera/client';
import { cookies } from 'next/headers';

/**
 * A sign-in whose session scripts of the page cannot read: HttpOnly cookies, with the prefix `__Host-` on https. Use it
 * for a site whose pages are all rendered on servers, since the hooks of the browser find no session then.
 */
export async function POST(request: Request) {
  // Forms of other sites cannot send JSON, so no other site signs the visitor in to an account of its own.
  const isJson = request.headers.get('content-type')?.startsWith('application/json');
  if (!isJson) return Response.json({ error: 'Send JSON.' }, { status: 415 });
  const jar = await cookies();
  const tessera = new ServerApp({
    tokenStore: {
      cookies: { getAll: () => jar.getAll(), set: (...cookie) => jar.set(...cookie) },
      httpOnly: true,
      secure: process.env.NODE_ENV === 'production' && request.headers.get('x-forwarded-proto') === 'https',
    },
  });
  const { email, password } = await request.json();
  const result = await tessera.signInWithCredential({ email, password, noRedirect: true });
  if (result.status === 'error') return Response.json({ error: result.error.message }, { status: 400 });
  return Response.json({ signedIn: true });
}
