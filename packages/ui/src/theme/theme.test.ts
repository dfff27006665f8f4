// @vitest-environment node
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type ColorName, palette } from './palette.ts';
import { themeToCss, variableOf } from './theme.ts';

describe('a theme', () => {
  test('declares both schemes, and keeps the default color where one is missing', () => {
    expect(
      themeToCss({ light: { primary: '#0f766e' }, dark: { primary: 'oklch(0.8 0.1 180)', ring: 'red' }, radius: '0' }),
    ).toBe(
      '--tessera-primary:#0f766e;--tessera-primary-dark:oklch(0.8 0.1 180);' +
        `--tessera-ring:${palette.ring[0]};--tessera-ring-dark:red;` +
        '--tessera-radius:0',
    );
  });

  test('produces no CSS when it is empty', () => {
    expect(themeToCss({})).toBe('');
    expect(themeToCss({ light: {}, dark: { primary: undefined }, radius: undefined })).toBe('');
  });

  test.each([
    '#fff',
    '#ffff',
    '#A1B2C3',
    '#a1b2c3d4',
    'rebeccapurple',
    'rgb(1 2 3 / 50%)',
    'hsl(210, 40%, 98%)',
    'color(display-p3 1 0 0)',
    'oklch(.4 .15 265)',
    'var(--brand-500)',
  ])('takes the colour %s', color => {
    expect(themeToCss({ light: { card: color }, dark: { card: color } })).toBe(
      `--tessera-card:${color};--tessera-card-dark:${color}`,
    );
  });

  test.each([
    'red;background:url(//evil.example)',
    'red}body{display:none',
    '</style><script>alert(1)</script>',
    'url(https://evil.example/x.png)',
    'rgb(1,2,3',
    'rgb(url(x))',
    'var(--x,url(//evil.example))',
    'image-set("x" 1x)',
    'red/**/',
    '#12345',
    'red !important',
    'expression(alert(1))',
    '\\75rl(x)',
    '',
  ])('refuses the colour %j', color => {
    expect(() => themeToCss({ light: { primary: color } })).toThrow(TypeError);
    expect(() => themeToCss({ dark: { primary: color } })).toThrow(TypeError);
  });

  test.each(['0', '8px', '.5rem', '0.25em', '12px'])('takes the radius %s', radius => {
    expect(themeToCss({ radius })).toBe(`--tessera-radius:${radius}`);
  });

  test.each(['8', '-1px', '50%', '1px;x:y', 'calc(1px)', '1px 2px', ''])('refuses the radius %j', radius => {
    expect(() => themeToCss({ radius })).toThrow(TypeError);
  });

  test('ignores names that are not in the palette', () => {
    const light: Record<string, string> = { primary: '#fff', constructor: 'red', 'x}body{': 'red' };
    expect(themeToCss({ light })).toBe(`--tessera-primary:#fff;--tessera-primary-dark:${palette.primary[1]}`);
  });
});

describe('the default colors', () => {
  // The formatter breaks long declarations.
  const css = readFileSync(new URL('../styles/colors.css', import.meta.url), 'utf8').replace(
    /([(,])\s*\n\s*|\s*\n\s*(?=\))/g,
    (_, mark = '') => (mark === ',' ? ', ' : mark),
  );

  test.each(Object.entries(palette))('%s has the same value in CSS', (name, [light, dark]) => {
    const variable = variableOf(name as ColorName);
    const resolved = variable.replace('--tessera-', '--tessera-color-');
    const declared = [...css.matchAll(new RegExp(`^ +(${resolved}: .*;)$`, 'gm'))].map(
      ([, declaration]) => declaration,
    );
    const inDark = `${resolved}: var(${variable}-dark, var(${variable}, ${dark}));`;
    expect(declared).toEqual([`${resolved}: var(${variable}, ${light});`, inDark, inDark]);
  });

  const text: [ColorName, ColorName][] = [
    ['foreground', 'background'],
    ['cardForeground', 'card'],
    ['popoverForeground', 'popover'],
    ['primaryForeground', 'primary'],
    ['secondaryForeground', 'secondary'],
    ['accentForeground', 'accent'],
    ['destructiveForeground', 'destructive'],
    ['primary', 'card'],
    ['primary', 'background'],
    ['destructive', 'card'],
    ['destructive', 'background'],
    ['mutedForeground', 'muted'],
    ['mutedForeground', 'card'],
    ['mutedForeground', 'popover'],
    ['mutedForeground', 'accent'],
    ['mutedForeground', 'background'],
  ];

  test.each(text)('%s on %s has a text contrast of 4.5 to 1', (front, back) => {
    expect(contrasts(front, back).every(contrast => contrast >= 4.5)).toBe(true);
  });

  const edges: [ColorName, ColorName][] = [
    ['input', 'card'],
    ['input', 'background'],
    ['ring', 'card'],
    ['ring', 'background'],
  ];

  test.each(edges)('%s on %s has an edge contrast of 3 to 1', (front, back) => {
    expect(contrasts(front, back).every(contrast => contrast >= 3)).toBe(true);
  });
});

/** The contrast of two palette colors by WCAG 2.2, light then dark. */
function contrasts(front: ColorName, back: ColorName): number[] {
  return ([0, 1] as const).map(scheme => {
    const [one, other] = [luminance(palette[front][scheme]), luminance(palette[back][scheme])];
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  });
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(start => {
    const part = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
