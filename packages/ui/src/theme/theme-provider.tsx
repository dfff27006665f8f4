import { createContext, type ReactNode, useMemo } from 'react';
import { type Theme, themeToCss } from './theme.ts';

type ThemeProviderProps = {
  /** Colors and radius that differ from the defaults. */
  theme?: Theme | undefined;
  /** For pages whose content security policy requires a nonce on style elements. */
  nonce?: string | undefined;
  children?: ReactNode;
};

/** The attribute that connects roots with the style element of their provider. */
const ThemeIdContext = createContext<string | undefined>(undefined);

/**
 * Sets a theme for all Tessera components below it, menus included. It adds one style element and no element around the
 * children, which are usually the whole app.
 */
function ThemeProvider({ theme, nonce, children }: ThemeProviderProps) {
  const sheet = useMemo(() => theme && themeSheet(theme), [theme]);
  if (!sheet) return <>{children}</>;

  return (
    <ThemeIdContext.Provider value={sheet.id}>
      {/* The validated text has none of the characters that React would escape. Browsers hide nonces from scripts. */}
      <style nonce={nonce} suppressHydrationWarning>
        {sheet.css}
      </style>
      {children}
    </ThemeIdContext.Provider>
  );
}

function themeSheet(theme: Theme) {
  const declarations = themeToCss(theme);
  const id = `t${hash(declarations)}`;
  return { id, css: `[data-tessera-theme=${id}]{${declarations}}` };
}

/** The same input gives the same name on server and client, in every version of React. */
function hash(text: string): string {
  let value = 5381;
  for (let index = 0; index < text.length; index++) value = (value * 33 + text.charCodeAt(index)) >>> 0;
  return value.toString(36);
}

export { ThemeIdContext, ThemeProvider, type ThemeProviderProps };
