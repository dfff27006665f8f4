import type { MailBlock, MailContent } from './content.ts';
import { fill, type Variables } from './fill.ts';

/** More blocks than any mail has; a document whose blocks contain each other comes to an end here. */
const maxBlocks = 500;
const maxDepth = 20;

/** A block with everything below it, its texts filled in. */
export interface FilledBlock {
  readonly block: MailBlock;
  /** One list, or one for each column. */
  readonly children: readonly (readonly FilledBlock[])[];
}

/** A document that has no beginning, or no end. */
export class ContentError extends Error {
  override readonly name = 'ContentError';
}

/** The tree that a document describes, from `root` down, with every text filled in. @throws ContentError */
export async function fillContent(content: MailContent, variables: Variables): Promise<FilledBlock> {
  let count = 0;

  async function filled(id: string, depth: number): Promise<FilledBlock | undefined> {
    const block = Object.hasOwn(content, id) ? content[id] : undefined;
    if (block === undefined) return undefined;
    count += 1;
    if (count > maxBlocks || depth > maxDepth) throw new ContentError('the content has too many blocks');
    const children: FilledBlock[][] = [];
    for (const ids of childrenOf(block)) {
      const list: FilledBlock[] = [];
      for (const childId of ids) {
        const child = await filled(childId, depth + 1);
        if (child !== undefined) list.push(child);
      }
      children.push(list);
    }
    return { block: await withTexts(block, variables), children };
  }

  return (await filled('root', 0)) ?? Promise.reject(new ContentError('the content has no block "root"'));
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

async function withTexts(block: MailBlock, variables: Variables): Promise<MailBlock> {
  const text = async (value: string | null | undefined) => (value == null ? value : await fill(value, variables));
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
