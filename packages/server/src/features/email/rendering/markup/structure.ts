import { Tokenizer } from 'htmlparser2';
import { removedElements, voidElements } from './elements.ts';
import { MarkupError } from './error.ts';

/** Emails do not nest deeper. The limit allows recursive functions on the elements. */
const maxDepth = 100;
/** Bounds the time that an email costs. */
const maxElements = 20_000;
const elementName = /^[a-z][a-z0-9:_-]*$/;

const removed: ReadonlySet<string> = new Set(removedElements);
/** Removed, but their content stays. Their end tags are optional. */
const unwrapped: ReadonlySet<string> = new Set(['html', 'head', 'body', 'form', 'noscript']);

/** Elements with an optional end tag, and the elements whose start closes them. */
const closedBy: ReadonlyMap<string, readonly string[]> = new Map([
  ['p', ['p']],
  ['li', ['li']],
  ['dt', ['dt', 'dd']],
  ['dd', ['dt', 'dd']],
  ['option', ['option', 'optgroup']],
  ['optgroup', ['optgroup']],
  ['td', ['td', 'th', 'tr', 'tbody', 'thead', 'tfoot']],
  ['th', ['td', 'th', 'tr', 'tbody', 'thead', 'tfoot']],
  ['tr', ['tr', 'tbody', 'thead', 'tfoot']],
  ['tbody', ['tbody', 'thead', 'tfoot']],
  ['thead', ['tbody', 'thead', 'tfoot']],
  ['tfoot', ['tbody', 'thead', 'tfoot']],
  ['colgroup', ['colgroup', 'tr', 'tbody', 'thead', 'tfoot']],
]);

const cells: ReadonlySet<string> = new Set(['td', 'th', 'caption']);
const rows: ReadonlySet<string> = new Set(['table', 'tbody', 'thead', 'tfoot', 'tr', 'colgroup']);
const partsOfTables: ReadonlySet<string> = new Set([...cells, ...rows, 'col'].filter(name => name !== 'table'));

/** Written behind the markup: it is found as a tag exactly when the markup leaves nothing open. */
const end = '<end>';

/**
 * Refuses markup that would change its surroundings: an element that is not closed, a cell without a table. Browsers
 * repair such markup, but the author should notice it. The result of `sanitizeMarkup` is safe without this check.
 *
 * @returns the text of each `style` element
 * @throws MarkupError
 */
export function checkStructure(markup: string): string[] {
  const open: string[] = [];
  const styleSheets: string[] = [];
  let tag: { name: string; attributeEnd: number } | undefined;
  let lastEnd = 0;
  let elements = 0;
  let isEndFound = false;
  const ignore = () => undefined;
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname: (start, stop) => {
        if (start > markup.length) isEndFound = true;
        else tag = { name: markup.slice(start, stop).toLowerCase(), attributeEnd: 0 };
      },
      onattribname: (_start, stop) => {
        if (tag !== undefined) tag.attributeEnd = stop;
      },
      onattribend: (_quote, stop) => {
        if (tag !== undefined && stop < markup.length) tag.attributeEnd = 0;
      },
      onopentagend: closeBracket,
      onselfclosingtag: closeBracket,
      onclosetag: (start, stop) => {
        if (stop >= markup.length) return;
        lastEnd = stop;
        // `</ …>` is a bogus comment (HTML standard, 13.2.5.7).
        if (markup[start - 1] === '/') closeElement(open, nameOf(markup.slice(start, stop)));
      },
      ontext: (start, stop) => {
        if (open.at(-1) === 'style') styleSheets.push(markup.slice(start, stop));
      },
      oncomment: (_start, stop) => {
        if (stop < markup.length) lastEnd = stop;
      },
      onattribdata: ignore,
      onattribentity: ignore,
      oncdata: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onprocessinginstruction: ignore,
      ontextentity: ignore,
    },
  );

  function closeBracket(stop: number): void {
    if (tag === undefined || stop >= markup.length) return;
    elements += 1;
    if (elements > maxElements) throw new MarkupError('there are too many elements');
    openElement(open, nameOf(tag.name));
    lastEnd = stop;
    tag = undefined;
  }

  tokenizer.write(markup);
  const rawElement = open.at(-1);
  tokenizer.write(end);
  tokenizer.end();
  if (tag !== undefined) throw new MarkupError(unclosedTag(markup, tag));
  if (!isEndFound && !removed.has(rawElement ?? '')) {
    const isComment = markup.indexOf('<!--', lastEnd) !== -1;
    throw new MarkupError(isComment ? 'a comment is not closed' : 'a tag has no closing bracket');
  }
  while (open.length > 0) closeOptional(open);
  return styleSheets;
}

function unclosedTag(markup: string, { name, attributeEnd }: { name: string; attributeEnd: number }): string {
  const isInQuotes = attributeEnd > 0 && /^\s*=\s*["']/.test(markup.slice(attributeEnd, attributeEnd + 100));
  return isInQuotes ? `a value in <${name}> has no closing quote` : `<${name}> has no closing bracket`;
}

function nameOf(written: string): string {
  const name = written.toLowerCase();
  return name === 'image' ? 'img' : name;
}

/** Elements without effect on the structure of the email. */
function isIgnored(open: readonly string[], name: string): boolean {
  if (!elementName.test(name) || voidElements.has(name) || unwrapped.has(name)) return true;
  // Inside a removed element only its end tag matters.
  const around = open.at(-1) ?? '';
  return removed.has(around) && name !== around;
}

function openElement(open: string[], name: string): void {
  if (name === 'col') assertPlace(open, name);
  if (isIgnored(open, name)) return;
  while (closedBy.get(open.at(-1) ?? '')?.includes(name) === true) open.pop();
  assertPlace(open, name);
  if (open.length >= maxDepth) throw new MarkupError('the elements are nested too deep');
  open.push(name);
}

function closeElement(open: string[], name: string): void {
  if (isIgnored(open, name)) return;
  if (!open.includes(name)) throw new MarkupError(`</${name}> closes nothing`);
  while (open.at(-1) !== name) closeOptional(open);
  open.pop();
}

function closeOptional(open: string[]): void {
  const name = open.pop() ?? '';
  if (!closedBy.has(name)) throw new MarkupError(`<${name}> is not closed`);
}

/** A cell outside a table, or a table between rows, would end the layout table of the email. */
function assertPlace(open: readonly string[], name: string): void {
  if (name !== 'table' && !partsOfTables.has(name)) return;
  const around = open.findLast(element => cells.has(element) || rows.has(element));
  if (name === 'table' && around !== undefined && !cells.has(around)) {
    throw new MarkupError('<table> is inside a table, but not in a cell');
  }
  if (name !== 'table' && (around === undefined || cells.has(around))) {
    throw new MarkupError(`<${name}> is outside a table`);
  }
}
