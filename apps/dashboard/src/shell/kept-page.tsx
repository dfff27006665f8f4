import { useEffect } from 'react';
import type { DashboardApp } from '../app.ts';
import { Notice } from '../components/page/notice.tsx';
import { warnBeforeLeaving } from '../data/browser/leave-warning.ts';
import { words } from '../words.ts';

/** Covers a page with unsaved work whose session has ended, until its user has signed in again in another tab. */
export function KeptPage({ app }: { readonly app: DashboardApp }) {
  useEffect(warnBeforeLeaving, []);
  return (
    <Notice
      role="alert"
      title={words.keptPage.title}
      primaryButtonText={words.keptPage.signIn}
      primaryAction={() => void window.open(app.urls.signIn, '_blank')}
      secondaryButtonText={words.keptPage.leave}
      secondaryAction={() => app.redirectToSignIn({ replace: true })}
    >
      {words.keptPage.text}
    </Notice>
  );
}
