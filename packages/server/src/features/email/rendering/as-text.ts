import type { FilledBlock } from '../templates/blocks.ts';
import { linkTarget, withMarkdownLinks } from '../templates/links.ts';
import { type Frame, footerLines } from './look.ts';

/** The plain-text part: one paragraph per block, each link alone on its line and unbroken. */
export function asText(root: FilledBlock, frame?: Frame): string {
  const footer = frame === undefined ? [] : ['---', [...footerLines(frame), ...unsubscribeLines(frame)].join('\n')];
  return `${[...paragraphs(root), ...footer].join('\n\n')}\n`;
}

function unsubscribeLines({ message }: Frame): string[] {
  const link = message?.unsubscription;
  return link === undefined ? [] : [`Unsubscribe from ${link.categoryName}:`, link.url];
}

function paragraphs({ block, children }: FilledBlock): string[] {
  switch (block.type) {
    case 'EmailLayout':
    case 'Container':
    case 'ColumnsContainer':
      return children.flat().flatMap(paragraphs);
    case 'Heading':
      return wordsOf(block.data.props?.text);
    case 'Text':
      return wordsOf(withLinks(block.data.props?.text ?? ''));
    case 'Button': {
      const { text, url } = block.data.props ?? {};
      const target = linkTarget(url);
      return target === undefined ? wordsOf(text) : [[...wordsOf(text).map(label => `${label}:`), target].join('\n')];
    }
    case 'Image': {
      const { alt, linkHref } = block.data.props ?? {};
      return [[...wordsOf(alt), ...wordsOf(linkTarget(linkHref))].join('\n')].filter(line => line !== '');
    }
    case 'Divider':
      return ['---'];
    case 'Spacer':
      return [];
  }
}

/** Markdown links, which only a text has: the words, then the target. */
function withLinks(text: string): string {
  const pieces = withMarkdownLinks(text);
  return pieces.map(piece => (typeof piece === 'string' ? piece : `${piece.label} (${piece.url})`)).join('');
}

function wordsOf(text: string | null | undefined): string[] {
  const plain = (text ?? '').trim();
  return plain === '' ? [] : [plain];
}
