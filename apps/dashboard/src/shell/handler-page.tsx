import { createLazyRoute } from '@tanstack/react-router';
import { useUser } from '@tessera/react';
import { TesseraHandler } from '@tessera/react/tanstack-router';
import { ThemeRoot } from '@tessera/ui';
import { useIsUnclaimed } from '../data/installation.ts';
import { rootRoute } from '../routes/root.tsx';
import { words } from '../words.ts';
import { sessionEnd } from './session-end.ts';

export const route = createLazyRoute('/handler/$')({ component: HandlerPage });

/** In development a password needs no email, so it is the quickest sign-in method. */
const componentProps = { SignIn: { firstTab: 'password' }, SignUp: { firstTab: 'password' } } as const;

function HandlerPage() {
  const { config } = rootRoute.useRouteContext();
  const isUnclaimed = useIsUnclaimed(config);
  const user = useUser();
  return (
    <>
      {isUnclaimed && config.mode === 'development' && <Announcement text={words.unclaimed.development} />}
      {user === null && sessionEnd.wasUnexpected() && <Announcement text={words.sessionEnded} />}
      <TesseraHandler componentProps={componentProps} fullPage />
    </>
  );
}

function Announcement({ text }: { readonly text: string }) {
  return (
    <ThemeRoot>
      <p role="status" className="tss:bg-accent tss:p-3 tss:text-center tss:text-sm tss:text-accent-foreground">
        {text}
      </p>
    </ThemeRoot>
  );
}
