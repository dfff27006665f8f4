import { createLazyRoute, Outlet } from '@tanstack/react-router';
import { ThemeRoot } from '@tessera/ui';
import { Activity, lazy, Suspense, useEffect, useState } from 'react';
import type { ToasterProps } from 'sonner';
import type { DashboardApp } from '../app.ts';
import { unsavedWork } from '../components/form/unsaved-work.ts';
import { ContentSkeleton } from '../components/page/content-skeleton.tsx';
import { Notice } from '../components/page/notice.tsx';
import { useColorScheme } from '../data/browser/color-scheme.ts';
import { useIsUnclaimed } from '../data/installation.ts';
import { type Owner, OwnerProvider } from '../data/owner.tsx';
import { rootRoute } from '../routes/root.tsx';
import { words } from '../words.ts';
import { IdleGuard } from './idle/idle-guard.tsx';
import { KeptPage } from './kept-page.tsx';
import { PageAnnouncer } from './page-announcer.tsx';
import { PaletteHost } from './palette/palette-host.tsx';
import { sessionEnd } from './session-end.ts';

// The first page shows no toast. When its file is missing, the page stays and shows none.
const Toaster = lazy(async () => ({
  default: await import('sonner').then(
    sonner => sonner.Toaster,
    () => (_: ToasterProps) => null,
  ),
}));

export const route = createLazyRoute('/owner')({ component: OwnerLayout });

function OwnerLayout() {
  const scheme = useColorScheme();
  return (
    <ThemeRoot>
      <PageAnnouncer />
      <Suspense fallback={<FirstSkeleton />}>
        <SignedIn />
      </Suspense>
      <Suspense>
        <Toaster theme={scheme} position="bottom-right" closeButton />
      </Suspense>
    </ThemeRoot>
  );
}

/** Goes to the sign-in page, or to the creation of the first account while the installation has no owner. */
function SignedIn() {
  const { app, config } = rootRoute.useRouteContext();
  const isUnclaimed = useIsUnclaimed(config);
  const kept = useKeptUser(app);
  const user = app.useUser({ or: isUnclaimed || kept !== null ? 'return-null' : 'redirect' }) ?? kept;
  if (user === null) return config.mode === 'development' ? <ToSignUp /> : <NoOwner />;
  return (
    <OwnerProvider key={user.id} user={user}>
      <SessionWatch />
      {kept !== null && <KeptPage app={app} />}
      {kept === null && config.mode === 'production' && <IdleGuard />}
      <Activity mode={kept === null ? 'visible' : 'hidden'}>
        <PaletteHost>
          <Outlet />
        </PaletteHost>
      </Activity>
    </OwnerProvider>
  );
}

/** The user whose session has ended on a page with unsaved work, until the next sign-in; else null. */
function useKeptUser(app: DashboardApp): Owner | null {
  const current = app.useUser();
  const [last, setLast] = useState(current);
  const [isKept, setKept] = useState(false);
  if (current !== null && current !== last) setLast(current);
  // A hidden page no longer tells what it would lose.
  const mustKeep = current === null && (isKept || unsavedWork.exists());
  if (mustKeep !== isKept) setKept(mustKeep);
  return mustKeep ? last : null;
}

/** Notes the end of the session, also one that this tab did not cause. */
function SessionWatch() {
  const { app } = rootRoute.useRouteContext();
  useEffect(() => app.onUserChange(user => sessionEnd.note(user !== null)), [app]);
  return null;
}

/** Before it is known who is signed in. The frame of the page, which has the padding, comes later. */
function FirstSkeleton() {
  return (
    <div className="tss:p-4 tss:md:p-8">
      <ContentSkeleton />
    </div>
  );
}

function ToSignUp() {
  const { app } = rootRoute.useRouteContext();
  useEffect(() => void app.redirectToSignUp(), [app]);
  return <FirstSkeleton />;
}

/** Production without an owner: only the one-time link creates one. */
function NoOwner() {
  const { app } = rootRoute.useRouteContext();
  return (
    <Notice
      title={words.unclaimed.productionTitle}
      primaryButtonText={words.unclaimed.signIn}
      primaryAction={() => app.redirectToSignIn()}
    >
      {words.unclaimed.productionText}
    </Notice>
  );
}
