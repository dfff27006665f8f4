type Scheme = 'light' | 'dark';

/** Used when nothing behind the element is painted: white, or the scheme of the visitor's system. */
type BackgroundFallback = 'white' | 'system';

const marks = ['data-joy-color-scheme', 'data-mui-color-scheme', 'data-theme', 'data-color-scheme'];

/**
 * The scheme of a page that declares none. Undefined when CSS can decide: the page sets `color-scheme` or one of the
 * attributes and classes that `styles.css` knows. Otherwise the page is as dark as the background painted behind the
 * element. The system preference comes last, because most pages are light in every system.
 */
function undeclaredScheme(element: Element, paper: BackgroundFallback): Scheme | undefined {
  if (isDeclared(element)) return undefined;

  for (let behind = element.parentElement; behind; behind = behind.parentElement) {
    const scheme = schemeOfColor(getComputedStyle(behind).backgroundColor);
    if (scheme) return scheme;
  }
  return paper === 'system' && matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

function isDeclared(element: Element): boolean {
  const { documentElement: html } = document;
  const isMarked = marks.some(mark => /^(?:light|dark)$/.test(html.getAttribute(mark) ?? ''));
  if (isMarked || /(?:^|\s)(?:light|dark)(?:\s|$)/.test(html.className)) return true;

  // The element's own computed scheme may be our previous result, so its parent is read.
  const { colorScheme } = getComputedStyle(element.parentElement ?? html);
  return colorScheme !== '' && colorScheme !== 'normal';
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

/** Calls back when the page's scheme may have changed: attributes of html and body, or the system preference. */
function watchPage(callback: () => void): () => void {
  const observer = new MutationObserver(callback);
  const options = { attributes: true };
  observer.observe(document.documentElement, options);
  observer.observe(document.body, options);

  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', callback);

  return () => {
    observer.disconnect();
    system.removeEventListener('change', callback);
  };
}

export { type BackgroundFallback, type Scheme, schemeOfColor, undeclaredScheme, watchPage };
