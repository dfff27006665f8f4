import type { CurrentUser } from '@tessera/client';
import { returnParameter } from '@tessera/client/internals';
import { useState } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { useLoad } from '../../hooks/use-load.ts';
import { useDates } from '../../words/dates.ts';
import { useTranslate } from '../../words/translate.tsx';
import { ActionCard } from '../cards/action-card.tsx';
import { useNextActions } from '../cards/predefined-cards.tsx';
import { PageSurface } from '../cards/surface.tsx';
import { LoadingCard } from '../cards/waiting-card.tsx';
import { useFocusedTitle } from '../codes/code-link.tsx';
import { useRequiredUser } from '../navigation/use-required-user.ts';

/** Props of `AccountDeletion`. */
export interface AccountDeletionProps {
  /** Centres the page in the window. Default: inline. */
  fullPage?: boolean | undefined;
}

/** The page on which a user learns when the account will be deleted, and keeps it. */
export function AccountDeletion({ fullPage }: AccountDeletionProps) {
  // After the deletion there is no user who could be asked.
  const [isDeleted] = useState(() => window.location.hash === '#deleted');

  return <PageSurface fullPage={fullPage}>{isDeleted ? <Goodbye /> : <Schedule />}</PageSurface>;
}

function Goodbye() {
  const translate = useTranslate();
  const { home } = useNextActions();
  const titleRef = useFocusedTitle(true);
  return <ActionCard title={translate('deletion.done')} titleRef={titleRef} actions={[home]} />;
}

function Schedule() {
  const user = useRequiredUser();
  return user.value ? <OwnSchedule key={user.value.id} user={user.value} /> : <LoadingCard of={[user]} />;
}

function OwnSchedule({ user }: { user: CurrentUser }) {
  const app = useApp();
  const translate = useTranslate();
  const dates = useDates();
  const deletion = useLoad(() => user.getAccountDeletion());
  const { home } = useNextActions();
  const goOn = () => app.redirectToAfterSignIn({ replace: true });
  // A sign-in leads here on its way; the account settings do not.
  const isOnTheWay = new URLSearchParams(window.location.search).has(returnParameter);
  const deletesAt = deletion.value?.deletesAt;
  const [wasKept, setWasKept] = useState(false);
  const titleRef = useFocusedTitle(deletesAt === null);

  async function keep() {
    await user.cancelDeletion();
    setWasKept(true);
    deletion.change(was => ({ ...was, deletesAt: null }));
  }

  if (deletesAt === undefined) return <LoadingCard of={[deletion]} />;
  if (deletesAt === null) {
    return (
      <ActionCard
        key="kept"
        title={translate(wasKept ? 'deletion.kept' : 'deletion.none')}
        titleRef={titleRef}
        actions={[{ text: home.text, go: goOn }]}
      />
    );
  }
  return (
    <ActionCard
      title={translate('deletion.title', { date: dates.day(deletesAt) })}
      text={translate('deletion.text')}
      actions={[
        { text: translate('deletion.keep'), go: keep },
        isOnTheWay
          ? { text: translate('action.notNow'), go: goOn }
          : { text: translate('action.signOut'), go: () => user.signOut() },
      ]}
    />
  );
}
