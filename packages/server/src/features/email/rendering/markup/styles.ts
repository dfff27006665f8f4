import postcss, { type AtRule, type ChildNode, type Container, type Rule } from 'postcss';

/** Properties that change the look of text and boxes. None of them loads, moves or covers something. */
const properties = [
  ...['background', 'background-color', 'background-clip', 'background-origin', 'background-position'],
  ...['background-repeat', 'background-size', 'border-collapse', 'border-color', 'border-radius', 'border-spacing'],
  ...['border-style', 'border-width', 'border', 'box-shadow', 'box-sizing', 'caption-side', 'clear', 'color'],
  ...['color-scheme', 'direction', 'display', 'empty-cells', 'float', 'font', 'font-family', 'font-feature-settings'],
  ...['font-size', 'font-stretch', 'font-style', 'font-variant', 'font-variant-numeric', 'font-weight', 'height'],
  ...['hyphens', 'letter-spacing', 'line-break', 'line-height', 'list-style', 'list-style-position'],
  ...['list-style-type', 'max-height', 'max-width', 'min-height', 'min-width', 'mso-hide', 'mso-line-height-rule'],
  ...['mso-padding-alt', 'mso-table-lspace', 'mso-table-rspace', 'object-fit', 'object-position', 'opacity'],
  ...['outline', 'outline-color', 'outline-style', 'outline-width', 'overflow', 'overflow-wrap', 'overflow-x'],
  ...['overflow-y', 'quotes', 'tab-size', 'table-layout', 'text-align', 'text-decoration', 'text-decoration-color'],
  ...['text-decoration-line', 'text-decoration-style', 'text-indent', 'text-overflow', 'text-shadow'],
  ...['text-size-adjust', 'text-transform', 'unicode-bidi', 'vertical-align', 'visibility', 'white-space', 'width'],
  ...['word-break', 'word-spacing', 'word-wrap', '-ms-interpolation-mode', '-ms-text-size-adjust'],
  ...['-webkit-font-smoothing', '-webkit-text-size-adjust', '-moz-osx-font-smoothing'],
  ...sides('border'),
  ...sides('border', '-color'),
  ...sides('border', '-style'),
  ...sides('border', '-width'),
  ...sides('margin'),
  ...sides('padding'),
  ...['border-top-left-radius', 'border-top-right-radius', 'border-bottom-left-radius', 'border-bottom-right-radius'],
];

function sides(name: string, suffix = ''): string[] {
  return [name, ...['-top', '-right', '-bottom', '-left'].map(side => name + side)].map(start => start + suffix);
}

/**
 * A value without a backslash, which could write every other character, without markup, and without a function that
 * loads or runs something: `url()`, `image-set()`, `expression()`, `src()`. Only the beginning of a name that a bracket
 * follows is searched for these words, so that the search is linear (control 85).
 */
const plainValue =
  /^(?=[^\\<>@{};]{0,500}$)(?!.*(?<![\w-])(?=[\w-]+\s*\()[\w-]*(?:url|image|expression|element|src|attr|var|env|paint))/is;
/** An image that an `img` element could load, too. */
const imageValue = /^url\(\s*(["']?)https?:\/\/[^\s"'()\\<>]{1,2000}\1\s*\)$/i;

/** The allowed values of each property. Other properties and values are removed. */
export const allowedStyles: Readonly<Record<string, readonly RegExp[]>> = {
  ...Object.fromEntries(properties.map(property => [property, [plainValue]])),
  'background-image': [plainValue, imageValue],
};

/** Mail programs do not nest deeper. The limit allows recursive functions on the rules. */
const maxDepth = 10;

/** `@media` is the only rule that holds other rules: dark mode and small screens need it. */
const plainSelector = /^[^\\<@{};]{0,1000}$/s;

/**
 * Removes everything from a stylesheet except rules with allowed properties and values, alone or inside `@media`.
 * Returns an empty text for a stylesheet that cannot be parsed.
 */
export function cleanStyleSheet(css: string): string {
  const root = parseStyleSheet(css);
  if (root === undefined) return '';
  cleanRules(root);
  const cleaned = root.toString().trim();
  // Nothing that is left needs this character, which begins an end tag.
  return cleaned.includes('<') ? '' : cleaned;
}

function parseStyleSheet(css: string) {
  try {
    return postcss.parse(css);
  } catch (error) {
    if (error instanceof postcss.CssSyntaxError) return undefined;
    throw error;
  }
}

/** The kept nodes replace all of them: `remove` moves all later siblings, so the time would grow with the square of the nodes. */
function cleanRules(container: Container, depth = 0): void {
  container.nodes = container.nodes?.filter(node => {
    if (!isAllowedContainer(node) || depth >= maxDepth) return node.type === 'decl' && isAllowed(node.prop, node.value);
    cleanRules(node, depth + 1);
    return true;
  });
}

function isAllowedContainer(node: ChildNode): node is Rule | AtRule {
  if (node.type === 'rule') return plainSelector.test(node.selector);
  return node.type === 'atrule' && node.name === 'media' && node.nodes !== undefined && plainSelector.test(node.params);
}

function isAllowed(property: string, value: string): boolean {
  return Object.hasOwn(allowedStyles, property) && allowedStyles[property]?.some(one => one.test(value)) === true;
}
