import { auth } from '@tessera/react/next/server';
import { tessera } from '@/tessera';

/** A route handler: 401, or the id of the caller, without a request to Tessera. */
export async function GET() {
  const session = await auth(tessera);
  if (session.status === 'signed-out') return Response.json({ error: 'Please sign in.' }, { status: 401 });
  return Response.json({ id: session.userId });
}
