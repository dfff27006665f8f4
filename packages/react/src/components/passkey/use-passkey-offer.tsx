import { type ReactNode, useState } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { lazyPart } from '../../lazy/lazy-part.tsx';
import type { AroundSignIn } from '../../sign-in/calls.ts';
import { mayOfferPasskey, wantsPasskey } from './passkey-offer-rule.ts';

const PasskeyOffer = lazyPart<{ done: () => void }>(
  () => import('../../lazy/visit-pages.ts').then(module => module.PasskeyOffer),
  () => null,
);

/**
 * The offer of a passkey after a sign-in with a password.
 *
 * @param isOffered whether the project has passkeys
 * @returns the card to show instead of the form, if any, and the functions that run a sign-in and make the offer
 */
export function usePasskeyOffer(isOffered: boolean): {
  offer: ReactNode;
  signInWithOffer: AroundSignIn;
  offerPasskey: () => Promise<void>;
} {
  const app = useApp();
  const [open, setOpen] = useState<{ done: () => void }>();

  const mayOffer = async () => isOffered && (await mayOfferPasskey(app.projectId));

  async function openOffer() {
    if (wantsPasskey(await app.getUser())) await new Promise<void>(done => setOpen({ done }));
  }

  async function offerPasskey() {
    if (await mayOffer()) await openOffer();
  }

  const signInWithOffer: AroundSignIn = async signIn => {
    if (!(await mayOffer())) return signIn({});
    const result = await signIn({ noRedirect: true });
    if (result.status === 'error') return result;
    await openOffer();
    await app.redirectToAfterSignIn({ replace: true });
    return result;
  };

  const offer = open && <PasskeyOffer done={open.done} />;
  return { offer, signInWithOffer, offerPasskey };
}
