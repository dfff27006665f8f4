import { ThemeProvider } from '@tessera/ui';
import type { ReactNode } from 'react';

/**
 * Colors by name, as CSS colors. A missing one keeps its default, so a color of yours may need its foreground, too:
 * `primaryForeground` is the text on `primary`.
 */
export interface TesseraThemeColors {
  background?: string | undefined;
  foreground?: string | undefined;
  card?: string | undefined;
  cardForeground?: string | undefined;
  popover?: string | undefined;
  popoverForeground?: string | undefined;
  primary?: string | undefined;
  primaryForeground?: string | undefined;
  secondary?: string | undefined;
  secondaryForeground?: string | undefined;
  muted?: string | undefined;
  mutedForeground?: string | undefined;
  accent?: string | undefined;
  accentForeground?: string | undefined;
  destructive?: string | undefined;
  destructiveForeground?: string | undefined;
  border?: string | undefined;
  input?: string | undefined;
  ring?: string | undefined;
}

/** Props of `TesseraTheme`. */
export interface TesseraThemeProps {
  theme?:
    | {
        light?: TesseraThemeColors | undefined;
        dark?: TesseraThemeColors | undefined;
        /** The corner radius, as a CSS length. Default `0.5rem`. */
        radius?: string | undefined;
      }
    | undefined;
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
