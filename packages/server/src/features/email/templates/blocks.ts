import type { MailBlock, MailContent } from '../rendering/content.ts';
import { codeLength, fill, type Variables } from '../rendering/fill.ts';

/** Maximum number of blocks in an email. Also ends a document whose blocks contain each other. */
const maxBlocks = 500;
const maxDepth = 20;
/** A block counts each time it is used. */
const textMaxLength = 4_000_000;
const codeMaxLength = 10_000;

/** A block with its children and filled texts. */
export interface FilledBlock {
  readonly block: MailBlock;
  /** One list, or one per column. */
  readonly children: readonly (readonly FilledBlock[])[];
}

/** A document without a root, with a cycle, or larger than an email may be. */
export class ContentError extends Error {
  override readonly name = 'ContentError';
}

/** Builds the tree of a document from `root` down, with filled texts. @throws ContentError */
export async function fillContent(content: MailContent, variables: Variables): Promise<FilledBlock> {
  const withTexts = textFiller(variables);
  let blocks = 0;
  let length = 0;

  async function fillBlock(id: string, depth: number): Promise<FilledBlock | undefined> {
    blocks += 1;
    if (blocks > maxBlocks || depth > maxDepth) throw new ContentError('the content has too many blocks');
    const block = Object.hasOwn(content, id) ? content[id] : undefined;
    if (block === undefined) return undefined;
    const own = await withTexts(block);
    length += own.length;
    if (length > textMaxLength) throw new ContentError('the content is too long');
    const children: FilledBlock[][] = [];
    for (const ids of childrenOf(block)) {
      const list: FilledBlock[] = [];
      for (const childId of ids) {
        const child = await fillBlock(childId, depth + 1);
        if (child !== undefined) list.push(child);
      }
      children.push(list);
    }
    return { block: own.block, children };
  }

  return (await fillBlock('root', 0)) ?? Promise.reject(new ContentError('the content has no block "root"'));
}

function childrenOf(block: MailBlock): (readonly string[])[] {
  switch (block.type) {
    case 'EmailLayout':
      return [block.data.childrenIds ?? []];
    case 'Container':
      return [block.data.props?.childrenIds ?? []];
    case 'ColumnsContainer': {
      const columns = block.data.props?.columns ?? [];
      return columns.slice(0, block.data.props?.columnsCount ?? 2).map(column => column.childrenIds ?? []);
    }
    default:
      return [];
  }
}

interface OwnTexts {
  readonly block: MailBlock;
  /** Total length of its texts. */
  readonly length: number;
}

/** Fills each block once, also when the email uses it several times. */
function textFiller(variables: Variables): (block: MailBlock) => Promise<OwnTexts> {
  const known = new Map<MailBlock, OwnTexts>();
  let code = 0;

  return async block => {
    const before = known.get(block);
    if (before !== undefined) return before;
    let length = 0;
    const own = await withTexts(block, async template => {
      code += codeLength(template);
      if (code > codeMaxLength) throw new ContentError('the content has too many variables');
      const text = await fill(template, variables);
      length += text.length;
      return text;
    });
    const texts = { block: own, length };
    known.set(block, texts);
    return texts;
  };
}

async function withTexts(block: MailBlock, fill: (template: string) => Promise<string>): Promise<MailBlock> {
  const text = async (value: string | null | undefined) => (value == null ? value : await fill(value));
  switch (block.type) {
    case 'Heading': {
      const { props } = block.data;
      return { ...block, data: { ...block.data, props: { ...props, text: await text(props?.text) } } };
    }
    case 'Text': {
      const { props } = block.data;
      return { ...block, data: { ...block.data, props: { ...props, text: await text(props?.text) } } };
    }
    case 'Button': {
      const { props } = block.data;
      const filled = { ...props, text: await text(props?.text), url: await text(props?.url) };
      return { ...block, data: { ...block.data, props: filled } };
    }
    case 'Image': {
      const { props } = block.data;
      const [url, alt, linkHref] = [await text(props?.url), await text(props?.alt), await text(props?.linkHref)];
      return { ...block, data: { ...block.data, props: { ...props, url, alt, linkHref } } };
    }
    default:
      return block;
  }
}
