import type { MailBlock, MailContent } from '../rendering/content.ts';
import { palette } from './palette.ts';

const side = 32;

/** An email of blocks from top to bottom, in the colours and the font of the built-in templates. */
export function document(blocks: readonly MailBlock[]): MailContent {
  const named = blocks.map((block, index) => [`block-${index + 1}`, block] as const);
  const root: MailBlock = {
    type: 'EmailLayout',
    data: {
      backdropColor: palette.light.page,
      canvasColor: palette.light.card,
      textColor: palette.light.ink,
      fontFamily: 'MODERN_SANS',
      childrenIds: named.map(([id]) => id),
    },
  };
  return { root, ...Object.fromEntries(named) };
}

export function heading(words: string): MailBlock {
  const padding = { top: 12, bottom: 8, left: side, right: side };
  return { type: 'Heading', data: { props: { text: words, level: 'h2' }, style: { padding } } };
}

export function text(words: string): MailBlock {
  const padding = { top: 8, bottom: 8, left: side, right: side };
  return { type: 'Text', data: { props: { text: words }, style: { padding, fontSize: 16 } } };
}

export function code(words: string): MailBlock {
  const padding = { top: 8, bottom: 8, left: side, right: side };
  const style = { padding, fontSize: 36, fontWeight: 'bold', fontFamily: 'MONOSPACE' } as const;
  return { type: 'Text', data: { props: { text: words }, style } };
}

export function button(words: string, url: string): MailBlock {
  const padding = { top: 12, bottom: 20, left: side, right: side };
  const looks = { buttonBackgroundColor: '#18181b', buttonTextColor: '#ffffff', buttonStyle: 'rounded' } as const;
  return { type: 'Button', data: { props: { text: words, url, size: 'medium', ...looks }, style: { padding } } };
}

export function divider(): MailBlock {
  const padding = { top: 8, bottom: 8, left: side, right: side };
  return { type: 'Divider', data: { props: { lineColor: palette.light.line }, style: { padding } } };
}

export function note(words: string): MailBlock {
  const padding = { top: 4, bottom: 8, left: side, right: side };
  return {
    type: 'Text',
    data: { props: { text: words }, style: { padding, fontSize: 14, color: palette.light.quiet } },
  };
}
