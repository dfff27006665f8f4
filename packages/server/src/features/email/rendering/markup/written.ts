import { type Element, type MarkupNode, voidElements } from './tree.ts';

const attributeName = /^[a-z_][a-z0-9_.:-]*$/;
const dangerousNames: ReadonlySet<string> = new Set(['srcdoc', 'action', 'formaction', 'ping', 'http-equiv', 'is']);
const urlNames: ReadonlySet<string> = new Set([
  ...['href', 'src', 'background', 'cite', 'longdesc', 'poster', 'lowsrc', 'dynsrc', 'xlink:href', 'data'],
]);

/** Serializes the tree: closed tags, quoted values, no active content. */
export function serializeMarkup(nodes: readonly MarkupNode[]): string {
  return nodes.map(node => (typeof node === 'string' ? node : serializeElement(node))).join('');
}

function serializeElement({ name, attributes, children }: Element): string {
  const written = [...attributes]
    .filter(([key, value]) => isHarmless(name, key, value))
    .map(([key, value]) => ` ${key}="${quoted(value)}"`)
    .join('');
  const start = `<${name}${written}>`;
  return voidElements.has(name) ? start : `${start}${serializeMarkup(children)}</${name}>`;
}

function quoted(value: string): string {
  return value.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function isHarmless(element: string, key: string, value: string): boolean {
  if (!attributeName.test(key) || key.startsWith('on') || dangerousNames.has(key)) return false;
  if (!urlNames.has(key)) return true;
  return isHarmlessUrl(value) || (element === 'img' && key === 'src' && pictureData.test(value.trim()));
}

const pictureData = /^data:image\/(?:png|jpe?g|gif|webp);base64,[\w+/=]*$/i;
const harmlessScheme = /^(?:https?|mailto|tel|sms|cid):/i;
const anyScheme = /^[^/?#]*:/;

/** A relative URL, or one with a harmless scheme. */
export function isHarmlessUrl(value: string): boolean {
  const address = decodeEntities(value).replace(/[\p{Cc}\p{Cf}\p{Z}]/gu, '');
  const [beginning = ''] = address.split(/[/?#]/, 1);
  // An unknown entity could decode to a colon.
  if (beginning.includes('&')) return false;
  return harmlessScheme.test(address) || !anyScheme.test(address);
}

const namedEntities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  colon: ':',
  Tab: '\t',
  NewLine: '\n',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  euro: '€',
  pound: '£',
  shy: '',
  zwnj: '',
  zwj: '',
};

const entity = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,10}));?/g;

/** Decodes entities. Unknown entities stay unchanged. */
export function decodeEntities(text: string): string {
  return text.replace(entity, (written, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(namedEntities, name) ? (namedEntities[name] ?? written) : written;
    const codePoint = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
    return isCharacter(codePoint) ? String.fromCodePoint(codePoint) : '\ufffd';
  });
}

function isCharacter(codePoint: number): boolean {
  return codePoint > 0 && codePoint <= 0x10ffff && (codePoint < 0xd800 || codePoint > 0xdfff);
}
