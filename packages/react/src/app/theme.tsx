import { ThemeProvider } from '@tessera/ui';
import type { ReactNode } from 'react';

/**
 * Colors by name, as CSS colors. A missing one keeps its default, so a color of yours may need its foreground, too:
 * `primaryForeground` is the text on `primary`.
 */
export interface TesseraThemeColors {
  background?: string;
  foreground?: string;
  card?: string;
  cardForeground?: string;
  popover?: string;
  popoverForeground?: string;
  primary?: string;
  primaryForeground?: string;
  secondary?: string;
  secondaryForeground?: string;
  muted?: string;
  mutedForeground?: string;
  accent?: string;
  accentForeground?: string;
  destructive?: string;
  destructiveForeground?: string;
  border?: string;
  input?: string;
  ring?: string;
}

/** Props of `TesseraTheme`. */
export interface TesseraThemeProps {
  theme?: {
    light?: TesseraThemeColors;
    dark?: TesseraThemeColors;
    /** The corner radius, as a CSS length. Default `0.5rem`. */
    radius?: string;
  };
  /** For pages whose content security policy requires a nonce on style elements. */
  nonce?: string | undefined;
  children?: ReactNode;
}

/**
 * Sets colors and corner radius of all Tessera pages and components below it. Light or dark follows the page: its CSS
 * `color-scheme`, then the attributes and classes that common toolkits set on the html element, then its background.
 *
 * @throws TypeError for a value that is not a plain CSS color or length.
 * @example
 * <TesseraTheme theme={{ light: { primary: '#0f766e' }, radius: '4px' }}>{children}</TesseraTheme>
 */
export function TesseraTheme(props: TesseraThemeProps) {
  return <ThemeProvider {...props} />;
}
