import { Suspense } from 'react';
import { tessera } from '@/tessera';

export default function AccountPage() {
  return (
    <main>
      <Suspense fallback={<p>Loading …</p>}>
        <Account />
      </Suspense>
    </main>
  );
}

/** For signed-in users only. Other visitors are redirected to the sign-in page. */
async function Account() {
  const user = await tessera.getUser({ or: 'redirect' });

  return (
    <>
      <h1>{user.displayName ?? user.primaryEmail}</h1>
      <p>Member since {user.signedUpAt.toLocaleDateString('en')}.</p>
    </>
  );
}
