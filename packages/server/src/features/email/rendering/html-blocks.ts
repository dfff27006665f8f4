import { type Html, html } from '../../../platform/html.ts';
import type { FilledBlock } from '../templates/blocks.ts';
import { imageSource, linkTarget, withMarkdownLinks } from '../templates/links.ts';
import type { BlockOf } from './content.ts';
import { background, bare, fonts, padding, px, style, textLooks } from './html-style.ts';
import { colorClass } from './look.ts';

const headingSizes = { h1: 32, h2: 24, h3: 20 } as const;
const buttonSizes = { 'x-small': [4, 8], small: [8, 12], medium: [12, 20], large: [16, 32] } as const;
const buttonRadius = { rectangle: 0, rounded: 6, pill: 64 } as const;

/**
 * What a block stands on: the card, whose colours change in dark mode, or a background that the author has chosen. That one
 * does not change, so neither does what stands on it.
 */
type Ground = 'card' | 'own';

const groundOf = (color: string | null | undefined, around: Ground): Ground => (color == null ? around : 'own');

/** A block and the blocks inside it. */
export function blockAsHtml({ block, children }: FilledBlock, ground: Ground = 'card'): Html {
  const inside = (column: readonly FilledBlock[], color?: string | null) =>
    html`${column.map(child => blockAsHtml(child, groundOf(color, ground)))}`;
  switch (block.type) {
    // A nested layout is rendered as a group of blocks.
    case 'EmailLayout':
      return inside(children.flat());
    case 'Container':
      return container(block, inside(children.flat(), block.data.style?.backgroundColor));
    case 'ColumnsContainer':
      return columns(
        block,
        children.map(column => inside(column, block.data.style?.backgroundColor)),
      );
    case 'Heading':
      return heading(block, groundOf(block.data.style?.backgroundColor, ground));
    case 'Text':
      return paragraph(block, groundOf(block.data.style?.backgroundColor, ground));
    case 'Button':
      return button(block, groundOf(block.data.style?.backgroundColor, ground));
    case 'Image':
      return image(block);
    case 'Divider':
      return divider(block, groundOf(block.data.style?.backgroundColor, ground));
    case 'Spacer':
      return html`<div style="height:${px(block.data.props?.height ?? 16)};line-height:1px">&#8202;</div>\n`;
  }
}

/** The class of a block and, on the card, the class that has another colour in dark mode. */
function classesOf(ground: Ground, darkMode: string): string {
  return ground === 'card' ? `${darkMode} t-block` : 't-block';
}

function container({ data }: BlockOf<'Container'>, inside: Html): Html {
  const { style: looks } = data;
  const box = style({
    ...background(looks?.backgroundColor),
    border: looks?.borderColor && `1px solid ${looks.borderColor}`,
    'border-radius': looks?.borderRadius && px(looks.borderRadius),
    padding: padding(looks?.padding, 0),
  });
  return html`<div style="${box}">${inside}</div>\n`;
}

function columns({ data }: BlockOf<'ColumnsContainer'>, inside: Html[]): Html {
  const { props, style: looks } = data;
  const gap = px((props?.columnsGap ?? 0) / 2);
  const box = style({ ...background(looks?.backgroundColor), padding: padding(looks?.padding, 0) });
  const cells = inside.map((column, index) => {
    const width = props?.fixedWidths?.[index];
    const cell = style({
      width: width == null ? `${Math.floor(100 / inside.length)}%` : px(width),
      'vertical-align': props?.contentAlignment ?? 'middle',
      padding: `0 ${index === inside.length - 1 ? '0px' : gap} 0 ${index === 0 ? '0px' : gap}`,
    });
    return html`<td style="${cell}">${column}</td>`;
  });
  return html`<div style="${box}"><table ${bare} width="100%"><tr>${cells}</tr></table></div>\n`;
}

function heading({ data }: BlockOf<'Heading'>, ground: Ground): Html {
  const level = data.props?.level ?? 'h2';
  const looks = style({
    margin: '0',
    'font-size': `${headingSizes[level]}px`,
    'line-height': '1.25',
    ...textLooks(data.style, 'bold'),
  });
  const text = data.props?.text ?? '';
  const attributes = html`class="${classesOf(ground, 't-ink')}" style="${looks}"`;
  if (level === 'h1') return html`<h1 ${attributes}>${text}</h1>\n`;
  return level === 'h2' ? html`<h2 ${attributes}>${text}</h2>\n` : html`<h3 ${attributes}>${text}</h3>\n`;
}

