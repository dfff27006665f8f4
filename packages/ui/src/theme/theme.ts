import { type ColorName, palette } from './palette.ts';

/** Colors that differ from the defaults, by name, as CSS colors. */
type ThemeColors = { [Name in ColorName]?: string | undefined };

/** What an app can change: colors for light and dark pages, and the corner radius (default `0.5rem`). */
type Theme = {
  light?: ThemeColors | undefined;
  dark?: ThemeColors | undefined;
  radius?: string | undefined;
};

const colorSyntax = [
  /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i,
  /^[a-z]+$/i,
  /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\([-+\w.,%/ ]+\)$/i,
  /^var\(--[-\w]+\)$/,
];
const lengthSyntax = /^(?:0|\d*\.?\d+(?:px|rem|em))$/;

/**
 * The declarations of a theme: `--tessera-primary:…;--tessera-primary-dark:…;--tessera-radius:…`. A color that is set for
 * one scheme only keeps the default in the other. A value that is not a plain CSS color or length is a `TypeError`, so a
 * theme cannot inject other CSS.
 */
function themeToCss(theme: Theme): string {
  return [...colorsToCss(theme), ...radiusToCss(theme)].join(';');
}

function colorsToCss({ light, dark }: Theme): string[] {
  const names = Object.keys(palette).filter(isColorName);
  const changed = names.filter(name => light?.[name] !== undefined || dark?.[name] !== undefined);

  return changed.flatMap(name => {
    const lightColor = checkColor(name, light?.[name] ?? palette[name][0]);
    const darkColor = checkColor(name, dark?.[name] ?? palette[name][1]);
    return [`${variableOf(name)}:${lightColor}`, `${variableOf(name)}-dark:${darkColor}`];
  });
}

function radiusToCss({ radius }: Theme): string[] {
  if (radius === undefined) return [];

  const trimmed = radius.trim();
  if (!lengthSyntax.test(trimmed)) {
    throw new TypeError(
      `The theme's radius must be a length in px, rem or em, such as "0.5rem", not ${quote(radius)}.`,
    );
  }
  return [`--tessera-radius:${trimmed}`];
}

function checkColor(name: ColorName, color: string): string {
  const trimmed = color.trim();
  if (!colorSyntax.some(syntax => syntax.test(trimmed))) {
    throw new TypeError(
      `The theme's colour "${name}" must be a CSS colour, such as "#2340a0", "oklch(0.4 0.15 265)" or "var(--brand)", not ${quote(color)}.`,
    );
  }
  return trimmed;
}

function quote(value: unknown): string {
  return JSON.stringify(value).slice(0, 80);
}

/** `cardForeground` → `--tessera-card-foreground`. */
function variableOf(name: ColorName): string {
  return `--tessera-${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
}

function isColorName(name: string): name is ColorName {
  return name in palette;
}

export { type Theme, type ThemeColors, themeToCss, variableOf };
