import type { Json } from '@tessera/client';
import { isRecord, type JsonRecord } from '../../../data/is-record.ts';

/** A block of an email: its type, and settings that this editor may not know. */
export type Block = { readonly type: string; readonly data: Settings };

/** Settings of a block, by name. */
export type Settings = JsonRecord;

/** The content of an email: blocks by id; `root` is the layout. */
export type Blocks = { readonly [id: string]: Block };

/** A subject with the content below it. */
export interface EmailDraft {
  readonly subject: string;
  readonly content: Blocks;
}

/** The blocks that the editor adds. */
export const addableTypes = ['Heading', 'Text', 'Button', 'Image', 'Divider', 'Spacer'] as const;

type AddableType = (typeof addableTypes)[number];

const side = 32;
const padding = (top: number, bottom: number) => ({ top, bottom, left: side, right: side });

/** The settings of an added block. */
const initialSettings: Readonly<Record<AddableType, Settings>> = {
  Heading: { props: { text: '', level: 'h2' }, style: { padding: padding(12, 8) } },
  Text: { props: { text: '' }, style: { padding: padding(8, 8), fontSize: 16 } },
  Button: {
    props: {
      text: '',
      url: '',
      size: 'medium',
      buttonStyle: 'rounded',
      buttonBackgroundColor: '#18181b',
      buttonTextColor: '#ffffff',
    },
    style: { padding: padding(12, 20) },
  },
  Image: { props: { url: '', alt: '' }, style: { padding: padding(8, 8) } },
  Divider: { props: { lineColor: '#e4e4e7' }, style: { padding: padding(8, 8) } },
  Spacer: { props: { height: 24 } },
};

/** An email with a layout and no other block. */
export const emptyContent: Blocks = {
  root: {
    type: 'EmailLayout',
    data: {
      backdropColor: '#f4f4f5',
      canvasColor: '#ffffff',
      textColor: '#18181b',
      fontFamily: 'MODERN_SANS',
      childrenIds: [],
    },
  },
};

/** The blocks of a value of the API; undefined for a value without a layout, which only the source can show. */
export function readBlocks(value: Json): Blocks | undefined {
  if (!isRecord(value)) return undefined;
  const isContent = Object.values(value).every(
    block => isRecord(block) && typeof block.type === 'string' && isRecord(block.data),
  );
  if (!isContent) return undefined;
  const blocks = value as Blocks;
  return blocks.root?.type === 'EmailLayout' ? blocks : undefined;
}

/** The ids of the blocks from top to bottom. An id without a block is left out. */
export function orderOf(content: Blocks): readonly string[] {
  const ids = content.root?.data.childrenIds;
  return Array.isArray(ids)
    ? ids.filter((id): id is string => typeof id === 'string' && Object.hasOwn(content, id))
    : [];
}

/** Adds a block at a position. */
export function addBlock(content: Blocks, type: AddableType, index: number): Blocks {
  const id = freeId(content);
  const order = [...orderOf(content)];
  order.splice(index, 0, id);
  return withOrder({ ...content, [id]: { type, data: initialSettings[type] } }, order);
}

/** Removes a block with the blocks inside it. */
export function removeBlock(content: Blocks, id: string): Blocks {
  const order = orderOf(content).filter(other => other !== id);
  const kept = withOrder(content, order);
  const used = new Set(['root', ...reachable(kept, 'root')]);
  return Object.fromEntries(Object.entries(kept).filter(([other]) => used.has(other)));
}

/** Moves a block to a position. The same content when it is there. */
export function moveBlock(content: Blocks, id: string, index: number): Blocks {
  const order = orderOf(content);
  const from = order.indexOf(id);
  const to = Math.min(Math.max(index, 0), order.length - 1);
  if (from === -1 || from === to) return content;
  const moved = order.filter(other => other !== id);
  moved.splice(to, 0, id);
  return withOrder(content, moved);
}

/** Changes one of the `props` or the `style` of a block; the others stay. */
export function setOf(content: Blocks, id: string, part: 'props' | 'style', changes: Settings): Blocks {
  const block = content[id];
  if (block === undefined) return content;
  const before = block.data[part];
  return {
    ...content,
    [id]: { ...block, data: { ...block.data, [part]: { ...(isRecord(before) ? before : {}), ...changes } } },
  };
}

/** A text among the `props` of a block; empty when it has none. */
export function textOf(block: Block, name: string): string {
  const { props } = block.data;
  const value = isRecord(props) ? props[name] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** A setting in the `style` of a block. */
export function styleOf(block: Block, name: string): string {
  const { style } = block.data;
  const value = isRecord(style) ? style[name] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The first words of a block, for the names of its buttons. */
export function summaryOf(block: Block): string {
  const text = textOf(block, 'text') || textOf(block, 'alt') || textOf(block, 'url');
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

function withOrder(content: Blocks, childrenIds: readonly string[]): Blocks {
  const root = content.root ?? { type: 'EmailLayout', data: {} };
  return { ...content, root: { ...root, data: { ...root.data, childrenIds } } };
}

function freeId(content: Blocks): string {
  let number = Object.keys(content).length;
  while (Object.hasOwn(content, `block-${number}`)) number += 1;
  return `block-${number}`;
}

/** The ids that a block names, directly or through others. */
function reachable(content: Blocks, id: string, known = new Set<string>()): ReadonlySet<string> {
  const ids = JSON.stringify(content[id]?.data ?? {}).matchAll(/"childrenIds":\[([^\]]*)\]/g);
  for (const [, list = ''] of ids) {
    for (const child of JSON.parse(`[${list}]`) as string[]) {
      if (known.has(child)) continue;
      known.add(child);
      reachable(content, child, known);
    }
  }
  return known;
}
