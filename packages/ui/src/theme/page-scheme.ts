type Scheme = 'light' | 'dark';

/** Used when nothing behind the element is painted: white, or the scheme of the visitor's system. */
type BackgroundFallback = 'white' | 'system';

/** Attributes of the html element by which pages and theme libraries choose a scheme, the strongest first. */
const marks = ['data-joy-color-scheme', 'data-mui-color-scheme', 'data-theme', 'data-color-scheme', 'class'];

/**
 * The scheme of the page at this element. The marks of the html element come first, then the `color-scheme` that the
 * element inherits, then the background that is painted behind it. The system preference comes last, because most pages
 * are light in every system.
 */
function resolveScheme(element: Element, fallback: BackgroundFallback): Scheme {
  return markedScheme() ?? declaredScheme(element) ?? paintedScheme(element) ?? fallbackScheme(fallback);
}

function markedScheme(): Scheme | undefined {
  return marks.flatMap(mark => schemesIn(document.documentElement.getAttribute(mark) ?? ''))[0];
}

function declaredScheme({ parentElement }: Element): Scheme | undefined {
  // The element's own scheme is our previous result, so its parent is read.
  const inherited = schemesIn(getComputedStyle(parentElement ?? document.documentElement).colorScheme);
  const schemes = inherited.length > 0 ? inherited : schemesIn(metaOfPage());
  return schemes.length > 1 ? systemScheme() : schemes[0];
}

/** A page can declare its schemes in a meta element, which computed styles do not show. */
function metaOfPage(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=color-scheme]')?.content ?? '';
}

function schemesIn(text: string): Scheme[] {
  return text.split(/\s+/).filter(word => word === 'light' || word === 'dark');
}

function paintedScheme({ parentElement }: Element): Scheme | undefined {
  for (let behind = parentElement; behind; behind = behind.parentElement) {
    const scheme = schemeOfColor(getComputedStyle(behind).backgroundColor);
    if (scheme) return scheme;
  }
  return undefined;
}

function fallbackScheme(fallback: BackgroundFallback): Scheme {
  return fallback === 'system' ? systemScheme() : 'light';
}

function systemScheme(): Scheme {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Light or dark for a computed background; undefined for a transparent one. */
function schemeOfColor(color: string): Scheme | undefined {
  const [kind = '', ...parts] = color.split(/[(), /]+/);
  const [first = Number.NaN, second = 0, third = 0, alpha = 1] = parts.filter(part => part !== '').flatMap(numberIn);
  if (Number.isNaN(first) || alpha < 0.5) return undefined;

  return lightnessOf(kind, [first, second, third]) < 0.5 ? 'dark' : 'light';
}

function numberIn(part: string): number[] {
  const value = Number(part);
  return Number.isNaN(value) ? [] : [value];
}

/** Lightness from 0 to 1, for the formats in which browsers write computed colors. */
function lightnessOf(kind: string, [first, second, third]: [number, number, number]): number {
  if (kind === 'oklch' || kind === 'oklab') return first;
  if (kind === 'lch' || kind === 'lab') return first / 100;

  const luma = 0.299 * first + 0.587 * second + 0.114 * third;
  return kind === 'color' ? luma : luma / 255;
}

/** Calls back when the page's scheme may have changed: attributes around the element, or the system preference. */
function watchPage(element: Element, callback: () => void): () => void {
  const observer = new MutationObserver(callback);
  for (let around = element.parentElement; around; around = around.parentElement) {
    observer.observe(around, { attributes: true });
  }

  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', callback);

  return () => {
    observer.disconnect();
    system.removeEventListener('change', callback);
  };
}

export { type BackgroundFallback, resolveScheme, type Scheme, schemeOfColor, watchPage };
