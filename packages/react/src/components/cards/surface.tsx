import { Page, ThemeRoot } from '@tessera/ui';
import { createContext, type ReactNode, useContext } from 'react';
import { LanguageContext, LanguageProvider } from '../../words/translate.tsx';

const FullPageContext = createContext(false);

interface SurfaceProps {
  /** Centres the content in the rest of the window. Otherwise inline, without padding. */
  fullPage?: boolean | undefined;
  /** As wide as a page with a list beside its content. Otherwise as wide as a form. */
  wide?: boolean | undefined;
  children: ReactNode;
}

/** The frame of every page: theme, language, and one column. */
export function PageSurface({ fullPage = false, wide = false, children }: SurfaceProps) {
  return (
    <LanguageProvider>
      {attributes => (
        <Page fullPage={fullPage} wide={wide} {...attributes}>
          <FullPageContext.Provider value={fullPage}>{children}</FullPageContext.Provider>
        </Page>
      )}
    </LanguageProvider>
  );
}

/** The frame of a component that a host app uses alone. Inside a page it adds nothing. */
export function PartSurface({ className, children }: { className?: string; children: ReactNode }) {
  if (useContext(LanguageContext) !== undefined) return children;

  return (
    <LanguageProvider>
      {attributes => (
        <ThemeRoot className={className} {...attributes}>
          {children}
        </ThemeRoot>
      )}
    </LanguageProvider>
  );
}

/** Whether the component is part of a page of its own, not of a page of the host app. */
export function useIsFullPage(): boolean {
  return useContext(FullPageContext);
}
