import { ThemeProvider } from '@tessera/ui';
import type { ReactNode } from 'react';

/** Colours by name, as CSS colours. What is left out stays ours. */
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
    /** Of corners, as a CSS length. Default `0.5rem`. */
    radius?: string;
  };
  /** For pages whose content security policy lets only marked style elements in. */
  nonce?: string | undefined;
  children?: ReactNode;
}

/**
 * Gives your colours and corners to all our pages and components below it. Light or dark follows the page: its CSS
 * `color-scheme`, else the attributes and classes that common toolkits put on the html element, else what it paints.
 *
 * @throws TypeError for a value that is not a plain CSS colour or length.
 */
export function TesseraTheme(props: TesseraThemeProps) {
  return <ThemeProvider {...props} />;
}
