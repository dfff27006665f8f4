import { Page, ThemeRoot } from '@tessera/ui';
import { createContext, type ReactNode, useContext } from 'react';
import { LanguageProvider, useLanguage } from '../../words/translate.tsx';

const InsideContext = createContext(false);

interface SurfaceProps {
  /** Centres the content in what is left of the window; else it stands inline, without padding. */
  fullPage?: boolean | undefined;
  /** As wide as a page with a list beside its content; else as wide as a form. */
  wide?: boolean | undefined;
  children: ReactNode;
}

/** What every page stands in: theme, language, and one column. */
export function PageSurface({ fullPage = false, wide = false, children }: SurfaceProps) {
  return (
    <Spoken>
      {attributes => (
        <Page fullPage={fullPage} wide={wide} {...attributes}>
          {children}
        </Page>
      )}
    </Spoken>
  );
}

/** What a part stands in when a customer uses it alone; inside a page it adds nothing. */
export function PartSurface({ className, children }: { className?: string; children: ReactNode }) {
  const isInside = useContext(InsideContext);
  if (isInside) return children;

  return (
    <Spoken>
      {attributes => (
        <ThemeRoot className={className} {...attributes}>
          {children}
        </ThemeRoot>
      )}
    </Spoken>
  );
}

type Attributes = ReturnType<typeof useLanguage>['attributes'];

function Spoken({ children }: { children: (attributes: Attributes) => ReactNode }) {
  return (
    <LanguageProvider>
      <InsideContext.Provider value={true}>
        <WithAttributes>{children}</WithAttributes>
      </InsideContext.Provider>
    </LanguageProvider>
  );
}

function WithAttributes({ children }: { children: (attributes: Attributes) => ReactNode }) {
  return children(useLanguage().attributes);
}
