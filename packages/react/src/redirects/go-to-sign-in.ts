import type { ClientApp } from '@tessera/client';

/** Apps that have had a user on this page. */
const appsWithUser = new WeakSet<ClientApp>();

/** How long whoever signs out is given to be led on: to the page after signing out, not to the sign-in page. */
const navigationWaitMs = 1000;

/** Notes that there is a user, so that it is known later that they went. */
export function rememberSignedInUser(app: ClientApp): void {
  appsWithUser.add(app);
}

/** Goes to the sign-in page, which leads back here; not where somebody has just signed out and is led on. */
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
