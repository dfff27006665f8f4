import { TesseraProvider, UserButton } from '@tessera/react/next';
import { auth } from '@tessera/react/next/server';
import Link from 'next/link';
import { Suspense } from 'react';
import { tessera } from '@/tessera';
import { Greeting } from './greeting';

export default function Home() {
  return (
    <main>
      <UserButton />
      <Suspense fallback={<p>Loading …</p>}>
        <Session />
      </Suspense>
    </main>
  );
}

/**
 * Rendered on the server for the user of the request's cookies. The provider passes the user to the hooks of client
 * components, which then render on the server, too.
 */
async function Session() {
  const session = await auth(tessera);
  const user = session.status === 'signed-in' ? await session.getUser() : null;

  return (
    <TesseraProvider app={tessera} initialUser={user?.toClientJson() ?? null}>
      <Greeting />
      {user === null ? (
        <p>
          You are signed out. <Link href={tessera.urls.signIn}>Sign in</Link>
        </p>
      ) : (
        <p>
          You are signed in as {user.primaryEmail}. <Link href="/account">Your account</Link>
        </p>
      )}
    </TesseraProvider>
  );
}
