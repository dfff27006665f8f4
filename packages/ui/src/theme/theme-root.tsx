import { type ComponentPropsWithoutRef, createContext, useContext, useRef } from 'react';
import { classNames } from '../class-names.ts';
import { useBrowserLayoutEffect } from './browser-layout-effect.ts';
import { type BackgroundFallback, resolveScheme, watchPage } from './page-scheme.ts';
import { ThemeIdContext } from './theme-provider.tsx';

type ThemeRootProps = ComponentPropsWithoutRef<'div'> & {
  /** True when the root paints the page's background itself. */
  paintsPage?: boolean;
};

/** The surrounding root element, so that content rendered elsewhere can have the same look. */
const RootContext = createContext<{ readonly current: HTMLElement | null }>({ current: null });

/**
 * The element around all our components. It sets colors, font and the reset, and follows the light or dark scheme of the
 * page. Put utility classes on elements inside it, not on the root itself.
 */
function ThemeRoot({ paintsPage = false, className, children, ...rest }: ThemeRootProps) {
  const ref = useRef<HTMLDivElement>(null);
  usePageScheme(ref, paintsPage ? 'system' : 'white');

  return (
    <RootContext.Provider value={ref}>
      <div
        ref={ref}
        data-tessera-theme={useContext(ThemeIdContext)}
        className={classNames('tessera-root', paintsPage && 'tessera-page', className)}
        {...rest}
      >
        {children}
      </div>
    </RootContext.Provider>
  );
}

/** The root of content at the end of the document, with the theme and scheme of the place it belongs to. */
function PortalRoot({ children }: Pick<ThemeRootProps, 'children'>) {
  const owner = useContext(RootContext).current;

  return (
    <div
      data-tessera-theme={useContext(ThemeIdContext)}
      data-tessera-scheme={owner?.dataset.tesseraScheme}
      dir={owner ? getComputedStyle(owner).direction : undefined}
      className="tessera-root tessera-portal"
    >
      {children}
    </div>
  );
}

/** Marks the element before the first paint: CSS cannot read the color-scheme that a page declares. */
function usePageScheme(ref: { readonly current: HTMLElement | null }, fallback: BackgroundFallback) {
  useBrowserLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;

    const follow = () => {
      const scheme = resolveScheme(element, fallback);
      if (element.dataset.tesseraScheme !== scheme) element.dataset.tesseraScheme = scheme;
    };
    follow();
    return watchPage(element, follow);
  }, [ref, fallback]);
}

export { PortalRoot, ThemeRoot, type ThemeRootProps };
