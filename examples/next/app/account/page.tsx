import { tessera } from '../../tessera';

/** Only for people who are signed in: everybody else is sent to the sign-in page before anything is rendered. */
export default async function Account() {
  const user = await tessera.getUser({ or: 'redirect' });

  return (
    <main>
      <h1>{user.displayName ?? user.primaryEmail}</h1>
      <p>With us since {user.signedUpAt.toLocaleDateString('en')}.</p>
    </main>
  );
}
