import { html } from '../../../platform/html.ts';

/** Font stacks by their name in a template. */
export const fonts = {
  MODERN_SANS: '"Helvetica Neue", "Arial Nova", "Nimbus Sans", Arial, sans-serif',
  BOOK_SANS: 'Optima, Candara, "Noto Sans", source-sans-pro, sans-serif',
  ORGANIC_SANS: 'Seravek, "Gill Sans Nova", Ubuntu, Calibri, "DejaVu Sans", source-sans-pro, sans-serif',
  GEOMETRIC_SANS: 'Avenir, "Avenir Next LT Pro", Montserrat, Corbel, "URW Gothic", source-sans-pro, sans-serif',
  HEAVY_SANS: 'Bahnschrift, "DIN Alternate", "Franklin Gothic Medium", "Nimbus Sans Narrow", sans-serif-condensed',
  ROUNDED_SANS: 'ui-rounded, "Hiragino Maru Gothic ProN", Quicksand, Comfortaa, Manjari, Calibri, sans-serif',
  MODERN_SERIF: 'Charter, "Bitstream Charter", "Sitka Text", Cambria, serif',
  BOOK_SERIF: '"Iowan Old Style", "Palatino Linotype", "URW Palladio L", P052, serif',
  MONOSPACE: '"Nimbus Mono PS", "Courier New", "Cutive Mono", monospace',
} as const;

/** The language of a text that an author wrote (BCP 47, section 4.1). */
export const undeterminedLanguage = 'und';

/** Attributes of a layout table. */
export const bare = html`role="presentation" cellpadding="0" cellspacing="0" border="0"`;

interface TextStyle {
  readonly color?: string | null;
  readonly backgroundColor?: string | null;
  readonly fontFamily?: keyof typeof fonts | null;
  readonly fontWeight?: 'bold' | 'normal' | null;
  readonly textAlign?: 'left' | 'center' | 'right' | null;
  readonly padding?: Padding | null;
}

export function textLooks(looks: TextStyle | null | undefined, weight: 'bold' | 'normal'): Styles {
  return {
    color: looks?.color,
    ...background(looks?.backgroundColor),
    'font-family': looks?.fontFamily && fonts[looks.fontFamily],
    'font-weight': looks?.fontWeight ?? weight,
    'text-align': looks?.textAlign,
    padding: padding(looks?.padding),
  };
}

/** A background that the author has chosen. Links on it keep the colour of light mode. */
export function background(color: string | null | undefined): Styles {
  return color == null ? {} : { 'background-color': color, 'color-scheme': 'light' };
}

interface Padding {
  readonly top?: number | null;
  readonly bottom?: number | null;
  readonly left?: number | null;
  readonly right?: number | null;
}

/** Blocks without padding settings get a default padding. */
export function padding(given: Padding | null | undefined, otherwise = 24): string {
  if (given == null) return otherwise === 0 ? '0' : `8px ${otherwise}px`;
  return [given.top, given.right, given.bottom, given.left].map(side => px(side ?? 0)).join(' ');
}

const maxPixels = 10_000;

/** Bounds a length of a template to what an email can show. */
export function px(length: number): string {
  return `${Math.min(Math.max(length, 0), maxPixels)}px`;
}

type Styles = Readonly<Record<string, string | 0 | null | undefined | ''>>;

export function style(styles: Styles): string {
  return Object.entries(styles)
    .filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== 0)
    .map(([name, value]) => `${name}:${value}`)
    .join(';');
}
