import { createLazyRoute, Outlet } from '@tanstack/react-router';
import { ThemeRoot } from '@tessera/ui';
import { lazy, Suspense, useEffect } from 'react';
import type { ToasterProps } from 'sonner';
import { ContentSkeleton } from '../components/page/content-skeleton.tsx';
import { Notice } from '../components/page/notice.tsx';
import { useColorScheme } from '../data/color-scheme.ts';
import { useIsUnclaimed } from '../data/installation.ts';
import { OwnerProvider } from '../data/owner.tsx';
import { rootRoute } from '../routes/root.tsx';
import { words } from '../words.ts';
import { IdleGuard } from './idle/idle-guard.tsx';
import { PaletteHost } from './palette-host.tsx';
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
      <Suspense fallback={<ContentSkeleton />}>
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
  const user = app.useUser({ or: isUnclaimed ? 'return-null' : 'redirect' });
  if (user === null) return config.mode === 'development' ? <ToSignUp /> : <NoOwner />;
  return (
    <OwnerProvider user={user}>
      <SessionWatch />
      <PaletteHost>
        {config.mode === 'production' && <IdleGuard />}
        <Outlet />
      </PaletteHost>
    </OwnerProvider>
  );
}

/** Notes the end of the session, also one that this tab did not cause. */
function SessionWatch() {
  const { app } = rootRoute.useRouteContext();
  useEffect(() => app.onUserChange(user => sessionEnd.note(user !== null)), [app]);
  return null;
}

function ToSignUp() {
  const { app } = rootRoute.useRouteContext();
  useEffect(() => void app.redirectToSignUp(), [app]);
  return <ContentSkeleton />;
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
