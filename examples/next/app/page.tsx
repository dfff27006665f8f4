import { UserButton } from '@tessera/react/next';
import Link from 'next/link';
import { tessera } from '../tessera';

/** Rendered on the server for the user of the request's cookies. */
export default async function Home() {
  const user = await tessera.getUser();

  return (
    <main>
      <UserButton />
      <p>{user === null ? 'Nobody is signed in.' : `You are signed in as ${user.primaryEmail}.`}</p>
      <p>
        {user === null ? <Link href={tessera.urls.signIn}>Sign in</Link> : <Link href="/account">Your account</Link>}
      </p>
    </main>
  );
}
