import { TesseraHandler, UserButton, useUser } from '@tessera/react';

export function App() {
  const { pathname } = window.location;
  return pathname.startsWith('/handler/') ? <TesseraHandler location={pathname} fullPage /> : <Home />;
}

function Home() {
  const user = useUser({ or: 'redirect' });
  return (
    <main>
      <UserButton />
      <h1>Hello, {user.displayName ?? user.primaryEmail}.</h1>
    </main>
  );
}
