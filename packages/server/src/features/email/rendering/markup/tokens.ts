/** A tag or text. Comments, document types and processing instructions are skipped. */
export type Token =
  /** Source text with entities. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: 'close'; readonly name: string };

/** The markup is invalid. The message is for its author. */
export class MarkupError extends Error {
  override readonly name = 'MarkupError';
}

/** Elements whose content is text up to their end tag (HTML standard, 13.1.2). */
const rawText: ReadonlySet<string> = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
]);

const tagName = /[a-zA-Z][^\s/>]*/y;
const attribute = /([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)|(["'])))?/y;

/**
 * Splits HTML into tokens in one pass, by the rules of the HTML standard.
 *
 * @throws MarkupError when a tag, an attribute or a comment has no end
 */
export function tokenize(markup: string): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  while (position < markup.length) {
    const tag = markup.indexOf('<', position);
    const end = tag === -1 ? markup.length : tag;
    if (end > position) tokens.push({ kind: 'text', text: markup.slice(position, end) });
    if (tag === -1) break;
    position = readTag(markup, tag, tokens);
  }
  return tokens;
}

/** Reads the token that begins with `<`. @returns its end */
function readTag(markup: string, start: number, tokens: Token[]): number {
  if (markup.startsWith('<!--', start)) return endOfComment(markup, start);
  if (markup[start + 1] === '!' || markup[start + 1] === '?') return endOf('>', markup, start);
  const isClosing = markup[start + 1] === '/';
  const name = match(tagName, markup, start + (isClosing ? 2 : 1))?.[0].toLowerCase();
  if (name === undefined) return readStray(markup, start, { isClosing, tokens });
  const { attributes, end } = readAttributes(markup, start + (isClosing ? 2 : 1) + name.length, name);
  if (isClosing) {
    tokens.push({ kind: 'close', name });
    return end;
  }
  tokens.push({ kind: 'open', name, attributes });
  return rawText.has(name) ? readRawText(markup, end, { name, tokens }) : end;
}

/** `</ …>` is a bogus comment, and `<` before any other character is text. */
function readStray(
  markup: string,
  start: number,
  { isClosing, tokens }: { isClosing: boolean; tokens: Token[] },
): number {
  if (isClosing) return endOf('>', markup, start);
  tokens.push({ kind: 'text', text: '&lt;' });
  return start + 1;
}

function readAttributes(
  markup: string,
  start: number,
  tag: string,
): { attributes: ReadonlyMap<string, string>; end: number } {
  const attributes = new Map<string, string>();
  let position = start;
  for (;;) {
    const character = markup[position];
    if (character === undefined) throw new MarkupError(`<${tag}> has no closing bracket`);
    if (character === '>') return { attributes, end: position + 1 };
    const found = match(attribute, markup, position);
    if (found === null) {
      position += 1;
      continue;
    }
    const [all, name = '', inDouble, inSingle, bare, openQuote] = found;
    if (openQuote !== undefined) throw new MarkupError(`a value in <${tag}> has no closing quote`);
    // The first of several attributes with the same name counts.
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, inDouble ?? inSingle ?? bare ?? '');
    position += all.length;
  }
}

function readRawText(markup: string, start: number, { name, tokens }: { name: string; tokens: Token[] }): number {
  const endings = /<\/([a-zA-Z]+)(?=[\s/>])/g;
  endings.lastIndex = start;
  let ending = endings.exec(markup);
  while (ending !== null && ending[1]?.toLowerCase() !== name) ending = endings.exec(markup);
  if (ending === null) throw new MarkupError(`<${name}> is not closed`);
  const end = ending.index;
  if (end > start) tokens.push({ kind: 'text', text: markup.slice(start, end) });
  return end;
}

/** A comment may be as short as `<!-->` and may end with `--!>`. */
function endOfComment(markup: string, start: number): number {
  const ending = /--!?>/g;
  ending.lastIndex = start + 2;
  if (ending.exec(markup) === null) throw new MarkupError('a comment is not closed');
  return ending.lastIndex;
}

function endOf(character: string, markup: string, start: number): number {
  const end = markup.indexOf(character, start);
  if (end === -1) throw new MarkupError('a tag has no closing bracket');
  return end + character.length;
}

function match(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}
