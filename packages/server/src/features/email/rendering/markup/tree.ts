import { MarkupError, type Token, tokenize } from './tokens.ts';

export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: MarkupNode[];
}

/** Text is source text with entities. */
export type MarkupNode = string | Element;

/** Emails do not nest deeper. The limit allows recursive functions on the tree. */
const maxDepth = 100;

const elementName = /^[a-z][a-z0-9:_-]*$/;

export const voidElements: ReadonlySet<string> = new Set(['area', 'br', 'col', 'hr', 'img', 'wbr']);

/** Removed with their content: they run, load or hide something, or ask for input. */
const removed: ReadonlySet<string> = new Set([
  ...['script', 'iframe', 'object', 'applet', 'svg', 'math', 'template', 'frameset', 'noembed', 'noframes'],
  ...['title', 'textarea', 'select', 'xmp', 'audio', 'video', 'canvas', 'portal'],
]);
const removedVoid: ReadonlySet<string> = new Set([
  ...['meta', 'link', 'base', 'embed', 'input', 'param', 'source', 'track', 'frame'],
  ...['bgsound', 'basefont', 'keygen', 'plaintext'],
]);
/** Removed, but their content stays. */
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

/**
 * Parses markup to a tree without active content. Markup that would change its surroundings (an element that is not
 * closed, a cell without a table) is refused instead of repaired, so that the author notices it.
 *
 * @throws MarkupError
 */
export function parseMarkup(markup: string): MarkupNode[] {
  const root: Element = { name: '', attributes: new Map(), children: [] };
  const open: Element[] = [root];
  for (const token of tokenize(markup)) add(open, token);
  while (open.length > 1) closeLeftOpen(open);
  return root.children;
}

function add(open: Element[], token: Token): void {
  if (token.kind === 'text') {
    top(open).children.push(token.text);
    return;
  }
  const name = token.name === 'image' ? 'img' : token.name;
  if (!elementName.test(name) || removedVoid.has(name) || unwrapped.has(name)) return;
  // Inside a removed element only its end tag matters.
  const around = top(open).name;
  if (removed.has(around) && name !== around) return;
  if (token.kind === 'close') close(open, name);
  else begin(open, { name, attributes: token.attributes, children: [] });
}

function begin(open: Element[], element: Element): void {
  const { name } = element;
  closeBefore(open, name);
  assertPlace(open, name);
  if (!removed.has(name)) top(open).children.push(element);
  if (voidElements.has(name)) return;
  if (open.length > maxDepth) throw new MarkupError('the elements are nested too deep');
  open.push(element);
}

/** Closes elements with an optional end tag, as the standard requires. */
function closeBefore(open: Element[], name: string): void {
  while (closedBy.get(top(open).name)?.includes(name) === true) open.pop();
}

function close(open: Element[], name: string): void {
  if (voidElements.has(name)) return;
  if (!open.some(element => element.name === name)) throw new MarkupError(`</${name}> closes nothing`);
  while (top(open).name !== name) closeLeftOpen(open);
  open.pop();
}

function closeLeftOpen(open: Element[]): void {
  const { name } = top(open);
  if (!closedBy.has(name)) throw new MarkupError(`<${name}> is not closed`);
  open.pop();
}

/** A cell outside a table, or a table between rows, would end the layout table of the email. */
function assertPlace(open: readonly Element[], name: string): void {
  if (name !== 'table' && !partsOfTables.has(name)) return;
  const around = open.findLast(element => cells.has(element.name) || rows.has(element.name))?.name;
  if (name === 'table' && around !== undefined && !cells.has(around)) {
    throw new MarkupError('<table> is inside a table, but not in a cell');
  }
  if (name !== 'table' && (around === undefined || cells.has(around))) {
    throw new MarkupError(`<${name}> is outside a table`);
  }
}

function top(open: readonly Element[]): Element {
  return open[open.length - 1] ?? { name: '', attributes: new Map(), children: [] };
}
