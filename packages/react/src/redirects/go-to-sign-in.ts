import type { ClientApp } from '@tessera/client';

/** Apps that have had a signed-in user on this page. */
const appsWithUser = new WeakSet<ClientApp>();

/** How long the app has to redirect after sign-out before the sign-in page is opened. */
const navigationWaitMs = 1000;

/** Remembers that a user was signed in, so that a sign-out can be recognised later. */
export function rememberSignedInUser(app: ClientApp): void {
  appsWithUser.add(app);
}

/** Redirects to the sign-in page, which leads back here. Not after a sign-out whose own redirect is under way. */
export async function goToSignIn(app: ClientApp): Promise<void> {
  const hadUser = appsWithUser.delete(app);
  if (hadUser && (await isNavigatingAway())) return;
  await app.redirectToSignIn({ replace: true });
}

async function isNavigatingAway(): Promise<boolean> {
  const { href } = window.location;
  let isUnloading = false;
  const noteUnload = () => {
    isUnloading = true;
  };
  window.addEventListener('beforeunload', noteUnload);
  await new Promise(resolve => setTimeout(resolve, navigationWaitMs));
  window.removeEventListener('beforeunload', noteUnload);
  return isUnloading || window.location.href !== href;
}
