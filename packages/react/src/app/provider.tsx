import { type ClientApp as CoreClientApp, internals } from '@tessera/client';
import { type ReactNode, Suspense, useEffect, useMemo } from 'react';
import type { TranslationOverrides } from '../words/words.ts';
import { withHooks } from './app-types.ts';
import { TesseraContext } from './context.ts';

/** Props of `TesseraProvider`. */
export interface TesseraProviderProps {
  /** The app of your project, with a token store. */
  app: CoreClientApp<true>;
  /** Language of the pages, such as `de` or `de-AT`. Default: the `lang` of the html element, else English. */
  lang?: string | undefined;
  /** Other words, by the original English text. A text that no page says is a `TypeError`. */
  translationOverrides?: TranslationOverrides | undefined;
  /**
   * Whether a Suspense boundary stands around the children. Default true. Without it the boundaries of your framework
   * decide what is shown while something loads, such as `loading.tsx` of Next.js.
   */
  suspense?: boolean | undefined;
  children?: ReactNode;
}

/**
 * Gives the app to all hooks and pages below it, and asks at once who is signed in. Stands around the whole
 * application; its Suspense boundary shows nothing, so put your own where something should be seen while loading.
 */
export function TesseraProvider({ app, lang, translationOverrides, suspense = true, children }: TesseraProviderProps) {
  const tessera = useMemo(
    () => ({ app: withHooks(app), lang, translationOverrides }),
    [app, lang, translationOverrides],
  );
  usePrefetchedUser(app);
  useDebuggingGlobal(app);

  return (
    <TesseraContext.Provider value={tessera}>
      {suspense ? <Suspense fallback={null}>{children}</Suspense> : children}
    </TesseraContext.Provider>
  );
}

/** Documented (docs/contract/client-sdk.md#react-entry-points): whoever debugs a page finds its app in the console. */
function useDebuggingGlobal(app: CoreClientApp<true>): void {
  useEffect(() => void Object.assign(globalThis, { __STACK_AUTH__: { app } }), [app]);
}

/** Subscribed for as long as the provider is there, so that no page has to wait for the user a second time. */
function usePrefetchedUser(app: CoreClientApp<true>): void {
  useEffect(() => app[internals].user({ includeAnonymous: true }).subscribe(() => {}), [app]);
}
