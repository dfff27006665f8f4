import { createLazyRoute } from '@tanstack/react-router';
import { TesseraHandler } from '@tessera/react/tanstack-router';
import { ThemeRoot } from '@tessera/ui';
import { useIsUnclaimed } from '../data/installation.ts';
import { rootRoute } from '../routes/root.tsx';
import { words } from '../words.ts';

export const route = createLazyRoute('/handler/$')({ component: HandlerPage });

/** In development a password needs no email, so it is the quickest sign-in method. */
const componentProps = { SignIn: { firstTab: 'password' }, SignUp: { firstTab: 'password' } } as const;

function HandlerPage() {
  const { config } = rootRoute.useRouteContext();
  const isUnclaimed = useIsUnclaimed(config);
  return (
    <>
      {isUnclaimed && config.mode === 'development' && (
        <ThemeRoot>
          <p role="status" className="tss:bg-accent tss:p-3 tss:text-center tss:text-sm tss:text-accent-foreground">
            {words.unclaimed.development}
          </p>
        </ThemeRoot>
      )}
      <TesseraHandler componentProps={componentProps} fullPage />
    </>
  );
}