function paragraph({ data }: BlockOf<'Text'>, ground: Ground): Html {
  const { style: looks, props } = data;
  const fontSize = looks?.fontSize ?? 16;
  const box = style({
    margin: '0',
    'font-size': px(fontSize),
    'white-space': 'pre-line',
    ...textLooks(looks, 'normal'),
  });
  const inside = withMarkdownLinks(props?.text ?? '').map(piece =>
    typeof piece === 'string' ? html`${piece}` : html`<a href="${piece.url}" target="_blank">${piece.label}</a>`,
  );
  return html`<p class="${classesOf(ground, colorClass(looks?.color))}" style="${box}">${inside}</p>\n`;
}

function button({ data }: BlockOf<'Button'>, ground: Ground): Html {
  const { props, style: looks } = data;
  const [vertical, horizontal] = buttonSizes[props?.size ?? 'medium'];
  const color = props?.buttonBackgroundColor ?? '#171717';
  const radius = `${buttonRadius[props?.buttonStyle ?? 'rounded']}px`;
  const isFull = props?.fullWidth === true;
  const box = style({
    ...background(looks?.backgroundColor),
    'text-align': looks?.textAlign,
    padding: padding(looks?.padding),
  });
  const face = style({
    display: isFull ? 'block' : 'inline-block',
    padding: `${vertical}px ${horizontal}px`,
    'background-color': color,
    color: props?.buttonTextColor ?? '#ffffff',
    'border-radius': radius,
    'font-size': px(looks?.fontSize ?? 16),
    'font-family': looks?.fontFamily && fonts[looks.fontFamily],
    'font-weight': looks?.fontWeight ?? 'bold',
    'text-align': isFull ? 'center' : undefined,
    'text-decoration': 'none',
  });
  const label = props?.text ?? '';
  const darkMode = ground === 'card' ? html` class="t-button"` : undefined;
  const target = linkTarget(props?.url);
  // Outlook uses the width of the cell and ignores the padding of a link.
  const width = isFull ? html` width="100%"` : undefined;
  // Without an alignment the table begins where the text of its direction does.
  const align = looks?.textAlign ? html` align="${looks.textAlign}"` : undefined;
  const inside =
    target === undefined
      ? html`<span${darkMode} style="${face}">${label}</span>`
      : html`<a${darkMode} href="${target}" target="_blank" style="${face}">${label}</a>`;
  return html`<div class="t-block" style="${box}"><table ${bare}${align}${width}><tr><td${darkMode} bgcolor="${color}" style="border-radius:${radius}">${inside}</td></tr></table><div style="clear:both"></div></div>\n`;
}

function image({ data }: BlockOf<'Image'>): Html {
  const { props, style: looks } = data;
  const source = imageSource(props?.url);
  if (source === undefined) return html``;
  const box = style({
    ...background(looks?.backgroundColor),
    'text-align': looks?.textAlign,
    padding: padding(looks?.padding),
  });
  const face = style({
    width: props?.width && px(props.width),
    height: props?.height && px(props.height),
    'max-width': '100%',
    border: '0',
    'vertical-align': props?.contentAlignment,
  });
  const picture = html`<img src="${source}" alt="${props?.alt ?? ''}" style="${face}">`;
  const target = linkTarget(props?.linkHref);
  const inside = target === undefined ? picture : html`<a href="${target}" target="_blank">${picture}</a>`;
  // A banner of the full width has a padding of its own, of zero.
  const name = looks?.padding == null ? html` class="t-block"` : undefined;
  return html`<div${name} style="${box}">${inside}</div>\n`;
}

function divider({ data }: BlockOf<'Divider'>, ground: Ground): Html {
  const { props, style: looks } = data;
  const box = style({ ...background(looks?.backgroundColor), padding: padding(looks?.padding) });
  const line = style({
    width: '100%',
    margin: '0',
    border: '0',
    'border-top': `${px(props?.lineHeight ?? 1)} solid ${props?.lineColor ?? '#e5e5e5'}`,
  });
  const darkMode = ground === 'card' ? html` class="t-line"` : undefined;
  return html`<div class="t-block" style="${box}"><hr${darkMode} style="${line}"></div>\n`;
}
