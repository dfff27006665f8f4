import type { ClientApp } from '@tessera/client';

/** Apps that have had a user on this page. */
const inhabited = new WeakSet<ClientApp>();

/** How long whoever signs out is given to be led on: to the page after signing out, not to the sign-in page. */
const leadingMs = 1000;

/** Notes that there is a user, so that it is known later that they went. */
export function noteUser(app: ClientApp): void {
  inhabited.add(app);
}

/** Goes to the sign-in page, which leads back here; not where somebody has just signed out and is led on. */
export async function goToSignIn(app: ClientApp): Promise<void> {
  const hadUser = inhabited.delete(app);
  if (hadUser && (await isLedElsewhere())) return;
  await app.redirectToSignIn({ replace: true });
}

async function isLedElsewhere(): Promise<boolean> {
  const { href } = window.location;
  let isUnloading = false;
  const noteUnload = () => {
    isUnloading = true;
  };
  window.addEventListener('beforeunload', noteUnload);
  await new Promise(resolve => setTimeout(resolve, leadingMs));
  window.removeEventListener('beforeunload', noteUnload);
  return isUnloading || window.location.href !== href;
}
