import { tessera } from '../../tessera';

/** For signed-in users only. Other visitors are redirected to the sign-in page before anything is rendered. */
export default async function Account() {
  const user = await tessera.getUser({ or: 'redirect' });

  return (
    <main>
      <h1>{user.displayName ?? user.primaryEmail}</h1>
      <p>With us since {user.signedUpAt.toLocaleDateString('en')}.</p>
    </main>
  );
}
