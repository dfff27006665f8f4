'use client';
import { SignedIn, SignedOut, useUser } from '@tessera/react/next';

/** A client component. It is rendered on the server too, for the user of the layout. */
export function Greeting() {
  return (
    <p>
      <SignedIn>
        <Name />
      </SignedIn>
      <SignedOut>Hello, visitor.</SignedOut>
    </p>
  );
}

function Name() {
  const user = useUser();
  return `Hello, ${user?.displayName ?? user?.primaryEmail}.`;
}
