import type { Impersonation } from '@tessera/client';
import { AccountSettings, ClientApp, TesseraProvider } from '@tessera/react';
import { Button } from '@tessera/ui';
import { VenetianMask } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { toast } from 'sonner';
import { ContentSkeleton } from '../../components/page/content-skeleton.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { apiBaseUrl } from '../../config.ts';
import { shownName } from '../../data/names/shown-name.ts';
import { useOwner, useProject } from '../../data/owner.tsx';
import { problemWords } from '../../data/problem-words.ts';
import { rootRoute } from '../../routes/root.tsx';
import { ConnectionBanner } from '../../shell/connection-banner.tsx';
import { words } from './words.ts';

interface ActingWindowProps {
  readonly name: string;
  readonly impersonation: Impersonation;
  /** Called when the admin has ended the session, or its lifetime has passed. */
  readonly onEnd: () => void;
}

/**
 * The account page of a user, with an app of its own that exists only in the memory of this window. Its level is client:
 * what the user may not do is refused here, too.
 */
export function ActingWindow({ name, impersonation, onEnd }: ActingWindowProps) {
  const project = useProject();
  const owner = useOwner();
  const { config } = rootRoute.useRouteContext();
  const endsAt = impersonation.accessTokenExpiresAt;
  const [app] = useState(
    () =>
      new ClientApp({
        projectId: project.id,
        projectOwnerSession: owner._internalSession,
        baseUrl: apiBaseUrl(config, window.location.origin),
        tokenStore: { accessToken: impersonation.accessToken, refreshToken: null },
      }),
  );

  useEffect(() => {
    const timer = window.setTimeout(onEnd, Math.max(0, endsAt.getTime() - Date.now()));
    return () => window.clearTimeout(timer);
  }, [endsAt, onEnd]);

  async function end() {
    try {
      const user = await app.getUser();
      await user?.signOut();
      onEnd();
    } catch (error) {
      toast.error(problemWords(error));
    }
  }

  return (
    <>
      <div className="tss:sticky tss:top-0 tss:z-10">
        <ConnectionBanner />
        <section
          aria-label={words.bar}
          className="tss:flex tss:flex-wrap tss:items-center tss:gap-x-4 tss:gap-y-2 tss:border-b tss:border-border tss:bg-accent tss:px-4 tss:py-2 tss:text-sm tss:text-accent-foreground"
        >
          <VenetianMask aria-hidden className="tss:size-5 tss:shrink-0" />
          <p className="tss:min-w-0 tss:flex-1 tss:wrap-anywhere">
            <strong>{words.acting(name, shownName(project.displayName))}</strong> {words.ends}{' '}
            <RelativeTime at={endsAt} />.
          </p>
          <Button size="sm" onClick={() => void end()}>
            {words.end}
          </Button>
        </section>
      </div>
      <main className="tss:mx-auto tss:w-full tss:max-w-[64rem] tss:p-4">
        <TesseraProvider app={app}>
          <Suspense fallback={<ContentSkeleton />}>
            <AccountSettings />
          </Suspense>
        </TesseraProvider>
      </main>
    </>
  );
}
