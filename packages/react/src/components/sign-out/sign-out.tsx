import type { CurrentUser } from '@tessera/client';
import { useEffect, useState } from 'react';
import { useUserState } from '../../hooks/read-state.ts';
import { useTranslate } from '../../words/translate.tsx';
import { FailedCard, SignedOutCard } from '../cards/predefined-cards.tsx';
import { PageSurface } from '../cards/surface.tsx';
import { WaitingCard } from '../cards/waiting-card.tsx';

/** Props of `SignOut`. */
export interface SignOutProps {
  /** Centres the page in the window. Default: inline. */
  fullPage?: boolean | undefined;
}

/** The sign-out page: signs out, then redirects to `afterSignOut`. */
export function SignOut({ fullPage }: SignOutProps) {
  return (
    <PageSurface fullPage={fullPage}>
      <SignOutContent />
    </PageSurface>
  );
}

function SignOutContent() {
  const user = useUserState();
  const translate = useTranslate();
  const [failure, setFailure] = useState<unknown>();

  useEffect(() => {
    if (user.value) signOutOnce(user.value).catch(setFailure);
  }, [user.value]);

  // The card shows that this failed, too.
  const tryAgain = () => (user.value ? user.value.signOut() : user.retry());

  if (user.value === null) return <SignedOutCard />;
  if (failure !== undefined || user.error !== undefined) {
    return <FailedCard title={translate('signOut.failed')} error={failure ?? user.error} retry={tryAgain} />;
  }
  return <WaitingCard label="signOut.working" />;
}

const signOuts = new WeakMap<CurrentUser, Promise<void>>();

/** Once per user object, however often React mounts the page. */
function signOutOnce(user: CurrentUser): Promise<void> {
  const pending = signOuts.get(user) ?? user.signOut();
  signOuts.set(user, pending);
  return pending;
}
