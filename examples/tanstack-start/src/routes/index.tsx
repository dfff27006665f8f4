import { createFileRoute, Link } from '@tanstack/react-router';
import { SignedIn, SignedOut, UserButton, useUser } from '@tessera/react';

export const Route = createFileRoute('/')({ component: Home });

function Home() {
  return (
    <main>
      <SignedIn>
        <UserButton />
        <Greeting />
        <Link to="/account">Your account</Link>
      </SignedIn>
      <SignedOut>
        <p>You are signed out.</p>
        <a href="/handler/sign-in">Sign in</a>
      </SignedOut>
    </main>
  );
}

function Greeting() {
  const user = useUser();
  return <p>Hello, {user?.displayName ?? user?.primaryEmail}.</p>;
}
