import { SignedIn, SignedOut, UserButton, useUser } from '@tessera/react';
import { Link } from 'react-router';

export const meta = () => [{ title: 'Tessera and React Router' }];

export default function Home() {
  return (
    <main>
      <SignedIn>
        <UserButton />
        <Greeting />
        <Link to="/account">Your account</Link>
      </SignedIn>
      <SignedOut>
        <p>You are signed out.</p>
        <Link to="/handler/sign-in">Sign in</Link>
      </SignedOut>
    </main>
  );
}

function Greeting() {
  const user = useUser();
  return <p>Hello, {user?.displayName ?? user?.primaryEmail}.</p>;
}
